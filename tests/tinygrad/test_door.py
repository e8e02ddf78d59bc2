"""One door: no other file imports tinygrad, and nothing of it, or of the process, stays changed afterwards."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import hlo2tiny
from hlo2tiny import tinygrad as door
from hlo2tiny.machine import compiler

PACKAGE = Path(hlo2tiny.__file__).parent
# What users call speaks of their Tensors.
PUBLIC = {"program/arguments.py", "program/bound.py", "program/program.py", "from_jax/jitted.py"}


def imports_of(path: Path) -> list[tuple[str, list[str]]]:
    """The modules that a file imports by their whole names, and the names that it takes of them."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, []) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.append((node.module or "", [alias.name for alias in node.names]))
    return found


def test_nothing_else_imports_tinygrad() -> None:
    wrong = []
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        for module, names in imports_of(path):
            allowed = name.startswith("tinygrad/") or (name in PUBLIC and (module, names) == ("tinygrad", ["Tensor"]))
            if module.split(".")[0] == "tinygrad" and not allowed:
                wrong.append(f"{name} imports {names} of {module}")
    assert wrong == []


def test_nothing_else_looks_at_nodes_of_its_graphs() -> None:
    """What others ask about kernels is data: they neither name UOps nor take them out of what has some."""
    wrong = []
    for path in (path for path in PACKAGE.rglob("*.py") if not path.is_relative_to(PACKAGE / "tinygrad")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            names += [node.attr] if isinstance(node, ast.Attribute) else []
            wrong += [f"{path.relative_to(PACKAGE)}: {name}" for name in names if name in OF_GRAPHS]
    assert wrong == []


OF_GRAPHS = {"UOp", "UPat", "Ops", "GroupOp", "PatternMatcher", "AxisType", "AddrSpace", "uop", "uops", "graph_rewrite"}


def test_the_door_knows_nothing_of_what_comes_after_it() -> None:
    wrong = []
    for path in (PACKAGE / "tinygrad").rglob("*.py"):
        above = len(path.relative_to(PACKAGE).parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == above:
                names = [node.module] if node.module else [alias.name for alias in node.names]
                wrong += [(path.name, n) for n in names if n.split(".")[0] not in BELOW]
    assert wrong == []


BELOW = {"dlpack", "errors", "ir", "machine", "records"}


@pytest.mark.parametrize("version", ["0.13.9", "0.15.0", "1.14.0", "(version unknown)"])
def test_other_versions_are_refused(version: str) -> None:
    expected = re.escape(f"tinygrad {version} is installed") + r".*pip install 'tinygrad>=0\.14,<0\.15'"
    with pytest.raises(hlo2tiny.Error, match=expected):
        door.expect_supported(version)


@pytest.mark.parametrize("version", ["0.14.0", "0.14.2", "0.14.0+local"])
def test_the_supported_ones_are_not(version: str) -> None:
    door.expect_supported(version)


def test_the_package_asks_for_the_same_versions() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"tinygrad{door.SUPPORTED}" in project["dependencies"]


# ---------------------------------------------------------------- what stays

SNAPSHOT = """
import importlib, json, os, pkgutil, signal, sqlite3, sys, types
import tinygrad, tinygrad.runtime.ops_cpu, tinygrad.runtime.ops_npy
from tinygrad import Tensor, dtypes, helpers
from tinygrad.helpers import ContextVar
from tinygrad.uop.ops import PatternMatcher
for part in ("codegen", "engine", "mixin", "renderer", "schedule", "uop"):
    package = importlib.import_module(f"tinygrad.{part}")
    for each in pkgutil.walk_packages(package.__path__, f"tinygrad.{part}."):
        try:
            importlib.import_module(each.name)
        except Exception:
            pass  # for a device that this machine has not

LOADED = [name for name in sys.modules if name.split(".")[0] == "tinygrad" and ".autogen" not in name]

def snapshot():
    found = {}
    for name in LOADED:
        module = sys.modules[name]
        for key, value in list(vars(module).items()):
            if callable(value) or isinstance(value, PatternMatcher) or key == "_db_connection":
                found[f"{name}.{key}"] = id(value)
            if isinstance(value, ContextVar):
                found[f"{name}.{key}"] = (id(value), str(value.value))
            if isinstance(value, type):
                for inner, member in list(vars(value).items()):
                    if callable(member) or isinstance(member, (property, classmethod, staticmethod)):
                        found[f"{name}.{key}.{inner}"] = id(member)
    found |= {f"environ {key}": value for key, value in os.environ.items()}
    found |= {f"signal {s}": repr(signal.getsignal(s)) for s in signal.valid_signals()}
    found["database"] = tables()
    return found

def tables():
    if not os.path.exists(helpers.CACHEDB):
        return None
    with sqlite3.connect(helpers.CACHEDB) as connection:
        return connection.execute("select name, sql from sqlite_master order by name").fetchall()

USED = '''func.func @main(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<4x3xf32>
  %1 = stablehlo.multiply %0, %x : tensor<4x3xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %1, %2 : tensor<4x3xf32>, tensor<3xf32>
}'''

def use_hlo2tiny(device, **options):
    import numpy as np
    import hlo2tiny
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    program = hlo2tiny.load(USED, device=device, **options)
    program.numpy(x)
    program(Tensor(x, device="CPU"))
    if device:
        given = Tensor(x, device=device)
        program.lazy(given)[1].sum().backward()
        given.grad.numpy()
"""

REMAINS = (
    SNAPSHOT
    + """
if DEVICE:  # what tinygrad itself does for gradients: it makes its database, and looks for its default device
    own = Tensor([1.0, 2.0], device=DEVICE)
    own.exp2().sum().backward()
    own.grad.realize()
before = snapshot()
use_hlo2tiny(DEVICE)
after = snapshot()
print(json.dumps(sorted(k for k in before.keys() | after.keys() if before.get(k) != after.get(k))))
"""
)

USERS = """
def users_own():
    from tinygrad.codegen import to_program
    from tinygrad.device import Device
    from tinygrad.uop.ops import Ops
    a = Tensor([[1.5, -2.0, 3.25]] * 4, device="CPU").realize()
    b = Tensor([[0.5], [7.0], [-1.0], [2.0]], device="CPU").realize()
    many = Tensor([0.5] * (1 << 17), device="CPU").realize()
    tensors = [(a * b + (b + (a + 1.25))).tanh().sum(0), (a - b / 3).exp2().max(1), a.T @ a, a.cat(b, dim=1).relu()]
    tensors += [many.sum(), (many * 2).reshape(512, 256).sum(1), (many + 1).reshape(64, 32, 64).sum((1, 2))]
    found = []
    for t in tensors:
        for call in t.schedule_linear().src:
            if call.src[0].op is Ops.SINK:
                program = to_program(call.src[0], Device["CPU"].renderer)
                found += [str(s.arg) for s in program.src if s.op in (Ops.SOURCE, Ops.BINARY)]
        found.append(str(t.numpy().tolist()))
    return [found, [name for name, _ in tables()]]
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return environment_in(tmp_path)


def environment_in(folder: Path) -> dict[str, str]:
    """Where tinygrad finds a compiler by itself, and no cache has anything."""
    program = folder / "clang"
    program.write_text("#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in compiler.clang()) + ' "$@"\n', "utf-8")
    program.chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if k not in ("DEV", "HLO2TINY_CACHE", "HLO2TINY_EXECUTOR")}
    return kept | {"CC": str(program), "XDG_CACHE_HOME": str(folder), "CACHEDB": str(folder / "cache.db")}


def printed(code: str, environment: dict[str, str]) -> Any:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.sampled(3)
@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is a script")
@pytest.mark.parametrize(
    ("device", "executor"), [("CPU", ""), ("CPU", "tinygrad"), (None, "")], ids=["C", "tinygrad", "default device"]
)
def test_nothing_stays_changed(device: str | None, executor: str, environment: dict[str, str]) -> None:
    """Of tinygrad, of its database, of the environment, of the handlers of signals."""
    code = REMAINS.replace("DEVICE", repr(device))
    assert printed(code, environment | {"HLO2TINY_EXECUTOR": executor}) == []


@pytest.fixture(scope="module")
def kernels_of_tinygrad(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The user's kernels where nothing else runs."""
    return printed(
        SNAPSHOT + USERS + "print(json.dumps(users_own()))", environment_in(tmp_path_factory.mktemp("alone"))
    )


@pytest.mark.ci
@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is a script")
def test_a_users_own_kernels_are_the_same(environment: dict[str, str], kernels_of_tinygrad: Any) -> None:
    """With the same programs, in machine code too, the same results, and the same tables in tinygrad's database."""
    used = SNAPSHOT + USERS + "use_hlo2tiny('CPU')\nprint(json.dumps(users_own()))"
    assert len(kernels_of_tinygrad[0]) > 8
    assert printed(used, environment | {"HLO2TINY_EXECUTOR": "tinygrad"}) == kernels_of_tinygrad


# A user's thread runs from begin to end while ours is about to call a function.
MEANWHILE = """
import threading
found = []

def interrupt(owner, name):
    function = getattr(owner, name)
    def interrupted(*arguments):
        if threading.current_thread() is threading.main_thread() and not found:
            other = threading.Thread(target=lambda: found.append(users_own()))
            other.start()
            other.join()
        return function(*arguments)
    setattr(owner, name, interrupted)

import hlo2tiny.tinygrad.codegen, hlo2tiny.tinygrad.schedule, hlo2tiny.tinygrad.settings
interrupt(hlo2tiny.tinygrad.PLACE)
use_hlo2tiny("CPU", batch_invariant=INVARIANT)
print(json.dumps(found[0]))
"""


@pytest.mark.sampled(4, ci=2)
@pytest.mark.ci
@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is a script")
@pytest.mark.parametrize(
    ("executor", "place"),
    [
        ("tinygrad", "schedule, 'get_kernel_graph'"),
        ("tinygrad", "codegen.codegen, 'do_to_program'"),
        ("tinygrad", "settings, 'compile_kept'"),
        ("c", "codegen.codegen, 'do_to_program'"),
    ],
)
def test_a_users_kernels_are_the_same_while_another_thread_lowers(
    executor: str, place: str, environment: dict[str, str], kernels_of_tinygrad: Any
) -> None:
    """For C also while reductions keep the order of their dimensions."""
    meanwhile = MEANWHILE.replace("PLACE", place).replace("INVARIANT", str(executor == "c"))
    assert printed(SNAPSHOT + USERS + meanwhile, environment | {"HLO2TINY_EXECUTOR": executor}) == kernels_of_tinygrad


USERS_KERNELS = """
import json, os
import numpy as np
import hlo2tiny
before = dict(os.environ)
text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"
hlo2tiny.load(text, "CPU")(np.arange(4, dtype=np.float32))
from tinygrad import Tensor
from tinygrad.engine import worker
x = Tensor([1.0, 2.0], device="CPU").realize()
results = [(x * 2).sum(), (x + 1).exp2(), x.max()]
Tensor.realize(*results)
print(json.dumps([[r.tolist() for r in results], worker.worker_pool is not None, dict(os.environ) == before]))
"""


@pytest.mark.ci
@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="the ziglang wheel is not installed")
def test_where_tinygrad_finds_no_clang_a_users_kernels_are_compiled_by_ours(environment: dict[str, str]) -> None:
    """In the processes in which tinygrad compiles several at once too."""
    alone = {k: v for k, v in environment.items() if k != "CC"} | {"PATH": "", "PARALLEL": "2", "DEV": "CPU"}
    assert printed(USERS_KERNELS, alone) == [[6.0, [4.0, 8.0], 2.0], True, True]
