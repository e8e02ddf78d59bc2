"""Numbers whose bits come from two others, by a mask, and a choice between them and one of these.

LLVM up to 22.1.8 computes them wrongly with AVX-512 (llvm-project #157929), and each target has its own compiler.
"""

from __future__ import annotations

from pathlib import Path

import everywhere
import numpy as np
import pytest

COUNT = 4096
KINDS = {"ui32": np.uint32, "i32": np.int32, "ui64": np.uint64, "i64": np.int64}
FORMS = {
    "or": "%a = and %x, %m ; %b = and %y, %n ; %o = or %a, %b",
    "xor": "%a = and %y, %m ; %b = and %x, %n ; %o = xor %a, %b",
    "add": "%a = and %x, %m ; %b = and %y, %n ; %o = add %a, %b",
    "difference": "%a = xor %x, %y ; %b = and %a, %m ; %o = xor %b, %y",
    "shifts": "%a = shift_right_logical %x, %s ; %c = shift_left %a, %s ; %b = and %y, %l ; %o = or %c, %b",
}


MASKS = {
    "sign": lambda bits: 1 << (bits - 1),
    "size": lambda bits: (1 << (bits - 1)) - 1,
    "some": lambda bits: 0xFF00FF,
}
CHOICES = ("%x, %o", "%o, %x", "%y, %o", "%o, %y")
LIMIT = {32: (1 << 31) // 3, 64: (1 << 63) // 3}


def program(kind: str, form: str, mask: int, choice: str) -> str:
    tensor, bits = f"tensor<{COUNT}x{kind}>", int(kind[-2:])
    constants = {"s": 5, "l": 31, "e": LIMIT[bits], "m": mask, "n": (1 << bits) - 1 - mask}
    if kind[0] == "i":
        constants = {name: value - (1 << bits) * (value >> (bits - 1)) for name, value in constants.items()}
    lines = [f"%{name} = stablehlo.constant dense<{value}> : {tensor}" for name, value in constants.items()]
    lines += [f"{each.replace('= ', '= stablehlo.')} : {tensor}" for each in FORMS[form].split(" ; ")]
    lines.append(f"%p = stablehlo.compare LT, %x, %e : ({tensor}, {tensor}) -> tensor<{COUNT}xi1>")
    lines.append(f"%r = stablehlo.select %p, {choice} : tensor<{COUNT}xi1>, {tensor}")
    body = "\n  ".join(lines)
    return f"func.func @main(%x: {tensor}, %y: {tensor}) -> {tensor} {{\n  {body}\n  return %r : {tensor}\n}}"


def expected(form: str, mask: int, choice: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    bits = 8 * x.dtype.itemsize
    unsigned = np.dtype(f"uint{bits}").type
    a, b = x.view(unsigned), y.view(unsigned)
    m, n = unsigned(mask), unsigned((1 << bits) - 1 - mask)
    merged = b & m | a & n if form == "xor" else a & m | b & n
    if form == "shifts":
        merged = a >> unsigned(5) << unsigned(5) | b & unsigned(31)
    first, second = ({"%x": a, "%y": b, "%o": merged}[name] for name in choice.split(", "))
    return np.where(x < x.dtype.type(LIMIT[bits]), first, second).view(x.dtype)


# Not 64 bits on lavapipe, which compiles them with the machine's LLVM: there, this is the fault of another project.
RUNS = [(target, kind) for target in everywhere.TARGETS for kind in KINDS if target != "mesa" or kind[-2:] == "32"]

MARKS = {"c": (), "tinygrad": (), "opencl": pytest.mark.night}


@pytest.mark.parametrize(
    ("target", "kind"),
    [pytest.param(*run, marks=MARKS.get(run[0], pytest.mark.ci)) for run in RUNS],
)
def test_merges(target: str, kind: str, tmp_path: Path) -> None:
    if reason := everywhere.lacking(target):
        pytest.skip(reason)
    random = np.random.default_rng(0)
    x, y = random.integers(0, 256, (2, COUNT * int(kind[-2:]) // 8), np.uint8).view(KINDS[kind])
    masks = [mask(int(kind[-2:])) for mask in MASKS.values()]
    drawn = [(form, masks[i % 3], CHOICES[(i + j) % 4]) for i, form in enumerate(FORMS) for j in (0, 1)]
    cases = [everywhere.Case(form, program(kind, form, *how), [[x, y]]) for form, *how in drawn]
    for answer, (form, mask, choice) in zip(everywhere.run(target, cases, tmp_path), drawn, strict=True):
        assert not isinstance(answer, Exception), answer
        np.testing.assert_array_equal(answer[0][0], expected(form, mask, choice, x, y), f"{form} {mask} {choice}")
