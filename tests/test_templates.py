"""Names from files in other languages: what a file says is never taken for code."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.cli import main
from hlo2tiny.machine.compiler import zig_clang
from hlo2tiny.templates import Identifiers, c_comment, c_string, fill

CXX = [[str(zig_clang()[0]), "c++", "-fno-sanitize=undefined"], *([["g++"]] if shutil.which("g++") else [])]
CC = [[*command[:-2], "cc", "-fno-sanitize=undefined"] if len(command) > 1 else ["gcc"] for command in CXX]
HEADERS = (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdarg stdbool stddef"
    " stdint stdio stdlib string time wchar wctype unistd sys/types sys/stat sys/socket netinet/in netdb pthread fcntl"
    " signal termios"
).split()
INCLUDES = "".join(f"#if __has_include(<{name}.h>)\n#include <{name}.h>\n#endif\n" for name in HEADERS)
AWKWARD = (
    "inputs outputs int8_t API model_run_arrays model_run errno expect PARAMETERS SIGNATURE DATA TABLES SPANS @DATA@"
    " @PARAMETERS@ @COMPILER@ int double while class context Model std main I B0 M_PI PRIu8 st_mtime si_pid stdin NULL"
    " */ /* // ??/ ??/* \\ \" ' </script> <!-- ${x} `x` {} %s %n Größe 数 имя 0 1x _x __x x.y x[0] x"
).split() + ["a\nb", "a\r#error\n", "\u2028", "a\\\nb", "", " ", "x" * 10_000, "int " * 2500, "\x7f\x01", "x\\"]
NAMES = st.sampled_from(AWKWARD) | st.text(max_size=12) | st.text("*/?\\\"'<>!-@$`\n", max_size=8)


def quoted(name: str) -> str:
    """A string of MLIR."""
    plain = (chr(c) if 32 <= c < 127 and chr(c) not in '"\\' else f"\\{c:02X}" for c in name.encode())
    return f'"{"".join(plain)}"'


def program_text(names: list[str], module: str, function: str) -> str:
    """A program whose arguments and results have the names, with a function inside that `function` names."""
    t, count = "tensor<2xf32>", range(len(names))
    arguments = ", ".join(f"%a{i}: {t} loc({quoted(name)})" for i, name in enumerate(names))
    results = ", ".join(f"{t} {{jax.result_info = {quoted(name)}}}" for name in names)
    lines = [
        f"%v{i} = func.call @{quoted('f' + function)}(%a{i}) : ({t}) -> {t} loc({quoted(names[i])})" for i in count
    ]
    end = f"return {', '.join(f'%v{i}' for i in count)} : {', '.join(t for _ in count)}"
    return (
        f"module @{quoted('m' + module)} {{\nfunc.func public @main({arguments}) -> ({results}) {{\n"
        + "\n".join([*lines, end])
        + f"\n}}\nfunc.func private @{quoted('f' + function)}(%x: {t}) -> {t} {{\n%0 = stablehlo.add %x, %x : {t}\n"
        f"return %0 : {t}\n}}\n}}"
    )


def check(command: list[str], folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [*command, "-c", "-o", name + ".o", name], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]


class Scripts(HTMLParser):
    """The texts of a page's script elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.inside = tag == "script"
        self.texts += [""] * self.inside

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[-1] += data


@pytest.mark.ci
@settings(max_examples=1)
@given(st.lists(NAMES, min_size=12, max_size=12), NAMES, NAMES)
@example(AWKWARD, "*/ int x; /*", "@MAIN@ ??/\n")
def test_any_names_compile(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], module: str, function: str
) -> None:
    """As a folder that is valid C and C++, also beside the standard headers, and as the page of `view`."""
    folder = tmp_path_factory.mktemp("names")
    model = folder / "model.mlir"
    model.write_text(program_text(names, module, function), encoding="utf-8", newline="")
    assert main(["compile", str(model), "-o", str(folder / "c")]) == 0
    for c, cxx in zip(CC, CXX):
        strict = ["-Wall", "-Werror", "-O0"]
        check([*c, "-std=gnu11", *strict], folder / "c", "all.c", f'{INCLUDES}#include "model.h"\n')
        check([*c, "-std=c99", "-trigraphs", "-pedantic", *strict], folder / "c", "strict.c", '#include "model.h"\n')
        check([*c, "-std=gnu11", *strict], folder / "c", "code.c", '#include "model.c"\n')
        check([*cxx, "-std=c++20", *strict], folder / "c", "all.cpp", f'{INCLUDES}#include "model.hpp"\nModel *m;\n')
    program = hlo2tiny.load(model, device="CPU")
    for array in program.numpy(*[np.ones(2, np.float32)] * len(names)):
        np.testing.assert_array_equal(array, [2, 2])
    assert main(["view", str(model), "-o", str(folder / "page.html")]) == 0
    data, *scripts = Scripts((folder / "page.html").read_text(encoding="utf-8")).texts
    assert len(json.loads(data)["nodes"]) == 3 * len(names) and len(scripts) == 2
    assert scripts[1].strip() == (Path(hlo2tiny.__file__).parent / "commands/page/page.js").read_text("utf-8").strip()


def test_an_argument_and_a_result_of_one_name(tmp_path: Path) -> None:
    """The search for another name went on for ever where both were a word of C's."""
    identifiers = Identifiers(["outputs"])
    assert [identifiers.add(name, "input", 0) for name in ("int", "int", "x", "x", "outputs", "")] == [
        "int_0",
        "int_0_0",
        "x",
        "x_0",
        "outputs_0",
        "input0",
    ]


@pytest.mark.parametrize("command", [*CC, *CXX], ids=lambda command: Path(command[0]).name + command[-1])
def test_no_identifier_is_a_macro(command: list[str], tmp_path: Path) -> None:
    language = "c" if command in CC else "c++"
    (tmp_path / "all.h").write_text(INCLUDES, encoding="utf-8")
    done = subprocess.run(
        [*command, "-D_GNU_SOURCE", "-dM", "-E", "-x", language, "all.h"], cwd=tmp_path, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    macros = set(re.findall(r"(?m)^#define (\w+) ", done.stdout))  # a macro with parameters is one only before a "("
    assert len(macros) > 500
    identifiers = Identifiers([])
    assert not macros & {identifiers.add(macro, "input", i) for i, macro in enumerate(sorted(macros))}


@given(st.text())
def test_comments_and_strings(text: str) -> None:
    assert not re.search(r"[/\\\n?]|[^ -~]", c_comment(text))
    assert re.fullmatch(r'"([ !#->@-\[\]-~]|\\[0-7]{3})*"', c_string(text.encode("utf-8", "surrogatepass")))


def test_a_template_is_filled_in_once() -> None:
    assert fill("@A@ and @B@, a@b", {"A": "@B@", "B": "\\1"}) == "@B@ and \\1, a@b"
    with pytest.raises(KeyError):
        fill("@C@", {})
