"""Blocks that branch to each other as loops and conditionals: an interpreter of both says whether they are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.commands.convert import convert
from hlo2tiny.formats import safetensors
from hlo2tiny.ir import DialectAttr, Function, Op, Region, Value
from hlo2tiny.ir.entry import entry_function
from hlo2tiny.syntax.parser import parse
from hlo2tiny.verify.structure import structure_functions, structure_problem

# ---------------------------------------------------------------- an interpreter of blocks, loops and conditionals


class TooLong(Exception):
    """It may not end."""


class Interpreter:
    """Runs a function on integers."""

    def __init__(self, steps: int) -> None:
        self.left = steps
        self.values: dict[Value, Any] = {}

    def function(self, function: Function, arguments: Any) -> list[Any]:
        assert function.body is not None
        blocks = [function.body, *function.body.blocks]
        number, given = 0, list(arguments)
        while True:
            block = blocks[number]
            found = self.block(block, given)
            end = block.ops[-1]
            if end.name == "func.return":
                return found
            number, given = self.branch(end, found)

    def branch(self, end: Op, found: list[Any]) -> tuple[int, list[Any]]:
        if end.name == "cf.br":
            return end.successors[0], found
        sizes = list(end.attributes["operandSegmentSizes"].values)  # type: ignore[union-attr]
        if end.name == "cf.cond_br":
            which, counts = (0 if found[0] else 1), sizes[1:]
        else:
            cases = end.attributes["case_values"]
            assert isinstance(cases, DialectAttr)
            numbers = [int(word) for word in cases.text[len("dense<[") :].partition("]")[0].split(",")]
            which = numbers.index(found[0]) + 1 if found[0] in numbers else 0
            counts = [sizes[1], *end.attributes["case_operand_segments"].values]  # type: ignore[union-attr]
        at = 1 + sum(counts[:which])
        return end.successors[which], found[at : at + counts[which]]

    def block(self, block: Region, given: list[Any]) -> list[Any]:
        """What a block's terminator passes on."""
        self.values.update(zip(block.arguments, given, strict=True))
        for op in block.ops[:-1]:
            self.left -= 1
            if self.left < 0:
                raise TooLong
            results = self.op(op, [self.values[v] for v in op.operands])
            self.values.update(zip(op.results, results, strict=True))
        return [self.values[v] for v in block.ops[-1].operands]

    def op(self, op: Op, operands: list[Any]) -> list[Any]:
        binary: Mapping[str, Callable[[int, int], int]] = {
            "stablehlo.add": lambda a, b: a + b,
            "stablehlo.subtract": lambda a, b: a - b,
            "stablehlo.and": lambda a, b: a & b,
        }
        match op.name:
            case "stablehlo.constant":
                return [op.attributes["value"].data.reshape(-1)[0].item()]  # type: ignore[union-attr]
            case "stablehlo.compare":
                direction = op.attributes["comparison_direction"].text  # type: ignore[union-attr]
                return [{"EQ": operands[0] == operands[1], "LT": operands[0] < operands[1]}[direction]]
            case "stablehlo.select":
                return [operands[1] if operands[0] else operands[2]]
            case "stablehlo.not":
                return [not operands[0]]
            case "tensor.extract" | "tensor.from_elements":
                return operands
            case "stablehlo.if":
                return self.block(op.regions[0 if operands[0] else 1], [])
            case "stablehlo.case":
                inside = 0 <= operands[0] < len(op.regions)
                return self.block(op.regions[operands[0] if inside else -1], [])
            case "stablehlo.while":
                while self.block(op.regions[0], operands)[0]:
                    self.left -= 1
                    operands = self.block(op.regions[1], operands)
                return operands
        return [(binary[op.name](*operands) + 2**31) % 2**32 - 2**31]


# ---------------------------------------------------------------- random programs of blocks

T = "tensor<i32>"


def reached(successors: list[list[int]], without: int | None = None) -> set[int]:
    found, left = set(), [] if without == 0 else [0]
    while left:
        block = left.pop()
        if block not in found:
            found.add(block)
            left += [other for other in successors[block] if other != without]
    return found


