"""How a notebook shows a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from ..errors import printable_name

if TYPE_CHECKING:
    from .arguments import Argument

# How many rows of a kind are shown; a large model has thousands of weights.
MOST_ROWS = 100


def signature_table(
    inputs: Sequence[Argument], outputs: Sequence[Argument], bound: Sequence[Argument], device: str
) -> str:
    """An HTML table of a program's arguments, its results and the arguments that have values."""
    rows = [*rows_of("input", inputs), *rows_of("result", outputs), *rows_of("bound", bound)]
    head = "".join(f"<th>{title}</th>" for title in ("", "name", "dtype", "shape"))
    return f"<table><caption>Program on {escape(device)}</caption><tr>{head}</tr>{''.join(rows)}</table>"


def rows_of(kind: str, arguments: Sequence[Argument]) -> Iterator[str]:
    for argument in arguments[:MOST_ROWS]:
        dtype, _, sizes = argument.layout.partition("[")
        cells = kind, argument.name or "(unnamed)", dtype, f"({sizes.removesuffix(']')})"
        yield f"<tr>{''.join(f'<td>{escape(printable_name(cell))}</td>' for cell in cells)}</tr>"
    if len(arguments) > MOST_ROWS:
        yield f"<tr><td>{kind}</td><td>… {len(arguments) - MOST_ROWS} more</td><td></td><td></td></tr>"
