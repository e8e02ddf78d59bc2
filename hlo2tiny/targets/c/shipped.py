"""The code that all programs share, compiled for the usual processors when a wheel is built: first calls need not.

`python -m hlo2tiny.targets.c`, which the build runs, compiles it into the folder `compiled`. Where it is missing, as in
a checkout, and on other machines, the first program that needs such code compiles it, and the store keeps it. So it is
with the functions of float64, which are printed in C.
"""

from __future__ import annotations

import platform
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ...machine import cache

FOLDER = Path(__file__).with_name("compiled")


class Level(NamedTuple):
    """The levels of features that processors have in common."""

    features: frozenset[str]  # as Linux names them
    options: tuple[str, ...]  # of the compiler, for code that needs them
    names: tuple[str, ...]  # of the code that differs from that of lower levels


def above(lower: Level, features: str, options: str, names: tuple[str, ...]) -> Level:
    return Level(lower.features | set(features.split()), (*lower.options, *options.split()), names)


_COMMON = Level(frozenset(), ("--target=x86_64-linux-gnu", "-mprefer-vector-width=512"), ())
_NARROW = ("pproduct", "oproduct", "uproduct")  # products of bf16 matrices and of bytes
_ALL: tuple[str, ...] = (
    "tile product",
    "tile convolve",
    "threads",
    "grid",
    "handlers",
    "sproduct",
    "dproduct",
    "hproduct",
    "fproduct",
    "qproduct",
    "iproduct",
    "bproduct",
    *_NARROW,
)
_ALL += ("sconvolve", "dconvolve", "stransform", "dtransform", "sattention", "sgradients")
_ALL += ("largest_float", "largest_int", "largest_unsigned")  # object files, to be linked into programs
_AVX2 = above(_COMMON, "avx2 fma f16c bmi1 bmi2 abm movbe", "-march=x86-64-v3", _ALL)
_AVX512 = above(_AVX2, "avx512f avx512bw avx512cd avx512dq avx512vl", "-march=x86-64-v4", _ALL)
_PAIRS = above(_AVX512, "avx512_vnni avx512_bf16", "-mavx512vnni -mavx512bf16", (*_NARROW, "sattention", "sgradients"))
_TILES = above(_PAIRS, "amx_tile amx_int8 amx_bf16", "-mamx-tile -mamx-int8 -mamx-bf16", _NARROW)
# There is one for each set of features that the C files ask for, and one for what is kept as C.
LEVELS = {"amx": _TILES, "avx512_bf16": _PAIRS, "avx512": _AVX512, "avx2": _AVX2, "common": _COMMON}


def find(name: str) -> bytes | None:
    """The code of this name for this processor; None if the package does not have it."""
    if sys.platform == "linux" and platform.machine() == "x86_64":
        features = set(cache.machine_identity().split())
        for key, level in LEVELS.items():
            if level.features <= features:
                with suppress(OSError):
                    return place(name, key).read_bytes()
    return None


def place(name: str, level: str) -> Path:
    """The file of some code. Its name identifies the source, so that code from another source is never found."""
    return FOLDER / f"{name}.{level}.{cache.source_identity()[:16]}"
