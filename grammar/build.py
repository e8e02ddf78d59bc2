"""What building the package adds to it: the parser's tables, made from the grammar."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Tables(BuildHookInterface):
    """Writes grammar/tables.json, which git ignores, for wheels and for editable installations."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        path = Path(self.root, "hlo2tiny", "syntax", "tables.py")
        found = importlib.util.spec_from_file_location("tables", path)
        assert found is not None and found.loader is not None
        tables = importlib.util.module_from_spec(found)
        found.loader.exec_module(tables)
        target = Path(self.root, "grammar", tables.FILE)
        target.write_text(tables.as_json(tables.make_parser()), encoding="utf-8")
        build_data["force_include"][str(target)] = f"hlo2tiny/grammar/{tables.FILE}"
