"""Collectives of several processes, by the specification's formulas: grids of replicas and partitions, any body."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from tinygrad import Tensor

import hlo2tiny
from hlo2tiny.ir.sharding import groups_along, parse_mesh, parse_shardings, parse_tiles

CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
ADD = """({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  })"""
SAME = "(tensor<4x2xf32>) -> tensor<4x2xf32>"
# Neither associative nor commutative, so the order of the group is seen.
ODD = """({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %d = stablehlo.add %p, %p : tensor<f32>
    %s = stablehlo.subtract %d, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  })"""


def text_of(body: str, result: str, replicas: int, partitions: int, takes: str = "tensor<4x2xf32>") -> str:
    return f"""module attributes {{mhlo.num_replicas = {replicas} : i32, mhlo.num_partitions = {partitions} : i32}} {{
func.func @main(%x: {takes}) -> {result} {{
  {body}
  return %r : {result}
}}
}}"""


def run(body: str, result: str, replicas: int, partitions: int) -> tuple[np.ndarray, np.ndarray]:
    """The values of all processes, and what the program makes of them."""
    count = replicas * partitions
    program = hlo2tiny.load(text_of(body, result, replicas, partitions), device=[f"CPU:{i}" for i in range(count)])
    x = np.random.RandomState(0).randint(-9, 9, (count, 4, 2)).astype(np.float32)
    return x, program.numpy(x)[0]


def groups_text(groups: list[list[int]]) -> str:
    return f"replica_groups = dense<{groups}> : tensor<{len(groups)}x{len(groups[0])}xi64>"


def fold(rows: list[np.ndarray], odd: bool = False) -> np.ndarray:
    total = rows[0]
    for other in rows[1:]:
        total = 2 * total - other if odd else total + other
    return total


# (the attributes, replicas, partitions, the groups of processes that they mean)
STRATEGIES = [
    ("cross_replica", groups_text([[1, 0]]), 2, 2, [[2, 0], [3, 1]]),
    ("cross_replica_and_partition", f"{groups_text([[0, 1]])}, {CHANNEL}", 2, 2, [[0, 1, 2, 3]]),
    ("flattened_ids", f"{groups_text([[0, 3], [2, 1]])}, {CHANNEL}, use_global_device_ids", 2, 2, [[0, 3], [2, 1]]),
    ("no_groups", "replica_groups = dense<> : tensor<0x0xi64>", 4, 1, [[0, 1, 2, 3]]),
    ("one_each", groups_text([[0], [1]]), 2, 1, [[0], [1]]),
]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda row: row[0])
@pytest.mark.parametrize("odd", [False, True])
def test_sums_follow_the_groups(strategy: tuple, odd: bool) -> None:
    _, attributes, replicas, partitions, groups = strategy
    body = f'%r = "stablehlo.all_reduce"(%x) <{{{attributes}}}> {ODD if odd else ADD} : {SAME}'
    x, found = run(body, "tensor<4x2xf32>", replicas, partitions)
    expected = np.empty_like(x)
    for group in groups:
        expected[group] = fold([x[n] for n in group], odd)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("odd", [False, True])
def test_sums_in_groups_of_different_sizes(odd: bool) -> None:
    groups = [[0, 3, 5], [1, -1, -1], [7, 2, -1], [4, 6, -1]]
    attributes = groups_text(groups)
    body = f'%r = "stablehlo.all_reduce"(%x) <{{{attributes}}}> {ODD if odd else ADD} : {SAME}'
    x, found = run(body, "tensor<4x2xf32>", 8, 1)
    # Roots are indices into the group: the second of each.
    types = "(tensor<4x2xf32>, tensor<1xi32>) -> tensor<4x2xf32>"
    at = "%at = stablehlo.constant dense<1> : tensor<1xi32>"
    _, reduced = run(
        f'{at}\n%r = "stablehlo.collective_reduce"(%x, %at) <{{{attributes}, has_dynamic_root}}> {ADD} : {types}',
        "tensor<4x2xf32>", 8, 1,
    )  # fmt: skip
    _, sent = run(
        f'{at}\n%r = "stablehlo.collective_broadcast"(%x, %at) <{{{attributes}, has_dynamic_root}}> : {types}',
        "tensor<4x2xf32>", 8, 1,
    )  # fmt: skip
    for group in groups:
        group = [n for n in group if n >= 0]
        for place, number in enumerate(group):
            np.testing.assert_array_equal(found[number], fold([x[n] for n in group], odd))
            np.testing.assert_array_equal(reduced[number], sum(x[n] for n in group) if place == 1 else 0 * x[0])
            np.testing.assert_array_equal(sent[number], x[group[1]] if len(group) > 1 else 0 * x[0])


def test_gradients_in_groups_of_different_sizes() -> None:
    """Each result of a sum weighs as its cotangent does, for each of the group; a broadcast, for the first alone."""
    from tinygrad import Tensor

    listed = groups_text([[1, 2], [0, -1]])
    total = f'%t = "stablehlo.all_reduce"(%x) <{{{listed}}}> {ADD} : {SAME}'
    sent = f'%u = "stablehlo.collective_broadcast"(%x) <{{{listed}}}> : {SAME}'
    body = f"{total}\n{sent}\n%r = stablehlo.add %t, %u : tensor<4x2xf32>"
    program = hlo2tiny.load(text_of(body, "tensor<4x2xf32>", 3, 1), device=("CPU:0", "CPU:1", "CPU:2"))
    x, seeds = np.random.RandomState(0).randint(-9, 9, (2, 3, 4, 2)).astype(np.float32)
    tensor = Tensor(x)
    (found,) = (program.lazy(tensor) * Tensor(seeds)).sum().gradient(tensor)
    both = seeds[1] + seeds[2]
    np.testing.assert_array_equal(found.numpy(), [2 * seeds[0], 2 * both, both])


def test_groups_of_different_sizes_where_shapes_need_one() -> None:
    swap = "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64"
    body = f'%r = "stablehlo.all_to_all"(%x) <{{{swap}, {groups_text([[0, 1], [2, -1]])}}}> : {SAME}'
    with pytest.raises(hlo2tiny.UnsupportedOp, match="different sizes, which only sums and broadcasts allow"):
        run(body, "tensor<4x2xf32>", 3, 1)


NARROW = "!quant.uniform<i8:f32, 0.5:3>"  # 3 stands for zero
NARROWS = f"tensor<4x2x{NARROW}>"


def quantized(body: str, replicas: int) -> tuple[np.ndarray, np.ndarray]:
    """What a collective makes of quantized numbers %n."""
    taken = f"%n = stablehlo.uniform_quantize %x : (tensor<4x2xf32>) -> {NARROWS}"
    given = f"%r = stablehlo.uniform_dequantize %o : ({NARROWS}) -> tensor<4x2xf32>"
    body = f"{taken}\n{body} : ({NARROWS}) -> {NARROWS}\n{given}"
    if replicas > 1:
        return run(body, "tensor<4x2xf32>", replicas, 1)
    x = np.random.RandomState(0).randint(-9, 9, (4, 2)).astype(np.float32)
    return x, hlo2tiny.load(text_of(body, "tensor<4x2xf32>", 1, 1), device="CPU").numpy(x)[0]


@pytest.mark.parametrize("groups", [[[0, 1, 2]], [[2, 0], [1, -1]]], ids=["one group", "of different sizes"])
def test_sums_of_quantized_numbers(groups: list[list[int]]) -> None:
    x, found = quantized(f'%o = "stablehlo.all_reduce"(%n) <{{{groups_text(groups)}}}> {ADD.replace("f32", NARROW)}', 3)
    for group in groups:
        group = [n for n in group if n >= 0]
        np.testing.assert_array_equal(found[group], [np.clip(sum(x[group]), -65.5, 62)] * len(group))


def test_zeros_of_quantized_numbers() -> None:
    pairs = "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"
    x, found = quantized(f'%o = "stablehlo.collective_permute"(%n) <{{{pairs}}}>', 2)
    np.testing.assert_array_equal(found, [0 * x[0], x[0]])
    x, found = quantized(f'%o = "stablehlo.collective_broadcast"(%n) <{{{groups_text([[1]])}}}>', 2)
    np.testing.assert_array_equal(found, [0 * x[0], x[1]])
    pairs = "source_target_pairs = dense<> : tensor<0x2xi64>"
    x, found = quantized(f'%o = "stablehlo.collective_permute"(%n) <{{{pairs}}}>', 1)
    np.testing.assert_array_equal(found, 0 * x)


def test_reduce_scatter_and_all_gather() -> None:
    groups = [[0, 2], [3, 1]]
    attributes = f"{groups_text(groups)}, {CHANNEL}, use_global_device_ids"
    scatter = f'"stablehlo.reduce_scatter"(%x) <{{scatter_dimension = 0 : i64, {attributes}}}> {ODD}'
    x, found = run(f"%r = {scatter} : (tensor<4x2xf32>) -> tensor<2x2xf32>", "tensor<2x2xf32>", 1, 4)
    gather = f'"stablehlo.all_gather"(%x) <{{all_gather_dim = 1 : i64, {attributes}}}>'
    _, gathered = run(f"%r = {gather} : (tensor<4x2xf32>) -> tensor<4x4xf32>", "tensor<4x4xf32>", 1, 4)
    for group in groups:
        total = fold([x[n] for n in group], odd=True)
        for place, number in enumerate(group):
            np.testing.assert_array_equal(found[number], total[2 * place : 2 * place + 2])
            np.testing.assert_array_equal(gathered[number], np.concatenate([x[n] for n in group], 1))


@pytest.mark.parametrize("channel", ["", f", {CHANNEL}"], ids=["replicas", "partitions"])
def test_all_to_all_permute_and_broadcast(channel: str) -> None:
    """Without a channel groups are those of replicas, with one those of partitions."""
    groups = [[0, 2], [1, 3]] if not channel else [[0, 1], [2, 3]]
    swap = "split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64"
    listed = groups_text([[0, 1]]) + channel
    x, found = run(
        f'%r = "stablehlo.all_to_all"(%x) <{{{swap}, {listed}}}> : (tensor<4x2xf32>) -> tensor<2x4xf32>',
        "tensor<2x4xf32>", 2, 2,
    )  # fmt: skip
    _, sent = run(
        f'%r = "stablehlo.collective_broadcast"(%x) <{{{groups_text([[1, 0]])}{channel}}}>'
        " : (tensor<4x2xf32>) -> tensor<4x2xf32>",
        "tensor<4x2xf32>", 2, 2,
    )  # fmt: skip
    _, moved = run(
        '%r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>'
        f"{channel}}}> : (tensor<4x2xf32>) -> tensor<4x2xf32>",
        "tensor<4x2xf32>", 2, 2,
    )  # fmt: skip
    for first, second in groups:
        for place, number in enumerate((first, second)):
            rows = slice(2 * place, 2 * place + 2)
            np.testing.assert_array_equal(found[number], np.concatenate([x[first][rows], x[second][rows]], 1))
            np.testing.assert_array_equal(sent[number], x[second])
        np.testing.assert_array_equal(moved[second], x[first])
        np.testing.assert_array_equal(moved[first], 0)


def test_a_broadcast_leaves_zeros_outside_of_its_groups() -> None:
    body = f'%r = "stablehlo.collective_broadcast"(%x) <{{{groups_text([[2, 0]])}}}> : {SAME}'
    x, found = run(body, "tensor<4x2xf32>", 4, 1)
    np.testing.assert_array_equal(found, [x[2], 0 * x[0], x[2], 0 * x[0]])


def test_roots_that_a_run_decides() -> None:
    """The root is an index into the group: 1 is the second process, 5 none."""
    for root, source in ((1, 0), (5, None)):
        constant = f"%at = stablehlo.constant dense<{root}> : tensor<1xi32>"
        groups = f"{groups_text([[1, 0]])}, has_dynamic_root"
        types = "(tensor<4x2xf32>, tensor<1xi32>) -> tensor<4x2xf32>"
        sent = f'%r = "stablehlo.collective_broadcast"(%x, %at) <{{{groups}}}> : {types}'
        x, found = run(f"{constant}\n  {sent}", "tensor<4x2xf32>", 2, 1)
        total = f'%r = "stablehlo.collective_reduce"(%x, %at) <{{{groups}}}> {ADD} : {types}'
        _, reduced = run(f"{constant}\n  {total}", "tensor<4x2xf32>", 2, 1)
        for number in range(2):
            np.testing.assert_array_equal(found[number], 0 * x[0] if source is None else x[source])
            np.testing.assert_array_equal(reduced[number], x[0] + x[1] if number == source else 0 * x[0])


def test_processes_know_their_numbers() -> None:
    body = """%a = stablehlo.replica_id : tensor<ui32>
  %b = stablehlo.partition_id : tensor<ui32>
  %t = stablehlo.constant dense<10> : tensor<ui32>
  %m = stablehlo.multiply %a, %t : tensor<ui32>
  %r = stablehlo.add %m, %b : tensor<ui32>"""
    _, found = run(body, "tensor<ui32>", 2, 4)
    np.testing.assert_array_equal(found, [0, 1, 2, 3, 10, 11, 12, 13])


def test_arguments_that_are_the_same_for_all_replicas() -> None:
    groups = "replica_groups = dense<> : tensor<0x0xi64>"
    body = f'%r = "stablehlo.cross-replica-sum"(%x) {{{groups}}} : (tensor<3xf32>) -> tensor<3xf32>'
    takes = "tensor<3xf32> {mhlo.is_same_data_across_replicas = true}"
    text = text_of(body, "tensor<3xf32>", 2, 1, takes)
    x = np.arange(3, dtype=np.float32)
    np.testing.assert_array_equal(hlo2tiny.load(text, device=("CPU:0", "CPU:1")).numpy(x)[0], [2 * x, 2 * x])


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("[[0, 2]]", "its groups name process 2, but there are 2, from 0|expected all from 0 to 1"),
        ("[[0], [1]]", ""),
        ("[[0]]", "replica_groups leave out some of the 2 processes"),
    ],
)
def test_groups_that_do_not_fit(groups: str, message: str) -> None:
    rows = json.loads(groups)
    body = f'%r = "stablehlo.all_reduce"(%x) <{{{groups_text(rows)}}}> {ADD} : (tensor<4x2xf32>) -> tensor<4x2xf32>'
    if not message:
        x, found = run(body, "tensor<4x2xf32>", 2, 1)
        np.testing.assert_array_equal(found, x)
        return
    with pytest.raises(hlo2tiny.Error, match=message):
        run(body, "tensor<4x2xf32>", 2, 1)


def test_shardings_in_shardys_text() -> None:
    meshes = {"m": parse_mesh('["x"=2, "y"=4]'), "n": parse_mesh('["a"=2], device_ids=[1, 0]')}
    both, part, turned = parse_shardings('[<@m, [{"y", "x"}, {?}]>, <@m, [{"y":(2)2}p1]>, <@n, [{"a"}]>]', meshes)
    assert (both.counts, both.axes) == ((8, 1), ("y+x", ""))
    assert [place[0] for place in both.places] == [0, 2, 4, 6, 1, 3, 5, 7]
    assert [place[0] for place in part.places] == [0, 1, 0, 1, 0, 1, 0, 1]
    assert part.mesh.groups(part.dimensions[0]) == ((0, 1), (2, 3), (4, 5), (6, 7))
    assert [place[0] for place in turned.places] == [1, 0]
    assert turned.mesh.groups(turned.dimensions[0]) == ((1, 0),)
    (terms,) = parse_shardings('<@m, [{"x"}], replicated={"y":(1)2}, unreduced=max{"y":(2)2}>', meshes)
    assert (terms.terms, terms.reduction, terms.is_whole) == ((0, 1, 0, 1, 0, 1, 0, 1), "maximum", False)
    assert terms.along({"x"}).terms == ()
    for text, message in (
        ("<@o, []>", "no mesh @o"),
        ('<@m, [{"z"}]>', "no axis 'z'"),
        ("<@m>", "cannot be read"),
        ('<@m, [{"x"}], unreduced={"x"}>', "axis 'x' twice"),
        ('<@m, [{}], unreduced=mean{"x"}>', "unreduced=mean, expected one of sum, max, min"),
    ):
        with pytest.raises(hlo2tiny.UnsupportedOp, match=message):
            parse_shardings(text, meshes)


AXES = "#stablehlo.replica_group_mesh_axes<mesh = {}, axes = [#stablehlo.axis_ref<name = {}>]>"
INLINE = (
    '#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 4>]>'
)


def test_groups_along_axes() -> None:
    meshes = {"m": parse_mesh('["x"=2, "y"=4]')}
    for mesh in ("@m", INLINE):
        assert groups_along(AXES.format(mesh, '"x"'), meshes) == ((0, 4), (1, 5), (2, 6), (3, 7))
        first, last = (
            groups_along(AXES.format(mesh, f'"y", sub_axis_info = {part}'), meshes) for part in ("(1)2", "(2)2")
        )
        assert (first, last) == (((0, 2), (1, 3), (4, 6), (5, 7)), ((0, 1), (2, 3), (4, 5), (6, 7)))
    for axes, message in (
        ('"z"', "no axis 'z'"),
        ('"y", sub_axis_info = (3)2', "has no part"),
        ('"x", size = 2', "read"),
    ):
        with pytest.raises(hlo2tiny.UnsupportedOp, match=message):
            groups_along(AXES.format("@n" if "size" in axes else "@m", axes), meshes)


def test_sums_along_a_part_of_an_axis() -> None:
    listed = AXES.format(INLINE, '"y", sub_axis_info = (1)2')
    ids = f"{CHANNEL}, use_global_device_ids"
    body = f'%r = "stablehlo.all_reduce"(%x) <{{replica_groups = {listed}, {ids}}}> {ADD} : {SAME}'
    x, found = run(body, "tensor<4x2xf32>", 1, 8)
    for group in ((0, 2), (1, 3), (4, 6), (5, 7)):
        np.testing.assert_array_equal(found[list(group)], [x[group[0]] + x[group[1]]] * 2)


def test_shardings_in_gspmds_text() -> None:
    both = parse_tiles("{devices=[2,4]<=[8]}", 2)
    part = parse_tiles("{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}", 2)
    listed = parse_tiles("{devices=[2,1]1,0}", 2)
    manual = parse_tiles("{devices=[1,2,2,2]<=[2,2,2]T(1,0,2) last_tile_dims={manual, replicated}}", 2)
    assert both is not None and part is not None and listed is not None and manual is not None
    assert (both.counts, both.axes) == ((2, 4), ("2 parts", "4 parts"))
    assert both.places == tuple((n // 4, n % 4) for n in range(8))
    assert part.places == tuple((n % 4, 0) for n in range(8))
    assert part.mesh.groups(part.dimensions[0]) == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert listed.places == ((1, 0), (0, 0))
    assert [place[1] for place in manual.places] == [0, 0, 1, 1, 0, 0, 1, 1]
    assert parse_tiles("{replicated}", 2) is None and parse_tiles("{manual}", 2) is None
    assert parse_tiles("{maximal device=1}", 2) is None
    for text in ("{devices=[2,4]<=[9]}", "{devices=[2,2]<=[2,2]T(0,0)}", "{devices=[2]<=[2]}", "{devices=[2,1]0,3}"):
        with pytest.raises(hlo2tiny.UnsupportedOp, match=r"does not number \d devices along 2 dimensions"):
            parse_tiles(text, 2)
    for text in ("{devices=2}", "{unreduced}", "{devices=[2,1,4]<=[8] last_tile_dims={unreduced}}"):
        with pytest.raises(hlo2tiny.UnsupportedOp, match="cannot be read"):
            parse_tiles(text, 2)


UNREDUCED = """module attributes {{mhlo.num_partitions = 4 : i32}} {{
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%x: tensor<4x2xf32> {{sdy.sharding = #sdy.sharding<@m, [{{"x"}}, {{}}], unreduced={kind}{{"y"}}>}})
    -> (tensor<4x2xf32>{declared}) {{
  %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{{"x"}}, {{}}], unreduced={kind}{{"y"}}>]
      out_shardings=[<@m, [{{"x"}}, {{}}], unreduced={kind}{{"y"}}>] manual_axes={{"x", "y"}} (%a: tensor<2x2xf32>) {{
    %id = stablehlo.partition_id : tensor<ui32>
    %number = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %each = stablehlo.broadcast_in_dim %number, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %sum = stablehlo.add %a, %each : tensor<2x2xf32>
    sdy.return %sum : tensor<2x2xf32>
  }} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}}
}}"""


@pytest.mark.parametrize(
    "kind, sharding, added",
    [
        ("", "", (1, 5)),
        ("", '#sdy.sharding<@m, [{"x"}, {}], unreduced={"y"}>', (1, 5)),
        pytest.param("", '#sdy.sharding<@m, [{}, {}], unreduced=max{"x", "y"}>', (1, 5), marks=pytest.mark.ci),
        pytest.param("max", '#sdy.sharding<@m, [{"y"}, {}]>', (1, 3), marks=pytest.mark.ci),
        pytest.param("max", '#sdy.sharding<@m, [{"x"}, {}], unreduced=max{"y"}>', (1, 3), marks=pytest.mark.ci),
        pytest.param("min", '#sdy.sharding<@m, [{}, {}], unreduced={"x", "y"}>', (0, 2), marks=pytest.mark.ci),
    ],
)
def test_reductions_that_are_still_to_be_made(kind: str, sharding: str, added: tuple[int, int]) -> None:
    declared = f" {{sdy.sharding = {sharding}}}" if sharding else ""
    devices = [f"CPU:{i}" for i in range(4)]
    program = hlo2tiny.load(UNREDUCED.format(kind=kind, declared=declared), device=devices)
    x = np.arange(8, dtype=np.float32).reshape(4, 2) - 3
    expected = x + np.repeat(added, 2)[:, None]
    np.testing.assert_array_equal(program.numpy(x)[0], expected)
    if not kind and "={" in sharding:
        np.testing.assert_array_equal(program(tensor := Tensor(x)).numpy(), expected)
        with pytest.raises(hlo2tiny.UnsupportedOp, match="unreduced"):
            program.lazy(tensor).sum().gradient(tensor)


def test_a_scalar_sum_that_is_still_to_be_made() -> None:
    text = re.sub(r"tensor<\dx2xf32>", "tensor<f32>", UNREDUCED.replace('{{"x"}}, {{}}', ""))
    sharding = ' {sdy.sharding = #sdy.sharding<@m, [], unreduced={"y"}>}'
    for declared in ("", sharding):
        program = hlo2tiny.load(text.format(kind="", declared=declared), device=[f"CPU:{i}" for i in range(4)])
        assert program.numpy(np.float32(7))[0] == 8


# As jax exported it before the module said for how many devices it is.
ANNOTATED = """module {
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = call @inner(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
func.func private @inner(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,1]0,1}"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"}
    : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
    source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[2,1]0,1}"}
    : (tensor<1x4xf32>) -> tensor<2x4xf32>
  %5 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{devices=[2,1]0,1}"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %5 : tensor<2x4xf32>
}
}"""


def test_a_manual_computation_in_custom_calls() -> None:
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    np.testing.assert_array_equal(hlo2tiny.load(ANNOTATED, device=("CPU:0", "CPU:1")).numpy(x)[0], x[::-1])


# As jax exported it in the spring of 2025.
WRITTEN = r"""module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=2]>}"},
    mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%x: tensor<2x4xf32> {mhlo.frontend_attributes = {xla.sdy.sharding =
    "#sdy.sharding<@mesh, [{\22a\22}, {}]>"}, mhlo.sharding = "{devices=[2,1]<=[2]}"})
    -> (tensor<2x4xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) {
  %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {has_side_effect = true, mhlo.frontend_attributes = {
    xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}]>]>",
    xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>"}} : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %1 = call @xla.sdy.manual_computation_body(%0) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {mhlo.frontend_attributes = {
    xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>",
    xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}]>]>"}}
    : (tensor<1x4xf32>) -> tensor<2x4xf32>
  %3 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%2) {has_side_effect = true, mhlo.frontend_attributes = {
    xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}]>]>"}} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
