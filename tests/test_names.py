"""Names of a file may be any text: what is written for other languages compiles, and says the same."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from targets.web import browsers

import hlo2tiny
from hlo2tiny.cli import main
from hlo2tiny.compiler import zig_clang
from hlo2tiny.ir.strings import quote

ZIG = zig_clang()[0]
# Keywords, what standard headers and our templates define, placeholders of templates, and ends of comments and strings.
WORDS = """int double while inputs outputs int8_t API model_run_arrays model_run errno expect PARAMETERS SIGNATURE DATA
TABLES SPANS INPUTS COMPILER OWN_OBJECTS @DATA@ @STYLE@ EOF NULL INT8_MAX stdin I complex bool linux unix assert class
template co_await context Model info main __proto__ constructor toString toJSON then prototype default import await
</script> <!-- --> */ /* // ??/ " \\ ' ` ${x} %s {0} { } \0 \n \r \u2028 \ufeff #include #embed
_Pragma("x") é 变量 \U0001f600
""".split(" ")
WORDS = [word for line in WORDS for word in line.split("\n") if word] + [
    "\n",
    "",
    "a" * 10_000,
    "*/ int x; /*",
    "??/\n",
]
names = st.one_of(
    st.sampled_from(WORDS), st.text(max_size=20), st.lists(st.sampled_from(WORDS), max_size=3).map("".join)
)


def text_of(module: str, function: str, given: list[str], returned: list[str]) -> str:
    t = "tensor<2xf32>"
    arguments = ", ".join(f"%{i}: {t} loc({quote(name)})" for i, name in enumerate(given))
    results = ", ".join(f"{t} {{jax.result_info = {quote(name)}}}" for name in returned)
    value, types = "%s", ", ".join([t] * len(returned))
    return f"""module @{quote(module)} {{
  func.func @main({arguments}) -> ({results}) {{
    {value} = call @{quote(function)}(%0) : ({t}) -> {t}
    return {", ".join([value] * len(returned))} : {types}
  }}
  func.func private @{quote(function)}(%x: {t}) -> {t} {{
    %y = stablehlo.add %x, %x : {t} loc({quote(function)})
    return %y : {t}
  }}
}}"""


@pytest.mark.slow
@example("m", "f", ["int", "int", "while"], ["int", "double"])
@example("PARAMETERS", "DATA", ["inputs", "outputs", "API", "errno"], ["model_run", "SPANS"])
@example("*/", "??/", ["*/ int x; /*", "??/\n", "a" * 10_000], ["", "\n", "__proto__"])
@given(names, names.filter(bool), st.lists(names, min_size=1, max_size=8), st.lists(names, min_size=1, max_size=5))
def test_any_names(
    tmp_path_factory: pytest.TempPathFactory, module: str, function: str, given: list[str], returned: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("names")
    path = folder / "program.mlir"
    path.write_text(text_of(module, function, given, returned), encoding="utf-8")
    program = hlo2tiny.load(path, device="CPU")
    assert str(hlo2tiny.parse(str(hlo2tiny.parse(path)))) == str(hlo2tiny.parse(path))
    assert len(program.inputs) == len(given)
    check_c(path, folder / "c")
    if browsers.HAS_BROWSER:
        check_web(path, folder / "web", len(returned))
    assert main(["view", str(path), "-o", str(folder / "page.html")]) == 0
    check_page(folder / "page.html")


def check_c(path: Path, folder: Path) -> None:
    assert main(["compile", str(path), "-o", str(folder)]) == 0
    (folder / "use.cpp").write_text('#include "model.hpp"\nint use(Model &m) { return sizeof m; }\n')
    (folder / "use.c").write_text('#include "model.h"\n')
    compile("cc", "-std=gnu11", folder / "model.c")
    compile("cc", "-std=c99", "-trigraphs", "-Wno-trigraphs", folder / "use.c")
    compile("c++", "-std=c++20", folder / "use.cpp")


def compile(language: str, *arguments: str | Path) -> None:
    command = [ZIG, language, "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-c", "-o", os.devnull, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def check_web(path: Path, folder: Path, results: int) -> None:
    assert main(["compile", str(path), "-o", str(folder), "--target", "web"]) == 0
    described = json.loads((folder / "program.json").read_text(encoding="utf-8"))
    inputs = []
    for i, _ in enumerate(described["inputs"]):
        (folder / f"in{i}").write_bytes(bytes(8))
        inputs.append(str(folder / f"in{i}"))
    job = {"folder": str(folder), "where": "node", "options": {"device": "wasm"}, "inputs": inputs, "calls": 1}
    (answer,) = browsers.answers([job | {"results": [str(folder / f"out{i}") for i in range(results)]}], folder)
    assert "error" not in answer, answer["error"]
    assert all((folder / f"out{i}").stat().st_size == 8 for i in range(results))


def check_page(page: Path) -> None:
    """The page has one script with data in it, which ends where it should, and the data are JSON."""
    text = page.read_text(encoding="utf-8")
    data = text.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    assert json.loads(data)["nodes"]
    assert text.count("<script") == text.count("</script>")
