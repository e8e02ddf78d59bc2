"""The parts of our own code, such as c/elementary.c, that a text in C needs."""

from __future__ import annotations

import itertools
import re
from functools import cache
from pathlib import Path

# What a part of elementary.c defines; parts without any of these are needed by others.
_DEFINED = re.compile(r"^(?:FUNCTION\w*|static const \w+) (\w+)|^#define \w+ (\w+)$", re.MULTILINE)
_WORD = re.compile(r"\w+")
# What code for GPUs defines.
_DEFINED_THERE = (
    r"(?m)__device__ __forceinline__ [\w ]*?[ *](\w+)\(|^typedef .* (\w+);|^constexpr \w+ (\w+) =|#define (\w+)"
    r"|struct (\w+)|^WRAPPING\((\w+)"
)


@cache
def defined_in(code: str) -> set[str]:
    """The names that a part of our code for GPUs defines."""
    return {*itertools.chain(*re.findall(_DEFINED_THERE, code))} - {""}


def words_of(text: str) -> set[str]:
    """The names and numbers in a text in C."""
    return {*_WORD.findall(text)}


@cache
def _elementary() -> list[tuple[str, set[str], set[str]]]:
    """The parts of elementary.c, what each defines, and the words in it; those between #if and #endif are one."""
    parts = [""]
    for paragraph in (Path(__file__).parent / "c/elementary.c").read_text(encoding="utf-8").split("\n\n"):
        is_open = any(parts[-1].count(begin) > parts[-1].count(end) for begin, end in (("#if", "#endif"), ("/*", "*/")))
        parts = [*parts[:-1], f"{parts[-1]}\n\n{paragraph}"] if is_open else [*parts, paragraph]
    return [(part, {*itertools.chain(*_DEFINED.findall(part))} - {""}, words_of(part)) for part in parts]


def elementary_text(text: str) -> str:
    """What a text in C needs of elementary.c, which takes a compiler as long as a small kernel."""
    needed, before = words_of(text), 0
    while len(needed) > before:
        before = len(needed)
        found = [(part, words) for part, defined, words in _elementary() if not defined or needed & defined]
        needed.update(*(words for _, words in found))
    return "\n".join(part for part, _ in found) + "\n"
