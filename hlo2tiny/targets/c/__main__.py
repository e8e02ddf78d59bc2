"""`python -m hlo2tiny.targets.c` compiles what a wheel ships, unless it is there; see shipped.py."""

from __future__ import annotations

from . import shipped
from .doubles import FORMULAS, print_function
from .linking import LIBRARY, Build, compile_text
from .templates import SELECTION, selection_unit, tile_size, units_of


def compile_all() -> None:
    """Compile everything for all levels, replacing what there was."""
    shipped.FOLDER.mkdir(exist_ok=True)
    for old in shipped.FOLDER.iterdir():
        old.unlink()
    for key, level in shipped.LEVELS.items():
        for name in level.names:
            kind = name.removeprefix("tile ")
            if kind != name:
                shipped.place(name, key).write_text(tile_size(kind, level.options), encoding="utf-8")
                continue
            if name in SELECTION:
                compile_text(selection_unit(name), shipped.place(name, key), LIBRARY, level.options)
                continue
            with Build(level.options) as build:
                for text in units_of(name):
                    build.add(text, *LIBRARY)
                shipped.place(name, key).write_bytes(build.link())


def print_functions() -> None:
    for name in FORMULAS:
        shipped.place(name, "common").write_text(print_function(name), encoding="utf-8")


if __name__ == "__main__":
    places = {shipped.place(name, key) for key, level in shipped.LEVELS.items() for name in level.names}
    places |= {shipped.place(name, "common") for name in FORMULAS}
    if not all(place.exists() for place in places):
        compile_all()
        print_functions()
