"""The programs of StableHLO's own test data, with the results that its authors recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from rules.numbers import equal

import hlo2tiny

FOLDER = Path(__file__).parents[2] / "shared" / "conformance"

names = sorted(p.relative_to(FOLDER).with_suffix("").as_posix() for p in FOLDER.rglob("*.mlir"))
if not names:
    pytest.skip(f"there is no {FOLDER}", allow_module_level=True)


@pytest.mark.sampled(16, ci=4)
@pytest.mark.parametrize("name", names)
def test_program_gives_the_recorded_results(name: str) -> None:
    program = hlo2tiny.load(FOLDER / f"{name}.mlir", device="CPU")
    expect_recorded(name, program.numpy(*stored(name)[0]))


def stored(name: str) -> tuple[list[np.ndarray], list[np.ndarray], str]:
    """The arguments and results of a program, and how results are compared."""
    with np.load(FOLDER / f"{name}.npz") as data:
        return arrays(data, "in"), arrays(data, "out"), str(data["compare"])


# A product whose sums cancel: what is recorded is as far from the exact result as a GPU's, on the other side of it.
CANCELS = "dot_general_float16_4_3_complex64_3_6"


def expect_recorded(name: str, results: Sequence[np.ndarray]) -> None:
    given, expected, compare = stored(name)
    assert [(r.shape, r.dtype) for r in results] == [(e.shape, e.dtype) for e in expected]
    for number, (result, wanted) in enumerate(zip(results, expected)):
        right = near(result, wanted, compare)
        if name == CANCELS:
            a, b = (np.abs(x.astype(np.complex128)) for x in given)
            right |= np.abs(result - wanted) <= 3 * np.spacing((a @ b).astype(np.float32))
        for index in np.argwhere(~right):
            at = tuple(index.tolist())
            raise AssertionError(f"result {number} at {list(at)} is {result[at]!r}, expected {wanted[at]!r}")


def arrays(data: np.lib.npyio.NpzFile, prefix: str) -> list[np.ndarray]:
    """The arrays in0, in1, …; a name like in0.bfloat16 says that the array holds that type's bits."""
    found = {}
    for key in data.files:
        name, _, dtype = key.partition(".")
        if name.startswith(prefix):
            found[int(name.removeprefix(prefix))] = data[key].view(getattr(ml_dtypes, dtype)) if dtype else data[key]
    return [found[i] for i in sorted(found)]


def near(result: np.ndarray, expected: np.ndarray, compare: str) -> np.ndarray:
    """StableHLO's three checks: `eq`; `close`, 3 units of the last place; `almost_eq`, an absolute 0.0001."""
    exact = equal(result, expected, {"eq": 0, "close": 3, "almost_eq": 3}[compare])
    if compare != "almost_eq":
        return exact
    wide = [x.astype(complex if x.dtype.kind == "c" else float) for x in (result, expected)]
    with np.errstate(all="ignore"):
        return exact | (np.abs(wide[0] - wide[1]) <= 1e-4)
