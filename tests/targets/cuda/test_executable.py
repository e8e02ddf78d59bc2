"""What the target for NVIDIA's GPUs prints, on machines without one: executables, sizes of launches, code for nvrtc."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gpu import ELEMENTWISE

import hlo2tiny
from corpus import BY_NAME, ENTRIES, Entry
from hlo2tiny.ir.place import Place
from hlo2tiny.plan.plan import Kernels, Plan
from hlo2tiny.specialise.precision import ask_for_highest, spell_out_algorithms
from hlo2tiny.targets import target_of
from hlo2tiny.targets.cuda import native
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import (
    Action,
    CudaExecutable,
    GraphBranch,
    GraphCopy,
    GraphLaunch,
    GraphLoop,
    Multiply,
    OnHost,
    from_rows,
    inner_actions,
    to_rows,
)
from hlo2tiny.targets.cuda.kernels import (
    LARGE,
    MOST_BLOCKS,
    MOST_THREADS,
    CudaKernel,
    CudaRegion,
    KernelParameter,
    launch_size,
    share_temporaries,
)
from hlo2tiny.targets.cuda.measuring import changed
from hlo2tiny.targets.cuda.merging import merge
from hlo2tiny.targets.cuda.native import executable_of
from hlo2tiny.tinygrad.settings import lowering_settings
from hlo2tiny.verify.problems import verify
from hlo2tiny.verify.unwrap import unwrap

# Of the corpus, what tinygrad renders in seconds; `pytest -m ''` runs the others too.
QUICK = ("cond", "cumsum", "gpt_decoder_scan", "kv_cache_decode", "lstm", "segment_sum", "sort", "switch", "while_loop")


def emitted(source: object, libraries: Sequence[str] = ("cublasLt",)) -> CudaExecutable:
    return executable_of(plan_of(source), "CUDA", "sm_90", frozenset(libraries), lambda done, total: None)


def plan_of(source: object, highest: bool = False, custom_calls: Collection[str] = (), invariant: bool = False) -> Plan:
    module = hlo2tiny.parse(source)
    verify(module, custom_calls)
    with lowering_settings("CUDA"):
        module = spell_out_algorithms(unwrap(module))
        module = ask_for_highest(module) if highest else module
        return target_of("CUDA").plan(module, "main", invariant=invariant)


def walk(actions: Sequence[Action]) -> Iterator[Action]:
    for action in actions:
        yield action
        for part in inner_actions(action):
            yield from walk(part)


def corpus() -> list[object]:
    return [pytest.param(e, id=e.name, marks=[] if e.name in QUICK else [pytest.mark.night]) for e in ENTRIES]


@pytest.mark.parametrize("entry", corpus())
def test_a_program_becomes_launches_that_every_gpu_allows(entry: Entry) -> None:
    executable = emitted(entry.path)
    assert from_rows(json.loads(json.dumps(to_rows(executable.actions)))) == executable.actions
    for kernel in executable.kernels:
        assert 1 <= kernel.block[0] * kernel.block[1] * kernel.block[2] <= MOST_THREADS, kernel.name
        assert all(1 <= size <= most for size, most in zip(kernel.grid, MOST_BLOCKS)), kernel.name
        assert len(kernel.parameters) == len(kernel.buffers), kernel.name
    for action in walk(executable.actions):
        if isinstance(action, GraphLaunch):
            kernel = executable.kernels[action.kernel]
            assert len(action.places) == len(action.sizes) == len(kernel.writes) and any(kernel.writes)
        places = action.places if isinstance(action, GraphLaunch | Multiply) else ()
        assert all(0 <= place.number < executable.arena for place in places if place.kind == "arena")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("entry", corpus())
def test_nvrtc_compiles_the_kernels(entry: Entry) -> None:
    nvrtc = pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    assert not int(nvrtc.nvrtcVersion()[0])
    kernels = emitted(entry.path).kernels
    texts = files(kernels)
    assert sorted(n for _, numbers in texts for n in numbers) == list(range(len(kernels)))
    assert all(code[:4] == b"\x7fELF" for code in compile_all([text for text, _ in texts], "sm_90"))


def test_independent_loops_are_threads_and_neighbours_access_neighbours() -> None:
    text = """func.func @main(%x: tensor<100x30xf32>, %i: tensor<i32>) -> tensor<50x30xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, %zero, sizes = [50, 30] : (tensor<100x30xf32>, tensor<i32>, tensor<i32>) -> tensor<50x30xf32>
  return %0 : tensor<50x30xf32>
}"""  # noqa: E501
    (kernel,) = (k for k in emitted(text).kernels if k.name.startswith("dynamic_slice"))
    assert (kernel.grid, kernel.block) == ((6, 1, 1), (256, 1, 1))
    assert "if (thread >= 1500) return;" in kernel.body
    assert "thread / 30;" in kernel.body and "thread % 30;" in kernel.body


def test_a_loop_of_known_iterations_is_unrolled_and_its_carries_swap_places() -> None:
    text = """func.func @main(%x: tensor<64000xf32>) -> tensor<64000xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %end = stablehlo.constant dense<ITERATIONS> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%v = %x, %n = %zero) : tensor<64000xf32>, tensor<i32>
   cond {
    %c = stablehlo.compare LT, %n, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %w = stablehlo.add %v, %v : tensor<64000xf32>
    %m = stablehlo.add %n, %one : tensor<i32>
    stablehlo.return %w, %m : tensor<64000xf32>, tensor<i32>
  }
  return %r#0 : tensor<64000xf32>
}"""
    few = emitted(text.replace("ITERATIONS", "15"))
    assert not any(isinstance(action, GraphLoop) for action in few.actions)

    def doublings(executable: CudaExecutable, actions: Sequence[Action]) -> list[list[Place]]:
        """The addresses of the carried vector that kernels write and read, by launch."""
        found = [
            [place for place, kind in zip(a.places, executable.kernels[a.kernel].parameters) if "float" in kind.type]
            for a in actions
            if isinstance(a, GraphLaunch)
        ]
        return [places for places in found if places]

    doubled = doublings(few, few.actions)
    assert len(doubled) == 15
    for before, after in pairwise(doubled):
        assert before[0] == after[1]
    many = emitted(text.replace("ITERATIONS", "100001"))
    (loop,) = (action for action in many.actions if isinstance(action, GraphLoop))
    assert loop.iterations is not None
    assert len(doublings(many, loop.body)) * loop.iterations + len(doublings(many, many.actions)) == 100001


def test_small_kernels_that_do_not_wait_for_each_other_are_one() -> None:
    def kernel(name: str, blocks: int) -> CudaKernel:
        parameters = KernelParameter("float*", "target"), KernelParameter("float*", "source", False)
        return CudaKernel(name, parameters, "int i = blockIdx.x;", (), (blocks, 1, 1), (32, 1, 1), False, (0, 1))

    def launch(kernel: int, target: Place, source: Place) -> GraphLaunch:
        return GraphLaunch(kernel, (target, source), (4, 4), kernel)

    kernels = [kernel("few", 2), kernel("other", 3), kernel("many", 5000)]
    p, q, r = (Place("arena", 4 * n) for n in range(3))
    x, y = Place("argument", 0), Place("argument", 1)
    chain = [
        launch(0, p, x),
        launch(2, r, x),
        launch(0, q, p),  # waits for the first one
        launch(1, Place("result", 0), x),  # waits for none, so it is one with the first one
        launch(1, Place("result", 1), q),
        launch(0, p, y),  # writes what the third one reads, so it is one with the one before
    ]
    loop = GraphLoop((), tuple(chain), Place("result", 2), 9)
    actions, made = merge([*chain, loop], kernels)
    assert [k.name for k in made] == ["few+other", "many", "few", "other+few"]
    assert isinstance(actions[-1], GraphLoop) and actions[-1].body == actions[:-1]
    first, large, third, last = actions[:-1]
    assert isinstance(first, GraphLaunch) and first.places == (p, x, Place("result", 0), x)
    assert isinstance(last, GraphLaunch) and last.places == (Place("result", 1), q, p, y)
    assert (first.source, first.others, last.source, last.others) == (0, (1,), 1, (0,))
    assert (large, third) == (replace(launch(2, r, x), kernel=1), replace(launch(0, q, p), kernel=2))
    assert made[0].grid == (5, 1, 1) and made[0].writes == (True, False, True, False)
    (same,), (twice,) = merge([launch(0, p, x), launch(0, q, x), launch(0, r, x)], kernels)
    assert isinstance(same, GraphLaunch) and same.places == (p, x, q, x, r, x) and twice.grid == (6, 1, 1)
    assert twice.body.count("int i =") == 1  # equal kernels share their statements
    assert made[0].body.count("int i = blockIdx.x;") == 2  # of blocks that count from 0 each
    assert made[0].body.count("const BlockNumber blockIdx = {::blockIdx.x - 2};") == 1


def test_what_is_there_is_not_stored_again() -> None:
    def kernel(name: str, updates: bool = False) -> CudaKernel:
        parameters = KernelParameter("float*", "target"), KernelParameter("float*", "source", False)
        grid, block = (5000, 1, 1), (32, 1, 1)
        return CudaKernel(name, parameters, name, (), grid, block, False, (0, 1), updates=updates)

    def launch(kernel: int, target: Place, source: Place, line: int = 0) -> GraphLaunch:
        return GraphLaunch(kernel, (target, source), (4, 4), line)

    kernels = [kernel("pure"), kernel("updating", updates=True)]
    p, q, x, y = Place("arena", 0), Place("arena", 4), Place("argument", 0), Place("argument", 1)
    copy = GraphCopy(Place("result", 0), x, 1 << 20)
    repeated = [
        ([launch(0, p, x), launch(0, q, x), launch(0, p, x, line=7)], 2),
        ([launch(0, p, x), launch(0, q, p), launch(0, p, x), launch(0, q, p)], 2),
        ([launch(0, p, x), launch(0, p, y), launch(0, p, x)], 3),  # something else was there meanwhile
        ([launch(0, p, q), launch(0, q, x), launch(0, p, q)], 3),  # it reads something else now
        ([launch(0, p, p), launch(0, p, p)], 2),  # it reads what it has written
        ([launch(1, p, x), launch(1, p, x)], 2),
        ([copy, launch(0, p, x), copy], 2),
        ([copy, launch(0, Place("result", 0), x), copy], 3),
    ]
    for actions, count in repeated:
        once = merge(actions, kernels)[0]
        assert len(once) == count
        loop = GraphLoop((), tuple(actions), Place("result", 1), 9)
        (inner,) = (each for each in merge([*actions, loop], kernels)[0] if isinstance(each, GraphLoop))
        assert inner.body == once  # what a loop finds is not known before it


def test_small_kernels_run_with_later_ones_if_nothing_waits_longer() -> None:
    def kernel(name: str, blocks: int, sources: int = 1) -> CudaKernel:
        read = [KernelParameter("float*", f"source{n}", False) for n in range(sources)]
        parameters = (KernelParameter("float*", "target"), *read)
        places = tuple(range(sources + 1))
        return CudaKernel(name, parameters, "int i = blockIdx.x;", (), (blocks, 1, 1), (32, 1, 1), False, places)

    def launch(kernel: int, *places: Place) -> GraphLaunch:
        return GraphLaunch(kernel, places, (4,) * len(places), kernel)

    kernels = [kernel("few", 2), kernel("many", 5000), kernel("joins", 2, 2)]
    p, q, r, s, x = (*(Place("arena", 4 * n) for n in range(4)), Place("argument", 0))
    chain = [launch(1, r, x), launch(0, s, x), launch(0, p, r), launch(0, q, p)]
    actions, made = merge([*chain, launch(2, Place("result", 0), q, s)], kernels)
    assert [k.name for k in made] == ["many", "few", "few", "joins"]
    assert isinstance(actions[1], GraphLaunch) and actions[1].places == (s, x, p, r)
    actions, made = merge([*chain, launch(2, Place("result", 0), r, s)], kernels)  # which would have to wait for p
    assert [k.name for k in made] == ["many", "few", "few+joins"]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("joined", [False, True])
def test_an_update_computes_what_it_writes(dtype: str, joined: bool) -> None:
    """Rotated keys, for example, are not stored before they are in the cache."""

    def function(cache: Any, key: Any, cosine: Any, sine: Any, at: Any) -> Any:
        a, b = jnp.split(key, 2, -1)
        x, y = a * cosine - b * sine, a * sine + b * cosine
        key = jnp.concatenate([x, y], -1) if joined else jnp.stack([x, y], -1).reshape(key.shape)
        return jax.lax.dynamic_update_slice(cache, key, (at, 0, 0))

    shapes = (256, 8, 128), (1, 8, 128), (64,), (64,)
    given = *(jax.ShapeDtypeStruct(shape, dtype) for shape in shapes), jax.ShapeDtypeStruct((), "int32")
    exported = jax.export.export(jax.jit(function, donate_argnums=0), platforms=["cuda"])(*given)
    executable = executable_of(plan_of(str(exported.mlir_module())), "CUDA", "sm_90", frozenset(), lambda *_: None)
    large = [kernel for kernel in executable.kernels if kernel.grid[0] > 1]  # others compute the place
    assert [kernel.name for kernel in large] == ["dynamic_update_slice"]


def test_what_a_graph_cannot_hold_is_left_to_the_host() -> None:
    executable = emitted(BY_NAME["fourier"].path)
    assert sum(isinstance(action, OnHost) for action in walk(executable.actions)) == len(executable.hosts) > 0


def test_without_cublas_products_are_kernels() -> None:
    path = BY_NAME["mnist_mlp_predict"].path
    assert sum(isinstance(a, Multiply) for a in emitted(path).actions) == 3
    executable = emitted(path, libraries=())
    assert not executable.products and not any(isinstance(a, Multiply) for a in executable.actions)


CONVOLUTION = """func.func @main(%x: tensor<1x9x9x40xf32>, %w: tensor<3x3xINxOUTxf32>) -> tensor<1x7x7xOUTxf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = GROUPS : i64} :
    (tensor<1x9x9x40xf32>, tensor<3x3xINxOUTxf32>) -> tensor<1x7x7xOUTxf32>
  return %0 : tensor<1x7x7xOUTxf32>
}"""


@pytest.mark.parametrize(
    ("sizes", "kernels"), [((40, 8, 1), False), ((20, 40, 2), False), ((20, 8, 2), True), ((1, 40, 40), True)]
)
def test_depthwise_convolutions_are_kernels(sizes: tuple[int, int, int], kernels: bool) -> None:
    text = CONVOLUTION
    for name, size in zip(("IN", "OUT", "GROUPS"), sizes):
        text = text.replace(name, str(size))
    executable = emitted(text, ("cudnn",))
    assert (bool(executable.kernels), len(executable.products)) == (kernels, 1 - kernels)


def test_what_a_library_computes_is_not_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[tuple[str, ...]] = []
    usual = native.render_region

    def render(step: Kernels, *given: Any) -> CudaRegion:
        rendered.append(tuple(op.name for op in step.ops))
        return usual(step, *given)

    monkeypatch.setattr(native, "render_region", render)
    monkeypatch.setattr(native.REGIONS, "find", lambda step, kind: None)
    executable = emitted(BY_NAME["mnist_mlp_predict"].path)
    assert len(executable.products) == 3 and rendered
    assert not any("stablehlo.dot_general" in names for names in rendered)


def test_reductions_of_few_elements_share_blocks() -> None:
    text = """func.func @main(%x: tensor<1000x40xf32>) -> tensor<1000xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] :
    (tensor<1000x40xf32>, tensor<f32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}"""
    (kernel,) = emitted(text).kernels
    assert (kernel.grid, kernel.block) == ((125, 1, 1), (32, 8, 1))
    (kernel,) = emitted(text.replace("1000", "1001")).kernels
    assert kernel.grid == (126, 1, 1) and "threadIdx.y >= 1001) return;" in kernel.body


def test_a_sort_runs_on_many_threads() -> None:
    executable = emitted(BY_NAME["sort"].path)
    sorts = [k for k in executable.kernels if k.name in ("sort_tiles", "pack")]
    assert sorts and max(k.grid[0] * k.block[0] for k in sorts) > 1


def test_large_temporaries_that_are_no_longer_read_make_room() -> None:
    def kernel(*buffers: int) -> CudaKernel:
        parameters = KernelParameter("float*", "a"), KernelParameter("float*", "b", False)
        return CudaKernel("f", parameters, "", (), (1, 1, 1), (32, 1, 1), False, buffers)

    chain = [kernel(2, 0), kernel(3, 2), kernel(4, 3), kernel(5, 4), kernel(1, 5)]
    shared = share_temporaries(chain, 2, (LARGE, LARGE, LARGE, LARGE))
    assert [k.buffers for k in shared[0]] == [(2, 0), (3, 2), (2, 3), (3, 2), (1, 3)] and shared[1] == (LARGE, LARGE)
    sizes = LARGE - 1, LARGE, LARGE - 1, LARGE
    assert share_temporaries(chain, 2, sizes)[1] == (LARGE - 1, LARGE, LARGE - 1)  # small ones stay apart


HALVING = """func.func @main(%flag: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%flag) ({
    %1 = stablehlo.while(%a = %x) : tensor<4xf32>
      cond {
        %2 = stablehlo.slice %a [0:1] : (tensor<4xf32>) -> tensor<1xf32>
        %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
        %one = stablehlo.constant dense<1.0> : tensor<f32>
        %4 = stablehlo.compare GT, %3, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      } do {
        %half = stablehlo.constant dense<0.5> : tensor<4xf32>
        %5 = stablehlo.multiply %a, %half : tensor<4xf32>
        stablehlo.return %5 : tensor<4xf32>
      }
    stablehlo.return %1 : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


def test_a_branch_with_loops_is_one_of_the_graph() -> None:
    (branch,) = (action for action in emitted(HALVING).actions if isinstance(action, GraphBranch))
    assert {type(action) for branch in branch.branches for action in branch} >= {GraphLoop}


def test_kernels_of_small_branches_look_whether_they_run() -> None:
    executable = emitted(BY_NAME["cond"].path)
    assert {type(action) for action in executable.actions} == {GraphLaunch}
    guarded = [executable.kernels[a.kernel] for a in executable.actions if isinstance(a, GraphLaunch)]
    indices = [{*re.findall(r"\bindex\d+\b", str((kernel.parameters, kernel.body)))} for kernel in guarded]
    assert max(map(len, indices)) == 2  # a branch inside another one
    for kernel, mine in zip(guarded, indices):
        assert kernel.body.count("return; }") >= len(mine)
        assert not any(writes for p, writes in zip(kernel.parameters, kernel.writes) if p.name in mine)
    assert {a.kernel for a in executable.actions if isinstance(a, GraphLaunch)} == {*range(len(executable.kernels))}


@pytest.mark.parametrize("iterations", [1, 31, 32, 33, 256, 257, 10**9])
def test_launches_cover_all_iterations(iterations: int) -> None:
    blocks, threads = launch_size(iterations)
    assert (blocks - 1) * threads < iterations <= blocks * threads and threads % 32 == 0


def test_the_bytes_of_kernels_that_move_vectors() -> None:
    (kernel,) = emitted(ELEMENTWISE.replace("100000000", "4096")).kernels
    assert kernel.bytes == 3 * 4 * 4096 and not kernel.updates


def test_what_a_kernel_updates_is_kept_while_it_is_measured() -> None:
    """A scatter reads what it writes; repeated as it is, it would add to its own results."""
    executable = emitted(BY_NAME["gather_scatter"].path)
    updating = [
        a for a in walk(executable.actions) if isinstance(a, GraphLaunch) and executable.kernels[a.kernel].updates
    ]
    assert updating
    for action in updating:
        kept = dict(changed(executable, action))
        written = [n for n, writes in enumerate(executable.kernels[action.kernel].writes) if writes]
        assert kept == {action.places[n]: action.sizes[n] for n in written if action.sizes[n]}


def test_small_kernels_wait_for_no_memory() -> None:
    """Where each layer writes depends on arguments alone, so that one kernel computes it for all layers."""

    def function(x: Any, w: Any, caches: Any, number: Any) -> Any:
        written = []
        for n, cache in enumerate(caches):
            x = jnp.tanh(x @ w)
            index = jnp.where(number < n, number + 64, number), 0
            written.append(jax.lax.dynamic_update_slice(cache, x.mean(0, keepdims=True), index))
        return x, written

    x, w = (jax.ShapeDtypeStruct(shape, np.float32) for shape in ((64, 256), (256, 256)))
    exported = jax.export.export(jax.jit(function))(x, w, [x] * 4, jax.ShapeDtypeStruct((), np.int32))
    executable = emitted(str(exported.mlir_module()))
    assert [name for kernel in executable.kernels for name in kernel.name.split("+")].count("E") == 1