def random_blocks(random: Random) -> str:
    """A function whose blocks each take up to two numbers, compute, and go anywhere."""
    count = random.randint(2, 9)
    takes = [2] + [random.randint(0, 2) for _ in range(count - 1)]
    kinds = [random.choice(["br", "cond", "cond", "switch", "return"]) for _ in range(count)]
    kinds[-1] = "return"
    # Mostly forward, so that most graphs can be structured.
    successors = [
        []
        if kinds[i] == "return"
        else [
            random.randint(i + 1, count - 1) if random.random() < 0.75 else random.randint(1, count - 1)
            for _ in range({"br": 1, "cond": 2, "switch": 3}[kinds[i]])
        ]
        for i in range(count)
    ]
    names = [[f"%a{i}_{j}" for j in range(takes[i])] + [f"%v{i}_{j}" for j in range(2)] for i in range(count)]
    everywhere = reached(successors)
    dominating = [
        [d for d in range(count) if d != i and i in everywhere and i not in reached(successors, d)]
        for i in range(count)
    ]
    lines = [f"func.func @main(%a0_0: {T}, %a0_1: {T}) -> ({T}, {T}) {{"]
    for i in range(count):
        known = ["%a0_0", "%a0_1"] if i == 0 else names[i][: takes[i]]
        known = known + [name for d in dominating[i] for name in names[d]] or ["%a0_0"]

        def value(known: list[str] = known) -> str:
            return random.choice(known)

        def handed(target: int) -> str:
            values = [value() for _ in range(takes[target])]
            return f"^b{target}" + (f"({', '.join(values)} : {', '.join([T] * len(values))})" if values else "")

        if i:
            arguments = ", ".join(f"%a{i}_{j}: {T}" for j in range(takes[i]))
            lines.append(f"^b{i}({arguments}):" if arguments else f"^b{i}:")
        lines.append(f"  %v{i}_0 = stablehlo.constant dense<{random.randint(-3, 3)}> : {T}")
        known.append(f"%v{i}_0")
        op = random.choice(["add", "subtract", "and"])
        lines.append(f"  %v{i}_1 = stablehlo.{op} {value()}, {value()} : {T}")
        known.append(f"%v{i}_1")
        match kinds[i]:
            case "return":
                lines.append(f"  return {value()}, {value()} : {T}, {T}")
            case "br":
                lines.append(f"  cf.br {handed(successors[i][0])}")
            case "cond":
                lines.append(f"  %c{i} = stablehlo.compare LT, {value()}, {value()} : ({T}, {T}) -> tensor<i1>")
                lines.append(f"  %s{i} = tensor.extract %c{i}[] : tensor<i1>")
                lines.append(f"  cf.cond_br %s{i}, {', '.join(map(handed, successors[i]))}")
            case "switch":
                lines.append(f"  %s{i} = tensor.extract {value()}[] : {T}")
                a, b, c = map(handed, successors[i])
                lines.append(f"  cf.switch %s{i} : i32, [default: {a}, {random.randint(-2, 0)}: {b}, 1: {c}]")
    return "\n".join([*lines, "}"])


def results(function: Function, arguments: Any, steps: int) -> list[Any] | None:
    try:
        return Interpreter(steps).function(function, arguments)
    except TooLong:
        return None


def arguments() -> Iterator[tuple[int, int]]:
    yield from [(0, 0), (1, -1), (2, 1), (-3, 2), (1, 1)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(10))
def test_random_blocks(seed: int) -> None:
    random = Random(seed)
    run = refused = loops = 0
    for _ in range(60):
        text = random_blocks(random)
        module = parse(text)
        function = entry_function(module)
        if problem := structure_problem(function):
            assert isinstance(problem, hlo2tiny.UnsupportedOp), text
            assert "another entry" in str(problem) or "never ends" in str(problem), text
            refused += 1
            continue
        found = entry_function(structure_functions(module))
        assert found.body is not None and not found.body.blocks
        loops += "stablehlo.while" in str(structure_functions(module))
        parse(str(structure_functions(module)))  # every value is defined where it is used
        for given in arguments():
            expected = results(function, given, 300)
            if expected is not None:
                run += 1
                assert results(found, given, 100_000) == expected, text
    assert run > 100 and refused > 0 and loops > 2


