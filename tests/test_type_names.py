"""What holds for the package's source: a name of a type means one thing, and every Python can compile it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import hlo2tiny

PACKAGE = Path(hlo2tiny.__file__).parent


def types_in(source: str) -> Iterator[tuple[str, str]]:
    """The names of the classes and of the aliases of types in a file, each with what it stands for."""
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.ClassDef):
            yield node.name, f"class {number}"
    for statement in tree.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
                if ast.unparse(annotation).endswith("TypeAlias"):
                    yield name, ast.unparse(value)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() | ast.BinOp() as value):
                if name[0].isupper() and not name.isupper():
                    yield name, ast.unparse(value)


def meanings() -> dict[str, set[str]]:
    """What each name stands for: each class is a meaning of its own, aliases of the same type are one."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for name, meaning in types_in(path.read_text(encoding="utf-8")):
            place = path.relative_to(PACKAGE).as_posix()
            found[name].add(f"{place}: {meaning}" if meaning.startswith("class ") else meaning)
    return found


def test_the_lint_finds_classes_and_aliases() -> None:
    source = "class A:\n    class B: ...\nC: TypeAlias = int | A\nDs = list[A]\nTABLE = {}\nMOST = a[0]\ne = a | b\n"
    assert [name for name, _ in types_in(source)] == ["A", "B", "C", "Ds"]


def test_a_name_of_a_type_means_one_thing() -> None:
    assert not {name: several for name, several in meanings().items() if len(several) > 1}


# Python 3.12.1 stops while it compiles more blocks inside each other, of which each context of a `with` is one.
MOST_BLOCKS = 19


def test_every_python_can_compile_the_contexts() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.With | ast.AsyncWith):
                assert len(node.items) < MOST_BLOCKS, f"{path}:{node.lineno}"
