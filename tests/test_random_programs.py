"""Random programs against XLA, and the programs that once went wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles import run
from random_programs import REGRESSIONS, Range, compared, difference, random_case, text_of

from corpus import stored


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(15))
def test_random_program_gives_the_results_of_xla(seed: int) -> None:
    case = random_case(seed)
    assert not difference(case), f"python tests/random_programs.py --first {seed} --seeds 1\n{text_of(case)}"


@pytest.mark.parametrize("path", sorted(REGRESSIONS.glob("*.mlir")), ids=lambda path: path.stem)
def test_program_that_went_wrong(path: Path) -> None:
    with np.load(path.with_suffix(".npz")) as data:
        inputs, expected = (
            [stored(data, f"{prefix}{i}") for i in range(sum(name.startswith(prefix) for name in data.files))]
            for prefix in ("in", "out")
        )
        ranges = [Range(np.inf, error / 2) for error in data["tolerance"]]
    # In another process: a program that once ended its process may do so again.
    message = compared(run("hlo2tiny", path.read_text(encoding="utf-8"), inputs), expected, ranges)
    assert not message, message