def test_random_blocks_run_natively() -> None:
    random, run = Random(7), 0
    while run < 4:
        text = random_blocks(random)
        function = entry_function(parse(text))
        expected = {given: results(function, given, 300) for given in arguments()}
        if structure_problem(function) or None in expected.values() or "cf.cond_br" not in text:
            continue
        program = hlo2tiny.load(text, device="CPU")
        for given, numbers in expected.items():
            assert [int(x) for x in program.numpy(*map(np.int32, given))] == numbers, text
        run += 1


# ---------------------------------------------------------------- shapes of loops and branches

LOOP = """func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  cf.br ^head(%zero, %x : tensor<i32>, tensor<4xf32>)
^head(%i: tensor<i32>, %v: tensor<4xf32>):
  %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %b = tensor.extract %c[] : tensor<i1>
  cf.cond_br %b, ^body, ^done
^body:
  %w = stablehlo.add %v, %v : tensor<4xf32>
  %j = stablehlo.add %i, %one : tensor<i32>
  cf.br ^head(%j, %w : tensor<i32>, tensor<4xf32>)
^done:
  return %v, %i : tensor<4xf32>, tensor<i32>
}"""
# The condition follows the body.
DO = """func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  cf.br ^head(%zero, %x : tensor<i32>, tensor<4xf32>)
^head(%i: tensor<i32>, %v: tensor<4xf32>):
  %w = stablehlo.add %v, %v : tensor<4xf32>
  %j = stablehlo.add %i, %one : tensor<i32>
  %c = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %b = tensor.extract %c[] : tensor<i1>
  cf.cond_br %b, ^head(%j, %w : tensor<i32>, tensor<4xf32>), ^done
^done:
  return %w, %j : tensor<4xf32>, tensor<i32>
}"""
X = np.arange(4, dtype=np.float32)


def test_a_loop_whose_head_decides() -> None:
    program = hlo2tiny.load(LOOP, device="CPU")
    (loop,) = [op for op in program.module.walk() if op.name == "stablehlo.while"]
    assert len(loop.operands) == 2  # as one would write it
    for n in (0, 3):
        values, iterations = program.numpy(np.int32(n), X)
        np.testing.assert_array_equal(values, X * 2**n)
        assert iterations == n
    turned = LOOP.replace("compare LT", "compare GE").replace("^body, ^done", "^done, ^body")
    assert hlo2tiny.load(turned, device="CPU").numpy(np.int32(3), X)[1] == 3


def test_a_loop_that_decides_at_its_end() -> None:
    program = hlo2tiny.load(DO, device="CPU")
    for n, iterations in ((0, 1), (3, 3)):
        values, count = program.numpy(np.int32(n), X)
        np.testing.assert_array_equal(values, X * 2**iterations)
        assert count == iterations


def test_a_fixed_number_of_iterations_has_a_gradient() -> None:
    tinygrad = pytest.importorskip("tinygrad")
    text = LOOP.replace("(%n: tensor<i32>, ", "(").replace(
        "  %one =", "  %n = stablehlo.constant dense<3> : tensor<i32>\n  %one ="
    )
    x = tinygrad.Tensor(X).clone()
    found = hlo2tiny.load(text, device="CPU").lazy(x)[0].sum().gradient(x)[0]
    np.testing.assert_array_equal(found.numpy(), [8] * 4)


SWITCH = """func.func @main(%n: tensor<i64>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %s = tensor.extract %n[] : tensor<i64>
  cf.switch %s : i64, [default: ^d, 7: ^a, -2: ^b(%x : tensor<2xf32>)]
^a:
  %y = stablehlo.negate %x : tensor<2xf32>
  cf.br ^b(%y : tensor<2xf32>)
^b(%z: tensor<2xf32>):
  %w = stablehlo.add %z, %z : tensor<2xf32>
  return %w : tensor<2xf32>
^d:
  return %x : tensor<2xf32>
}"""


@pytest.mark.parametrize(("number", "factor"), [(7, -2), (-2, 2), (0, 1), (1 << 32, 1), (7 + (1 << 32), 1)])
def test_a_switch(number: int, factor: int) -> None:
    found = hlo2tiny.load(SWITCH, device="CPU").numpy(np.int64(number), X[:2])[0]
    np.testing.assert_array_equal(found, X[:2] * factor)


