"""What compilers make of the loops that multiply: their sums are registers, which no product stores.

A compiler that cannot tell that an array's elements are registers still loads each once, but stores it after every
product. A processor that stores one vector in a cycle then takes three times as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest

from hlo2tiny.machine.compiler import FLAGS, clang
from hlo2tiny.targets.c import linking, shipped
from hlo2tiny.targets.c.templates import units_of

MULTIPLIES = re.compile(r"\s+(vfn?madd\w+|vdpbf16ps|vpdpbusds?|vpdpwssds?|vpmaddwd)\s")
STORES = re.compile(r"\s+v?mov\w+\s+%[xyz]mm\d+, -?\d*\(%r[sb]p\)")
JUMPS = re.compile(r"\s+j\w+\s+(\.LBB\w+)")
# A loop that multiplies at most this many times keeps what it needs in registers anyway.
FEW = 4


def innermost_loops(assembly: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The instructions of the loops that have no loops inside, each with the name of its function."""
    function, labels, lines, last = "", dict[str, int](), list[str](), 0
    for line in assembly.splitlines():
        if found := re.match(r"(\w+):", line):
            function, labels, lines, last = found[1], {}, [], 0
        elif found := re.match(r"(\.LBB\w+):", line):
            labels[found[1]] = len(lines)
        elif (found := JUMPS.match(line)) and (begin := labels.get(found[1], -1)) >= last:
            yield function, lines[begin:]
            last = begin  # what begins before it has a loop inside
        else:
            lines.append(line)


@pytest.mark.parametrize("name", ["sproduct", "dproduct", "pproduct", "oproduct", "sconvolve", "dconvolve"])
@pytest.mark.parametrize("level", ["avx2", "avx512", "avx512_bf16"])
@pytest.mark.sampled(4, ci=2, first=1)
def test_sums_of_products_are_registers(name: str, level: str) -> None:
    options, multiplied = shipped.LEVELS[level].options, 0
    for text in units_of(name):
        command = [*clang(), "-x", "c", "-S", *linking.OPTIMISE, *linking.LIBRARY, *FLAGS, *options, "-", "-o", "-"]
        for function, body in innermost_loops(linking.run(command, text)):
            products, stores = (sum(bool(kind.match(line)) for line in body) for kind in (MULTIPLIES, STORES))
            multiplied += products
            assert products <= FEW or stores < FEW, (function, products, stores)
    assert multiplied >= 12
