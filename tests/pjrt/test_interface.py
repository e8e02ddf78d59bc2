"""The plugin's declarations of PJRT's C interface, next to OpenXLA's header of the same version."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from hlo2tiny.machine.compiler import clang
from hlo2tiny.pjrt.library import INTERFACE
from hlo2tiny.targets.c.linking import run

HEADER = Path(__file__).parents[3] / "shared" / "pjrt" / "pjrt_c_api.h"
EXTENSIONS = [HEADER.with_name(f"pjrt_c_api_{name}_extension.h") for name in ("ffi", "layouts", "memory_descriptions")]
# What the header includes of a C library.
TYPES = (
    "#define bool _Bool\n#define static_assert(...)\n#define offsetof(type, member) __builtin_offsetof(type, member)\n"
    + "".join(
        f"typedef __{name.upper()}_TYPE__ {name}{suffix};\n"
        for name, suffix in (
            ("size", "_t"),
            *((f"{sign}{n}", "_t") for sign in ("int", "uint") for n in ("8", "16", "32")),
        )
    )
)
TYPES += "".join(f"typedef __{n.upper()}_TYPE__ {n}_t;\n" for n in ("int64", "uint64", "intptr", "uintptr"))

pytestmark = pytest.mark.skipif(not HEADER.exists(), reason="shared/pjrt is not here")


@cache
def header() -> str:
    texts = [path.read_text("utf-8") for path in (HEADER, *EXTENSIONS)]
    return TYPES + re.sub(r"#include .*", "", "".join(texts))


@cache
def layouts(text: str) -> dict[str, list[tuple[int, int]]]:
    """For each struct its members: how deep each is nested, and where it begins; at last the size."""
    names = sorted(set(re.findall(r"struct (\w+) {", text)) | set(re.findall(r"struct (\w+_Args)", text)))
    names += [f"{name}_Args" for name in re.findall(r"(?m)^TAKES\((\w+)", text)]
    uses = "".join(f"int size_of_{name} = sizeof(struct {name});\n" for name in names if name != "name")
    command = [*clang(), "-x", "c", "-fsyntax-only", "-w", "-Xclang", "-fdump-record-layouts", "-"]
    found: dict[str, list[tuple[int, int]]] = {}
    for record in run(command, text + uses).split("*** Dumping AST Record Layout")[1:]:
        rows = re.findall(r"(?m)^ *(\d+) \|( +)(\S.*)$", record)
        size = re.search(r"sizeof=(\d+)", record)
        assert size is not None
        name = rows[0][2].removeprefix("struct ")
        found[name] = [*((len(indent), int(at)) for at, indent, _ in rows[1:]), (0, int(size[1]))]
    return found


def own() -> dict[str, list[tuple[int, int]]]:
    return layouts(INTERFACE)


SHARED = sorted(re.findall(r"(?m)^TAKES\((\w+)", INTERFACE))
NAMED = sorted(set(re.findall(r"(?m)^struct ([A-Z]\w+) {", INTERFACE)))


@pytest.mark.parametrize("name", [*(f"{name}_Args" for name in SHARED), *NAMED])
def test_a_struct_has_its_members_where_the_header_has_them(name: str) -> None:
    ours, theirs = own()[name], layouts(header())[f"PJRT_{name}"]
    if name == "ExecuteOptions":  # of which we know the first fields
        ours, theirs = ours[:-1], theirs[: len(ours) - 1]
    assert ours == theirs


def test_extensions_have_the_numbers_of_the_header() -> None:
    listed = re.findall(r"(?m)^  PJRT_Extension_Type_(\w+)(?: = 0)?,", header())
    numbers = {
        name.upper(): number for number, name in enumerate(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", n) for n in listed)
    }
    own_numbers = re.search(r"enum \{ (LAYOUTS = .*) \};", INTERFACE)
    assert own_numbers is not None
    assert {name: str(numbers[name]) for name in ("LAYOUTS", "FFI", "MEMORY_DESCRIPTIONS")} == dict(
        entry.split(" = ") for entry in own_numbers[1].split(", ")
    )


def test_functions_and_the_version_are_those_of_the_header() -> None:
    listed = re.findall(r"_PJRT_API_STRUCT_FIELD\(\s*PJRT_(\w+)\)", header())
    assert (
        re.findall(r"X\((\w+)\)", INTERFACE.partition("#define FUNCTIONS(X)")[2].partition("#define MEMBER")[0])
        == listed
    )
    assert re.findall(r"MINOR = (\d+)", INTERFACE) == re.findall(r"#define PJRT_API_MINOR (\d+)", header())


def test_element_types_codes_and_semantics_have_the_numbers_of_the_header() -> None:
    elements = re.findall(r"X\((\w+), \d+\)", INTERFACE)
    assert elements == re.findall(r"(?m)^  PJRT_Buffer_Type_(\w+),", header())
    codes = re.findall(r"PJRT_Error_Code_(\w+) = (\d+)", header())
    own_codes = re.findall(r"(\w+) = (\d+)", INTERFACE.partition("enum code {")[2].partition("}")[0])
    assert own_codes and set(own_codes) <= set(codes)
    assert len(re.findall(r"(?m)^  PJRT_HostBufferSemantics_k\w+,", header())) == 4