def test_indirect_calls() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f = func.constant @twice : (tensor<2xf32>) -> tensor<2xf32>
  %0 = func.call_indirect %f(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    np.testing.assert_array_equal(hlo2tiny.load(text, device="CPU").numpy(X[:2])[0], X[:2] * 2)
    handed = text.replace("%0 = func.call_indirect", "cf.br ^b(%f : (tensor<2xf32>) -> tensor<2xf32>)\n^b(%g: (tensor<2xf32>) -> tensor<2xf32>):\n  %0 = func.call_indirect").replace("%f(%x)", "%g(%x)")  # fmt: skip # noqa: E501
    with pytest.raises(hlo2tiny.UnsupportedOp, match=r"func\.call_indirect: no rule for this op"):
        hlo2tiny.load(handed, device="CPU")


# ---------------------------------------------------------------- what is refused, by name and location


def refused(lines: str, kind: type[Exception] = hlo2tiny.UnsupportedOp, results: str = "") -> str:
    text = f"func.func @main(%c: i1, %x: tensor<f32>) -> ({results}) {{\n{lines}\n}}"
    with pytest.raises(kind) as caught:
        hlo2tiny.load(text, device="CPU")
    return str(caught.value)


NEGATE = "%{} = stablehlo.negate %{} : tensor<f32>"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["cf.cond_br %c, ^a, ^b", "^a:", "cf.br ^b", "^b:", "cf.cond_br %c, ^a, ^d", "^d:", "return"],
            ": branches into a loop that has another entry; only loops with one entry are supported",
        ),
        (["cf.br ^a", "^a:", "cf.br ^a"], ":4:1: cf.br: is in a loop that never ends"),
        (
            ["cf.br ^a", "^a:", NEGATE.format("y", "x")],
            ":4:6: stablehlo.negate: is the last op of a block, expected cf.br, cf.cond_br, cf.switch or return",
        ),
        (
            [
                "cf.br ^a",
                "^a:",
                '"other.op"() ({',
                "cf.br ^b",
                "^b:",
                '"other.end"() : () -> ()',
                "}) : () -> ()",
                "return",
            ],
            ":4:1: other.op: has a region with several blocks, which only functions may have",
        ),
    ],
)
def test_what_cannot_run(lines: list[str], message: str) -> None:
    assert message in refused("\n".join(lines))


