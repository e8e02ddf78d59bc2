"""Every code block of docs/ runs: page by page, in the order of the page, in a folder of its own.

Python blocks of a page share their names; `sh` blocks run in bash. A `text title="Output"` block right after one is
what it prints, with … for what differs from run to run. A block with another title is a file of that name, or needs a
package: `title="needs torchax"`. A `console` block is for commands that change the environment: it only installs.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib.util
import io
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from hlo2tiny import targets

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
# Written by commands, which have tests of their own.
GENERATED = {"conformance.md", "ops.md", "performance.md"}
PAGES = sorted(
    path.relative_to(DOCS).as_posix()
    for path in DOCS.rglob("*.md")
    if path.name not in GENERATED and "site" not in path.relative_to(DOCS).parts
)
FENCE = re.compile(r"^( *)```([\w-]+)([^\n`]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
# Languages of blocks that show something and run nothing.
SHOWN = {"mermaid", "text", "mlir", "toml", "yaml", "c", "cpp", "rust", "swift", "go", "diff"}


@dataclass
class Block:
    """A code block: its language and title, its first line in the page, what it prints (None if that is not said)."""

    language: str
    title: str
    text: str
    line: int
    output: str | None = None


def blocks(page: str) -> list[Block]:
    text = (DOCS / page).read_text(encoding="utf-8")
    found: list[Block] = []
    end = 0
    for match in FENCE.finditer(text):
        indent, language, attributes, body = match.groups()
        body = re.sub(rf"^{indent}", "", body, flags=re.MULTILINE)
        title = "".join(re.findall(r'title="(.*)"', attributes))
        if language == "text" and title == "Output":
            assert found and not text[end : match.start()].strip(), f"{page}: an output without a block before it"
            found[-1].output = body
        else:
            found.append(Block(language, title, body, text.count("\n", 0, match.start()) + 2))
        end = match.end()
    return found


def run(block: Block, page: str, names: dict[str, object]) -> str:
    """What a block prints."""
    if block.language == "python":
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (block.line - 1) + block.text, DOCS / page, "exec"), names)
        return printed.getvalue()
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin", "HOME": str(Path.home())}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.text], capture_output=True, text=True, env=environment, timeout=250
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# Take as long as a hundred tests.
LONG = {
    *(
        f"guides/{name}.md"
        for name in ("c", "cuda", "fine-tuning", "handlers", "measuring", "training", "tutorial", "web")
    ),
    "command-line.md",
}


@pytest.mark.parametrize("page", [pytest.param(p, marks=[pytest.mark.ci] * (p in LONG)) for p in PAGES])
def test_a_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as the folder of a script is
    # What a page registers goes with it, also if it fails half-way.
    monkeypatch.setattr("hlo2tiny.program.custom_calls._custom_calls", {})
    monkeypatch.setattr(targets, "TARGETS", [*targets.TARGETS])
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.title.startswith("needs "):
            if importlib.util.find_spec(block.title.removeprefix("needs ")) is None:
                continue
        elif block.title:
            Path(block.title).write_text(block.text, encoding="utf-8")
            continue
        if block.language in SHOWN:
            continue
        if block.language == "console":
            assert all(line.startswith("pip install ") for line in block.text.splitlines()), f"{page}:{block.line}"
            continue
        assert block.language in ("python", "sh"), f"{page}:{block.line}: a block of {block.language} is not run"
        printed = run(block, page, names)
        if block.output is not None:
            want, ellipsis = block.output.replace("…", "..."), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            assert doctest.OutputChecker().check_output(want, printed.replace("…", "..."), ellipsis), (
                f"{page}:{block.line}: it prints\n{printed}"
            )


def test_there_are_pages() -> None:
    assert {"index.md", "contributing.md", "guides/from-jax.md", "extend/op.md"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_links_go_somewhere(page: str) -> None:
    text = re.sub(r"```.*?```", "", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert ((DOCS / page).parent / target).resolve().exists(), f"{page}: {target}"


def test_messages_that_the_page_of_errors_explains_exist() -> None:
    table = (DOCS / "guides" / "errors.md").read_text(encoding="utf-8").partition("## Frequent messages")[2]
    messages = re.findall(r"^\| (?!message|-)(.+?) \|", table.partition("\n## ")[0], re.MULTILINE)
    assert len(messages) > 10
    package = [path.read_text(encoding="utf-8") for path in (DOCS.parent / "hlo2tiny").rglob("*.py")]
    texts = [
        node.value
        for source in package
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    for message in messages:
        for piece in filter(None, map(str.strip, message.split("…"))):
            assert any(piece in text for text in texts), f"{message}: nothing says {piece!r}"


def test_the_site_lists_every_page() -> None:
    listed = set(re.findall(r'"([\w/-]+\.md)"', (DOCS / "zensical.toml").read_text(encoding="utf-8")))
    assert listed == set(PAGES) | GENERATED
