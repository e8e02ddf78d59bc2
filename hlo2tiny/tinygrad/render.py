"""Renderers of tinygrad that print arithmetic as it is meant."""

from __future__ import annotations

from tinygrad.renderer import Renderer
from tinygrad.renderer.cstyle import CStyleLanguage
from tinygrad.uop.ops import GroupOp, PatternMatcher, UOp, UPat


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