@pytest.mark.parametrize(
    ("lines", "results", "message"),
    [
        (["cf.br ^a", "^a(%y: tensor<f32>):", "return"], "", "passes (), but the target block takes (tensor<f32>)"),
        (["cf.br ^a", "^a:", "return"], "i1", "passes (), but the function returns (i1)"),
        (
            ["cf.cond_br %c, ^a, ^b", "^a:", NEGATE.format("y", "x"), "cf.br ^b", "^b:",
             NEGATE.format("z", "y"), "return"],
            "",
            ":7:6: stablehlo.negate: %y is not defined on every path to this use",
        ),
        (
            ["cf.br ^a", "^a:", NEGATE.format("z", "y"), NEGATE.format("y", "x"), "return"],
            "",
            ":4:6: stablehlo.negate: %y is not defined on every path to this use",
        ),
        (
            ["cf.br ^a", "^a:", NEGATE.format("z", "z"), "return"],
            "",
            ":4:6: stablehlo.negate: %z is not defined on every path to this use",
        ),
        (
            ['"cf.cond_br"(%x)[^a, ^a] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<f32>) -> ()',
             "^a:", "return"],
            "",
            "branches on a value of type tensor<f32>, expected i1",
        ),
        (['"cf.cond_br"(%c)[^a, ^a] : (i1) -> ()', "^a:", "return"], "", "lacks the number of values for each target"),
        (
            ['"cf.cond_br"(%c)[^a, ^a] <{operandSegmentSizes = array<ui64: 1, 0, 0>}> : (i1) -> ()', "^a:", "return"],
            "",
            "lacks the number of values for each target",
        ),
        (["cf.cond_br %c weights([1, 2, 3]), ^a, ^a", "^a:", "return"], "", "has 3 weights for 2 blocks"),
        (["cf.br ^a", "^a:", '"func.return"()[^a] : () -> ()'], "", "ends a function, expected func.return"),
        (["cf.br ^a", "^a:", "shape.assuming_yield"], "", "shape.assuming_yield: ends a function, expected"),
        (
            ['%s = arith.constant 1 : i32', '"cf.switch"(%s)[^a] <{case_operand_segments = array<i32>,'
             ' operandSegmentSizes = array<i32: 1, 0, -1>}> : (i32) -> ()', "^a:", "return"],
            "",
            "lacks the number of values for each target",
        ),
        (
            ['"cf.cond_br"(%c)[^a] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()', "^a:", "return"],
            "",
            "its operands do not match the blocks that it branches to",
        ),
        (
            ['%s = arith.constant 1 : i32', '"cf.switch"(%s)[^a, ^a] <{case_operand_segments = array<i32: 0>,'
             ' operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()', "^a:", "return"],
            "",
            "lacks the values of its cases",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong(lines: list[str], results: str, message: str) -> None:
    assert message in refused("\n".join(lines), hlo2tiny.VerifyError, results)


def test_the_first_block_is_only_entered_by_arguments() -> None:
    text = """"func.func"() <{function_type = (tensor<f32>) -> (), sym_name = "main"}> ({
^top(%y: tensor<f32>):
  cf.br ^top(%y : tensor<f32>)
}) : () -> ()"""
    with pytest.raises(hlo2tiny.VerifyError, match="branches to the function's entry block"):
        hlo2tiny.load(text, device="CPU")


def test_what_nothing_calls_is_not_refused() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func private @endless() {
  cf.br ^a
^a:
  cf.br ^a
}"""
    assert hlo2tiny.load(text, device="CPU").numpy(np.float32(2))[0] == 2


def test_text_of_blocks_with_its_constants_apart(tmp_path: Path) -> None:
    source, target = tmp_path / "a.mlir", tmp_path / "b.mlir"
    numbers = ", ".join(str(float(i)) for i in range(2048))
    big = f"%big = stablehlo.constant dense<[{numbers}]> : tensor<2048xf32>"
    text = LOOP.replace("^done:", f"^done:\n  {big}").replace(
        "(tensor<4xf32>, tensor<i32>) {", "(tensor<4xf32>, tensor<2048xf32>) {"
    )
    source.write_text(
        text.replace("return %v, %i : tensor<4xf32>, tensor<i32>", "return %v, %big : tensor<4xf32>, tensor<2048xf32>")
    )
    convert(source, target, split=tmp_path / "b.safetensors")
    for path in (source, target):
        values, constant = hlo2tiny.load(path, device="CPU").numpy(np.int32(2), X)
        np.testing.assert_array_equal(values, X * 4)
        np.testing.assert_array_equal(constant, np.arange(2048))
    weights = {"x": X}
    safetensors.write(tmp_path / "w.safetensors", weights)
    source.write_text(LOOP.replace("%x: tensor<4xf32>)", '%x: tensor<4xf32> loc("x"))'))
    convert(source, target, bake=tmp_path / "w.safetensors")
    np.testing.assert_array_equal(hlo2tiny.load(target, device="CPU").numpy(np.int32(2))[0], X * 4)


def test_deep_and_long_graphs_are_bounded() -> None:
    """A chain of blocks is no nesting; branches inside branches are, and blocks that many ways share are copied."""
    chain = "\n".join(f"^b{i}:\n  cf.br ^b{i + 1}" for i in range(3000))
    end = "^b3000:\n  return %x : tensor<f32>\n}"
    text = f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{\n  cf.br ^b0\n{chain}\n{end}"
    assert hlo2tiny.load(text, device="CPU").numpy(np.float32(2))[0] == 2
    ladder = "\n".join(f"^b{i}:\n  cf.cond_br %c, ^b{i + 1}, ^r{i}\n^r{i}:\n  return" for i in range(200))
    assert "nested more than" in refused(f"  cf.br ^b0\n{ladder}\n^b200:\n  return")
    body = "\n".join(f"  %v{{i}}_{j} = stablehlo.negate %x : tensor<f32>" for j in range(5))
    shared = "\n".join(
        f"^b{i}:\n{body.format(i=i)}\n  cf.cond_br %c, ^b{i + 1}, ^b{i + 2}" for i in range(40)
    )  # fmt: skip
    assert "so many paths" in refused(f"  cf.br ^b0\n{shared}\n^b40:\n  return\n^b41:\n  return")
