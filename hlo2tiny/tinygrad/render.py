"""Renderers of tinygrad that print arithmetic as it is meant, and what a target's own renderer is made of."""

from __future__ import annotations

import platform

from tinygrad import dtypes
from tinygrad.dtype import AddrSpace, DType
from tinygrad.helpers import DEV, Target
from tinygrad.renderer import Renderer
from tinygrad.renderer.cstyle import ClangRenderer, CStyleLanguage
from tinygrad.uop.ops import GroupOp, Ops, PatternMatcher, UOp, UPat

__all__ = [
    "ARITHMETIC",
    "AddrSpace",
    "CStyleLanguage",
    "ClangRenderer",
    "DType",
    "Ops",
    "PatternMatcher",
    "UOp",
    "UPat",
    "dtypes",
    "exact_renderer",
    "this_processor",
]


def this_processor() -> Target:
    """What a renderer for the CPU needs to know: as for tinygrad's device, which is not opened for this."""
    machine = platform.machine().lower()
    architecture = {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)
    return DEV.target("CPU", renderer="CLANG", arch=f"{architecture},native")


def arithmetic(context: CStyleLanguage, x: UOp) -> str:
    """An operation with all its parentheses: tinygrad prints a + (b + c) without them, which is another sum."""
    return str(context.code_for_op[x.op](*(context[s] for s in x.src), x.dtype))


ARITHMETIC = PatternMatcher([(UPat(GroupOp.ALU, name="x"), lambda ctx, x: arithmetic(ctx, x))])


_exact: dict[type[CStyleLanguage], type[CStyleLanguage]] = {}


def exact_renderer(renderer: Renderer) -> Renderer:
    """A renderer that prints sums in the order in which they are computed, and all else as the given one does."""
    if not isinstance(renderer, CStyleLanguage):
        return renderer
    language = type(renderer)
    if language not in _exact:
        patterns = {"string_rewrite": ARITHMETIC + language.string_rewrite}
        _exact[language] = type(f"Exact{language.__name__}", (language,), patterns)
    exact = object.__new__(_exact[language])
    vars(exact).update(vars(renderer))
    return exact
