"""Rows of ops that break a constraint, and their runner: what `load` says of each, and whether MLIR rejects it too.

A row is an op in generic form, with its signature: `"stablehlo.reverse"(%x) <{…}> : (tensor<2xf32>) -> tensor<2xf32>`.
It becomes the only op of a function whose arguments are the operands. Regions use their own values only.
"""

from __future__ import annotations

import re
from functools import cache

import jax
import pytest
from jax._src.interpreters.mlir import make_ir_context
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
from jaxlib.mlir.passmanager import PassManager

import hlo2tiny
from hlo2tiny.verify.problems import verify

# An op, its text, what its error says, and why MLIR takes the text (or leave that out: MLIR rejects it).
Row = tuple[str, str, str] | tuple[str, str, str, str]

FIRST = "func.func @main("


def parts(types: str) -> list[str]:
    """What stands between the commas of a list of types, but for commas within brackets."""
    found, depth = [""], 0
    for c in types:
        depth += (c in "<({[") - (c in ">)}]")
        if c == "," and depth == 0:
            found.append("")
        else:
            found[-1] += c
    return [part.strip() for part in found if part.strip()]


def program(text: str) -> str:
    """A module of one op, which begins on line 2."""
    operation, _, signature = text.rpartition(" : (")
    given, arrow, declared = signature.partition(") -> ")
    named = re.match(r'"[^"]+"\(([^)]*)\)', operation)
    assert named and arrow, f"not an op in generic form with its signature: {text}"
    operands, results = parts(given), parts(re.sub(r"\A\((.*)\)\Z", r"\1", declared))
    arguments = dict(zip(parts(named[1]), operands, strict=True))
    returned_values = ", ".join(f"%r#{i}" for i in range(len(results)))
    header = ", ".join(f"{name}: {type}" for name, type in arguments.items())
    left = f"%r:{len(results)} = " if results else ""
    returned = f"return {returned_values} : {', '.join(results)}" if results else "return"
    return f"{FIRST}{header}) -> ({', '.join(results)}) {{\n  {left}{text}\n  {returned}\n}}\n"


@cache
def mlir_context() -> ir.Context:
    """A context with the dialects of JAX, and that of quantized types, which this pass needs and so loads."""
    context = make_ir_context()
    stablehlo.register_stablehlo_passes()
    with context, ir.Location.unknown():
        PassManager.parse("builtin.module(vhlo-legalize-to-stablehlo)").run(ir.Module.parse("").operation)
    return context


def mlir_problem(text: str) -> str:
    """What MLIR's parser and verifier say of a module, or ''."""
    with mlir_context():
        try:
            ir.Module.parse(text).operation.verify()
        except ir.MLIRError as error:
            return str(error)
    return ""


def expect_refusal(op: str, text: str, message: str, accepted: str = "") -> None:
    """Expect an error with a message and the op's location, and MLIR to reject the op too.

    Args:
        message: the whole message of the op's problem, or its beginning.
        accepted: why MLIR accepts the op; then it must.
    """
    module = program(text)
    with pytest.raises(hlo2tiny.Error) as caught:
        verify(hlo2tiny.parse(module))
    first = str(caught.value).splitlines()[0]
    column = module.splitlines()[1].index('"') + 1
    place, _, said = first.partition(f"{op}: ")
    assert said.startswith(message), f"{module}{caught.value}"
    assert place.endswith(f":2:{column}: "), str(caught.value)
    found = mlir_problem(module)
    if not accepted:
        assert found, f"MLIR {jax.__version__} takes this:\n{module}"
    elif found:
        pytest.fail(f"MLIR rejects this, though the row says that it does not ({accepted}):\n{module}{found}")


def expect_valid(text: str) -> None:
    """Expect no error, neither from MLIR nor from `verify`."""
    module = program(text)
    assert not mlir_problem(module), module
    verify(hlo2tiny.parse(module))


def names(rows: list[Row]) -> list[str]:
    """The tests' names: the op and the constraint's number."""
    numbers = (re.search(r"\((C\d+[^()]*)\)$", row[2]) for row in rows)
    return [
        f"{row[0].partition('.')[2]}-{found[1] if found else i}" for i, (row, found) in enumerate(zip(rows, numbers))
    ]
