"""Indices before a reshape, which are found by groups of dimensions."""

from __future__ import annotations

import numpy as np
import pytest
from tinygrad.uop.ops import UOp

from hlo2tiny.tinygrad.schedule import groups_of_dimensions, reshape_in_groups
from hlo2tiny.tinygrad.settings import lowering_settings

SHAPES = [
    ((2, 3, 4), (6, 4)),
    ((6, 4), (2, 3, 4)),
    ((24,), (2, 3, 4)),
    ((1, 6, 1), (2, 1, 3)),
    ((4, 6), (6, 4)),
    ((2, 2, 9), (4, 3, 3, 1)),
    ((3, 1, 5), (3, 5)),
    ((1,), (1, 1)),
    ((), (1, 1)),
]


@pytest.mark.parametrize("shape, reshaped", SHAPES)
def test_indices_are_those_of_the_same_place(shape: tuple[int, ...], reshaped: tuple[int, ...]) -> None:
    loops = [UOp.range(n, i) for i, n in enumerate(reshaped)]
    with lowering_settings("CPU"):
        found = reshape_in_groups(shape, reshaped, UOp.sink(*loops))
        for place, index in enumerate(np.ndindex(*reshaped)):
            known = found.substitute({loop: loop.const_like(i) for loop, i in zip(loops, index)}).simplify()
            assert (
                [u.vmin for u in known.src]
                == [u.vmax for u in known.src]
                == [*np.unravel_index(place, shape or 1)][: len(shape)]
            )


def test_dimensions_that_stay_are_a_group_of_their_own() -> None:
    assert groups_of_dimensions((2, 6, 5), (2, 3, 2, 5)) == [
        (slice(0, 1), slice(0, 1)),
        (slice(1, 2), slice(1, 3)),
        (slice(2, 3), slice(3, 4)),
    ]
    assert groups_of_dimensions((0, 3), (3, 0)) == []
