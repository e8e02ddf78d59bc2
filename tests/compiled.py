"""What is compiled during a run of the tests, which all of its processes keep in one folder.

Most of the tests' time would be the compilers', half of it for what they have compiled before: for a second Program, or
for another test. Everything else is done each time.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlo2tiny.machine import cache, zig
from hlo2tiny.targets.c import linking

if TYPE_CHECKING:
    import pytest

FOLDER = "HLO2TINY_TESTS_COMPILED"


def once(made: Path, make: Callable[[], Any], *about: object) -> None:
    """Make a file, or copy the one that this run has made of the same parts."""
    if FOLDER not in os.environ:
        make()
        return
    kept = Path(os.environ[FOLDER], sha256("\0".join(map(str, about)).encode()).hexdigest())
    if kept.exists():
        shutil.copy(kept, made)
        return
    make()
    own = f"{kept}.{os.getpid()}"  # a rename gives other processes whole files only
    shutil.copy(made, own)
    os.replace(own, kept)


def run_make(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run make in a folder, after it has got the objects whose text this run has compiled for another folder."""
    planned = subprocess.run([*command, "--dry-run"], cwd=folder, capture_output=True, text=True, check=False)
    for line in planned.stdout.splitlines():
        words = shlex.split(line)
        if "-c" not in words:
            continue
        text = (folder / words[-1]).read_text(encoding="utf-8")
        if '#include "' in text:
            text = "".join([text, *(header.read_text(encoding="utf-8") for header in sorted(folder.glob("*.h")))])
        compile_it = partial(subprocess.run, words, cwd=folder, capture_output=True, check=True)
        with suppress(subprocess.CalledProcessError):  # which make itself reports
            once(folder / words[words.index("-o") + 1], compile_it, line, text)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def install(config: pytest.Config) -> None:
    """Let our own code compile each text only once, too, while pytest runs.

    Processes that tests start keep all that they compile, and the parser's tables, in the same folder. This process
    builds what it tests, but for tests that name another folder.
    """
    if FOLDER not in os.environ:
        os.environ[FOLDER] = folder = tempfile.mkdtemp(prefix="hlo2tiny-tests-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        config.add_cleanup(lambda: os.environ.pop(FOLDER))
    if os.environ.get("XDG_CACHE_HOME") != os.environ[FOLDER]:
        # Where zig keeps the systems' libraries, which take minutes to compile.
        kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "zig")
        os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(kept))
        os.environ |= {"XDG_CACHE_HOME": os.environ[FOLDER], "HLO2TINY_CACHE": "on"}
    run, run_zig, cache_folder = linking.run, zig.run, cache.folder

    def compile_text(command: Sequence[str], text: str = "") -> str:
        *options, made = command
        if "-shared" in command:
            objects = [Path(option) for option in options if option.endswith(".o")]
            others = [option for option in options if not option.endswith(".o")]
            once(
                Path(made), lambda: run([*command], text), *others, *(sha256(o.read_bytes()).digest() for o in objects)
            )
        elif "-c" in command:
            once(Path(made), lambda: run([*command], text), *options, text)
        else:
            return run([*command], text)
        return ""

    def compile_file(name: str, arguments: Sequence[str | Path], *rest: Any, **options: Any) -> None:
        files = [argument for argument in arguments[:-1] if isinstance(argument, Path) and argument.is_file()]
        texts = [file.read_text(encoding="utf-8") for file in files if file.suffix in (".c", ".ll")]
        if name != "clang" or rest or options or not len(files) == len(texts) == 1 or '#include "' in texts[0]:
            run_zig(name, arguments, *rest, **options)
            return
        others = [argument for argument in arguments[:-1] if argument is not files[0]]
        once(Path(arguments[-1]), lambda: run_zig(name, arguments), "zig", *others, files[0].suffix, *texts)

    def other_folder() -> Path | None:
        return None if os.environ.get("XDG_CACHE_HOME") == os.environ[FOLDER] else cache_folder()

    linking.run, zig.run, cache.folder = compile_text, compile_file, other_folder
    config.add_cleanup(lambda: setattr(cache, "folder", cache_folder))
    config.add_cleanup(lambda: setattr(linking, "run", run))
    config.add_cleanup(lambda: setattr(zig, "run", run_zig))
