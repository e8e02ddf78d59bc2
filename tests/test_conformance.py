"""The programs of StableHLO's own test data, with the results that its authors recorded."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from rules.numbers import equal

import hlo2tiny

FOLDER = Path(__file__).parents[2] / "shared" / "conformance"

# Cases whose module holds something that has no rule yet: prefixes of their names, and what is missing.
NOT_YET = {
    "acosh_complex64": "chlo.acosh",
    "asin_": "chlo.asin",
    "asinh_": "chlo.asinh",
    "atan_": "chlo.atan",
    "atanh_": "chlo.atanh",
    "bessel_i1e_": "chlo.bessel_i1e",
    "cosh_": "chlo.cosh",
    "digamma_": "chlo.digamma",
    "expm1_complex128": "exponential_minus_one of complex numbers",
    "fft_": "stablehlo.fft",
    "igamma_": "chlo.lgamma",
    "log1p_complex64": "log_plus_one of complex numbers",
    "nextafter_": "chlo.next_after",
    "quantized/": "quantized element types",
    "reduce_max_complex64": "reduce of complex numbers by a maximum",
    "rng_bit_generator_": "stablehlo.rng_bit_generator",
    "sinh_complex64": "chlo.sinh",
    "tan_complex64": "chlo.tan",
}

names = sorted(p.relative_to(FOLDER).with_suffix("").as_posix() for p in FOLDER.rglob("*.mlir"))
if not names:
    pytest.skip(f"there is no {FOLDER}", allow_module_level=True)


def missing(name: str) -> str:
    return next((what for prefix, what in NOT_YET.items() if name.startswith(prefix)), "")


@pytest.mark.parametrize("name", [n for n in names if not missing(n)])
def test_program_gives_the_recorded_results(name: str) -> None:
    with np.load(FOLDER / f"{name}.npz") as data:
        program = hlo2tiny.load(FOLDER / f"{name}.mlir", device="CPU")
        results, expected = program.numpy(*arrays(data, "in")), arrays(data, "out")
        assert [(r.shape, r.dtype) for r in results] == [(e.shape, e.dtype) for e in expected]
        for number, (result, wanted) in enumerate(zip(results, expected)):
            for index in np.argwhere(~near(result, wanted, str(data["compare"]))):
                at = tuple(index.tolist())
                raise AssertionError(f"result {number} at {list(at)} is {result[at]!r}, expected {wanted[at]!r}")


@pytest.mark.parametrize("name", [n for n in names if missing(n)])
def test_program_without_rule_yet_is_refused(name: str) -> None:
    """When this fails, the case runs: take it from NOT_YET."""
    with pytest.raises(hlo2tiny.UnsupportedOp):
        hlo2tiny.load(FOLDER / f"{name}.mlir", device="CPU").compile()
    pytest.xfail(missing(name))


def test_list_of_missing_rules_names_only_existing_cases() -> None:
    assert not [prefix for prefix in NOT_YET if not any(n.startswith(prefix) for n in names)]


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