func.func private @xla.sdy.manual_computation_body(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
    source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
}"""


def test_shardys_computation_in_custom_calls() -> None:
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    # Text in text: some versions of jax escape the quotes once more.
    for text in (WRITTEN, WRITTEN.replace(r"\22", r"\\\22")):
        program = hlo2tiny.load(text, device=("CPU:0", "CPU:1"))
        assert "stablehlo.all_gather" not in {op.name for op in program.module.walk()}
        np.testing.assert_array_equal(program.numpy(x)[0], x[::-1])
    with pytest.raises(hlo2tiny.UnsupportedOp, match="has no xla"):
        hlo2tiny.load(WRITTEN.replace("in_shardings", "no_shardings"), device=("CPU:0", "CPU:1"))
    with pytest.raises(hlo2tiny.UnsupportedOp, match="tensor<2x4xf32> has no shards of type tensor<1x4xf32>"):
        hlo2tiny.load(WRITTEN.replace(r"[{\22a\22}, {}]", r"[{}, {\22a\22}]"), device=("CPU:0", "CPU:1"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '(%x) {mhlo.sharding = "{devices=[2,1]0,1}"}',
            "(%x)",
            "turns tensor<2x4xf32> into tensor<1x4xf32>, but no",
        ),
        (
            '(%x) {mhlo.sharding = "{devices=[2,1]0,1}"}',
            '(%x) {mhlo.sharding = "{devices=[1,2]0,1}"}',
            "has the sizes 2",
        ),
        ('(%3) {mhlo.sharding = "{devices=[2,1]0,1}"}', '(%3) {mhlo.sharding = "{devices=[2]0,1}"}', "along 2 dimens"),
    ],
)
def test_custom_calls_that_do_not_fit(old: str, new: str, message: str) -> None:
    with pytest.raises(hlo2tiny.UnsupportedOp, match=message):
        hlo2tiny.load(ANNOTATED.replace(old, new), device=("CPU:0", "CPU:1"))


# ---------------------------------------------------------------- asynchronous collectives


def test_collectives_that_start_and_end_in_two_ops() -> None:
    some, more = "tensor<4x2xf32>", "tensor<8x2xf32>"
    body = f"""%f = "stablehlo.async_start"(%x) ({{
  ^bb0(%a: {some}):
    %t = "stablehlo.all_reduce"(%a) <{{{groups_text([[0, 1], [2, 3]])}}}> {ADD} : {SAME}
    stablehlo.return %t : {some}
  }}) : ({some}) -> !stablehlo.future<{some}>
  %g = "stablehlo.async_start"(%x) ({{
  ^bb0(%a: {some}):
    %t:2 = "stablehlo.all_gather"(%a, %a) <{{all_gather_dim = 0 : i64, {groups_text([[0, 2], [3, 1]])}}}>
      : ({some}, {some}) -> ({more}, {more})
    stablehlo.return %t#1 : {more}
  }}) : ({some}) -> !stablehlo.future<{more}>
  %y = stablehlo.negate %x : {some}
  %0 = "stablehlo.async_done"(%g) : (!stablehlo.future<{more}>) -> {more}
  %1 = "stablehlo.async_done"(%f) : (!stablehlo.future<{some}>) -> {some}
  %r = stablehlo.concatenate %y, %1, %0, dim = 0 : ({some}, {some}, {more}) -> tensor<16x2xf32>"""
    x, found = run(body, "tensor<16x2xf32>", 4, 1)
    for number, total, gathered in ((0, (0, 1), (0, 2)), (1, (0, 1), (3, 1)), (2, (2, 3), (0, 2)), (3, (2, 3), (3, 1))):
        parts = [-x[number], x[total[0]] + x[total[1]], *(x[n] for n in gathered)]
        np.testing.assert_array_equal(found[number], np.concatenate(parts))


def started(name: str, takes: str, gives: str, config: str, more: str = "") -> str:
    """What jax writes for one."""
    note = f'mhlo.frontend_attributes = {{async_collective_config = "{config.replace(chr(34), chr(92) + "22")}"}}'
    return f"""%s_{name[:3]} = stablehlo.custom_call @"{name}-start"(%x) {{backend_config = "", {more}{note}}}
    : ({takes}) -> {gives}
  %{name[:3]} = stablehlo.custom_call @"{name}-done"(%s_{name[:3]}) {{backend_config = ""}} : ({gives}) -> {gives}"""


IDS = '"replica_groups": [[0, 1], [2, 3]], "channel_id": 1'
REDUCER = """func.func private @reducer(%p: tensor<f32>, %q: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.add %p, %q : tensor<f32>
  return %s : tensor<f32>
}"""


def in_custom_calls(*bodies: str, result: str = "tensor<4x2xf32>", name: str = "col") -> hlo2tiny.Program:
    lines = "\n  ".join([*bodies, f"%r = stablehlo.negate %{name} : {result}"])
    text = text_of(lines, result, 1, 4).replace("func.func @main", f"{REDUCER}\nfunc.func @main")
    return hlo2tiny.load(text, device=[f"CPU:{i}" for i in range(4)])


@pytest.mark.parametrize(
    ("name", "gives", "config", "expected"),
    [
        ("all-gather", "tensor<8x2xf32>", f'{IDS}, "all_gather_dimension": 0, "use_global_device_ids": true',
         lambda a, b, place: np.concatenate([a, b])),
        ("all-reduce", "tensor<4x2xf32>", f'{IDS}, "use_global_device_ids": true', lambda a, b, place: a + b),
        ("all-to-all", "tensor<2x4xf32>", f'{IDS}, "split_dimension": 0, "concat_dimension": 1, "split_count": 2',
         lambda a, b, place: np.concatenate([v[2 * place : 2 * place + 2] for v in (a, b)], 1)),
        ("collective-permute", "tensor<4x2xf32>", '"permutation": [[0, 1], [2, 3]], "channel_id": 1',
         lambda a, b, place: a * place),
        ("reduce-scatter", "tensor<2x2xf32>",
         f'{IDS}, "scatter_dimension": 0, "use_global_device_ids": true, "tiled": true',
         lambda a, b, place: (a + b)[2 * place : 2 * place + 2]),
    ],
)  # fmt: skip
def test_collectives_that_start_and_end_in_custom_calls(name: str, gives: str, config: str, expected: Any) -> None:
    more = "called_computations = [@reducer], " if "reduce" in name else ""
    text = started(name, "tensor<4x2xf32>", gives, f"{{{config}}}", more)
    x = np.random.RandomState(0).randint(-9, 9, (4, 4, 2)).astype(np.float32)
    (found,) = in_custom_calls(text, result=gives, name=name[:3]).numpy(x)
    for number in range(4):
        first = number // 2 * 2
        np.testing.assert_array_equal(found[number], -expected(x[first], x[first + 1], number % 2))


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            '{"permutation": [[0, 1]], "colour": 3}',
            "stablehlo.custom_call: its async_collective_config has the unknown entry 'colour'",
        ),
        ('{"permutation": [[0, 1], [2]]}', "stablehlo.custom_call: "),
        ("{", "stablehlo.custom_call: "),
        ('{"permutation": [[0, 1], [0, 2]]}', "stablehlo.collective_permute: source_target_pairs names a source twice"),
    ],
)
def test_configurations_of_custom_calls_that_do_not_fit(config: str, message: str) -> None:
    same = "tensor<4x2xf32>"
    with pytest.raises(hlo2tiny.Error, match=message):
        in_custom_calls(started("collective-permute", same, same, config))


# Two all-reduces that mhlo starts and ends around other ops; the second one has an update.
IN_FUNCTIONS = f"""module attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32}} {{
func.func private @sum(%a: tensor<4x2xf32>) -> tensor<4x2xf32> attributes {{execution_thread = "main"}} {{
  %0 = "mhlo.all_reduce"(%a) <{{{groups_text([[0, 1], [2, 3]])}}}> {ADD.replace("stablehlo", "mhlo")} : {SAME}
  return %0 : tensor<4x2xf32>
}}
func.func @main(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {{
  %s = "mhlo.async_start"(%x) {{called_computation = @sum, execution_thread = "main"}}
    : (tensor<4x2xf32>) -> !mhlo.async_bundle<tensor<4x2xf32>, tensor<4x2xf32>>
  %y = stablehlo.negate %x : tensor<4x2xf32>
  %d = "mhlo.async_done"(%s) : (!mhlo.async_bundle<tensor<4x2xf32>, tensor<4x2xf32>>) -> tensor<4x2xf32>
  %z = stablehlo.multiply %y, %d : tensor<4x2xf32>
  %t = "mhlo.async_start"(%z) {{called_computation = @sum, execution_thread = "main"}}
    : (tensor<4x2xf32>) -> !mhlo.async_bundle<tensor<4x2xf32>, tensor<4x2xf32>>
  %u = "mhlo.async_update"(%t) : (!mhlo.async_bundle<tensor<4x2xf32>, tensor<4x2xf32>>)
    -> !mhlo.async_bundle<tensor<4x2xf32>, tensor<4x2xf32>>
  %r = "mhlo.async_done"(%u) : (!mhlo.async_bundle<tensor<4x2xf32>, tensor<4x2xf32>>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}}}}"""


def test_collectives_in_functions_that_mhlo_starts() -> None:
    program = hlo2tiny.load(IN_FUNCTIONS, device=[f"CPU:{i}" for i in range(4)])
    x = np.random.RandomState(0).randint(-9, 9, (4, 4, 2)).astype(np.float32)
    total = x.reshape(2, 2, 4, 2).sum(1).repeat(2, 0)
    products = (-x * total).reshape(2, 2, 4, 2)
    np.testing.assert_array_equal(program.numpy(x)[0], products.sum(1).repeat(2, 0))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "%x) {called_computation = @sum",
            "%x) {called_computation = @none",
            "starts the function @none, which is not in",
        ),
        (
            "tensor<4x2xf32>>) -> tensor<4x2xf32>\n  %z",
            "tensor<4x2xf32>>) -> tensor<2xf32>\n  %z",
            "expected tensor<4x2",
        ),
    ],
)
def test_functions_that_mhlo_cannot_start(old: str, new: str, message: str) -> None:
    assert old in IN_FUNCTIONS
    with pytest.raises(hlo2tiny.Error, match=message):
        hlo2tiny.load(IN_FUNCTIONS.replace(old, new), device=[f"CPU:{i}" for i in range(4)])
