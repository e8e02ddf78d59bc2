"""Lark's parser, whose tables are kept between processes: making them takes longer than reading most files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from .. import cache


def grammar_folder() -> Path:
    """Where the .lark files are: inside the package in a wheel, beside it in a checkout."""
    here = Path(__file__).resolve().parent.parent
    return here / "grammar" if (here / "grammar").is_dir() else here.parent / "grammar"


def lark_parser(starts: Sequence[str], actions: object) -> Lark:
    """The LALR parser of the grammar's start rules, with its actions."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(grammar_folder().glob("*.lark"))]
    name = cache.key("tables", lark.__version__, *starts, *texts)
    stored = cache.read(name)
    if stored is not None:
        data, memo = numbered(json.loads(stored))
        parser: Lark = Lark._load_from_dict(data, memo, transformer=actions)  # type: ignore[no-untyped-call]
        return parser
    parser = Lark(
        (grammar_folder() / "stablehlo.lark").read_text(encoding="utf-8"),
        parser="lalr",
        start=list(starts),
        transformer=actions,
        import_paths=[str(grammar_folder())],
    )
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"].pop("transformer")
    cache.write(name, json.dumps([data, memo]).encode())
    return parser


def numbered(value: Any) -> Any:
    """JSON with the integers that were keys as integers again; no name in a grammar is one."""
    if isinstance(value, dict):
        return {int(k) if k.isdigit() else k: numbered(v) for k, v in value.items()}
    return [numbered(v) for v in value] if isinstance(value, list) else value
