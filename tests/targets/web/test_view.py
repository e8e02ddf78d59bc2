"""`hlo2tiny view`: the graph of programs, and its page as one uses it in Chromium."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browsers import needs_browser, node

from corpus import BY_NAME, FOLDER
from hlo2tiny.cli import main
from hlo2tiny.commands.view import graph_of, page_text
from hlo2tiny.cost import cost_of_module
from hlo2tiny.syntax.parser import parse
from hlo2tiny.verify.unwrap import unwrap

HOSTILE = """func.func @main(%x: tensor<2xf32> loc("</script><img src=x>")) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32> loc("a</script><script>alert(1)</script>/b")
  return %0 : tensor<2xf32>
}
"""


def data_of(page: Path) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize("name", ["keras_resnet_block", "gpt_decoder_scan", "while_loop", "switch", "linear_algebra"])
def test_a_graph_has_what_the_cost_has(name: str) -> None:
    module = unwrap(parse(BY_NAME[name].path))
    graph, cost = graph_of(module), cost_of_module(module)
    assert (sum(n[4] for n in graph.nodes), sum(n[5] for n in graph.nodes)) == (cost.flops, cost.bytes)
    assert {"/".join((*row.scope, row.name)) for row in cost.scopes} <= {
        scope_name(graph, i) for i in range(len(graph.scopes))
    }
    assert all(source < number for number, n in enumerate(graph.nodes) for source in n[-1])
    read = {source for n in graph.nodes for source in n[-1]}
    outputs = [n for n in graph.nodes if n[0].startswith("out")]
    assert outputs and all(n[-1] or n[5] == 0 for n in outputs) and len(read) > len(graph.nodes) / 2


def scope_name(graph: Any, number: int) -> str:
    """The names of a scope and those around it, without the parts of long scopes."""
    return "/".join(name for name in scope_chain(graph, number) if not name.startswith("ops "))


def test_a_long_scope_has_parts() -> None:
    """Ops stay in their order, calls of a function lie in the parts that call it, and arguments where they are read."""
    t = "tensor<2xf32>"
    lines = [f"%0 = stablehlo.add %x, %x : {t}"]
    for i in range(200):
        lines.append(f'%{2 * i + 1} = stablehlo.sine %{2 * i} : {t} loc("inner/sine")')
        lines.append(f"%{2 * i + 2} = stablehlo.add %{2 * i + 1}, %{'w' if i == 150 else 'x'} : {t}")
    text = f'func.func @main(%x: {t} loc("x"), %w: {t} loc("w")) -> {t} {{' + "\n".join(lines) + f"return %400 : {t} }}"
    graph = graph_of(unwrap(parse(text)))
    parts = [graph.scopes[number][0] for number in range(len(graph.scopes)) if graph.scopes[number][1] < 0]
    assert parts == [f"ops {i}–{min(i + 39, 201)}: x" for i in range(1, 202, 40)]
    found = [scope_chain(graph, n[1]) for n in graph.nodes if n[0].startswith("stablehlo.")]
    assert [chain[1:] for chain in found] == [[], *[["inner"], []] * 200]
    assert [chain[0] for chain in found] == sorted((chain[0] for chain in found), key=parts.index)
    assert graph.nodes[1][0] == "w" and scope_chain(graph, graph.nodes[1][1]) == ["ops 121–160: x"]


def scope_chain(graph: Any, number: int) -> list[str]:
    """The names of a scope and those around it, without stacks of equal layers."""
    name, around, layers = graph.scopes[number]
    return [*(scope_chain(graph, around) if around >= 0 else []), *([] if layers else [name])]


LAYER = """%{0}a = stablehlo.dot_general %{0}, %w{0}, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>)
    -> tensor<2x4xf32> loc("net/{1}/dense/dot")
  %{2} = stablehlo.{3} %{0}a : tensor<2x4xf32> loc("net/{1}/act")
"""


def layers(*named: tuple[str, str]) -> Any:
    """The graph of layers with these names and activations."""
    weights = ", ".join(f'%w{i}: tensor<4x4xf32> loc("w{i}")' for i in range(len(named)))
    body = "".join(LAYER.format(i, name, i + 1, act) for i, (name, act) in enumerate(named))
    end = f"return %{len(named)} : tensor<2x4xf32> }}"
    return graph_of(
        unwrap(parse(f"func.func @main(%0: tensor<2x4xf32>, {weights}) -> tensor<2x4xf32> {{\n  {body}{end}"))
    )


def stacks(graph: Any) -> list[tuple[str, int]]:
    return [(name, count) for name, _, count in graph.scopes if count]


def test_equal_layers_are_a_stack() -> None:
    """Layers that do the same, one after the other, whatever they are called; weights belong to them."""
    graph = layers(*((f"block{i}", "tanh") for i in range(4)))
    assert stacks(graph) == [("block0 … block3", 4)]
    inside = [name for name, around, _ in graph.scopes if around >= 0 and graph.scopes[around][2]]
    assert inside == ["block0", "block1", "block2", "block3"]
    assert [scope_chain(graph, graph.nodes[i][1])[-1] for i in range(1, 5)] == ["dense"] * 4
    assert stacks(layers(("a0", "tanh"), ("a1", "tanh"))) == []  # too few
    assert stacks(layers(("a0", "tanh"), ("b1", "tanh"), ("c2", "tanh"))) == []  # by names no layers of one kind
    different = layers(("a0", "sine"), ("a1", "tanh"), ("a2", "tanh"), ("a3", "tanh"), ("a4", "sine"))
    assert stacks(different) == [("a1 … a3", 3)]


def test_what_a_click_shows() -> None:
    """Labels, kinds, attributes, constants (one that a call passes on, too), the lines of the file and of the model."""
    graph = graph_of(
        unwrap(
            parse("""func.func private @f(%a: tensor<2xf32>, %b: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.compare GT, %a, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %2 = stablehlo.select %1, %a, %0 : tensor<2xi1>, tensor<2xf32>
  return %2 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> tensor<f32> {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = func.call @f(%x, %half) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.reduce(%0 init: %half) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32> loc(callsite("a/reduce"("model.py":3:4) at "train.py":7:1))
  %2 = stablehlo.custom_call @mystery(%1) : (tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
""")
        )
    )
    found = [graph.details[n[-2]] for n in graph.nodes]
    labels = ["", "broadcast", "compare GT", "select", "reduce add", "mystery", ""]
    kinds = ["argument", "data movement", "elementwise", "elementwise", "reduction", "custom call", "result"]
    assert [d[0] for d in found] == labels and [d[1] for d in found] == kinds
    assert graph.operands[1] == [("tensor<f32>", "0.5 : tensor<f32>")]
    assert graph.operands[4] == [("tensor<2xf32>", [3]), ("tensor<f32>", "0.5 : tensor<f32>")]
    assert dict(found[4][2]) == {"dimensions": "array<i64: 0>"}
    assert graph.lines[1] == (2,) and graph.lines[4] == (10, "model.py:3", "train.py:7")


def test_long_constants_are_cut() -> None:
    text = """func.func @main(%x: tensor<99xi32>) -> tensor<99xi32> {
  %c = stablehlo.constant dense<[ELEMENTS]> : tensor<99xi32>
  %0 = stablehlo.add %x, %c : tensor<99xi32>
  return %0 : tensor<99xi32>
}""".replace("ELEMENTS", ", ".join(map(str, range(99))))
    constant = graph_of(unwrap(parse(text))).operands[1][1][1]
    assert constant == ", ".join(map(str, range(16))) + ", … : tensor<99xi32>"


def test_names_in_a_file_stay_data() -> None:
    page = page_text("<b>", graph_of(unwrap(parse(HOSTILE))))
    assert "alert(1)</script>" not in page and "<img" not in page and "<b>" not in page.partition('id="data">')[2]
    assert (
        "http://" not in page.replace("http://www.w3.org/2000/svg", "") and "src=" not in page.partition('id="data"')[0]
    )


@needs_browser
def test_a_page_in_a_browser(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    arguments = ["view", str(BY_NAME["keras_resnet_block"].path), "-o", str(page)]
    assert main([*arguments, "--time", "--seconds", "0.05", "--vs-xla"]) == 0
    (found,) = node("view.mjs", page, tmp_path / "page.png")
    assert found["errors"] == [] and len(found["requests"]) == 1
    outputs = ["out0 4×16×16×8 f32", *(f"out{i} 8 f32" for i in range(1, 5))]
    assert found["folded"]["nodes"] == ["jit(resnet_block) 114 nodes", *outputs]
    assert found["folded"]["scopes"] == [] and found["unfolded"]["scopes"] == ["jit(resnet_block)"]
    assert {"conv2d 2 nodes", "batch_normalization 52 nodes"} <= set(found["unfolded"]["nodes"])
    assert set(found["unfolded"]["captions"]) == {"4×16×16×8 f32", "8 f32"}
    assert {"broadcast 4×16×16×8 f32", "reduce add 8 f32", "compare GT i1"} <= set(found["whole"]["nodes"])
    assert found["unfolded"]["crossing"] == {"frames": 0, "titles": 0, "captions": 0}
    data = data_of(page)
    assert len(found["whole"]["nodes"]) == len(data["nodes"]) and len(found["whole"]["scopes"]) == len(data["scopes"])
    assert found["whole"]["edges"] == sum(len(n[-1]) for n in data["nodes"])
    assert found["whole"]["crossing"] == {"frames": 0, "titles": 0, "captions": 0}
    assert found["colours"].pop("none") == 1 and found["colours"].pop("kind") == 5
    assert found["legend"] == ["argument", "result", "product", "elementwise", "data movement", "reduction"]
    assert list(found["colours"]) == ["flops", "bytes", "time", "error"] and min(found["colours"].values()) > 1
    assert len(found["hits"]) == 2 and "jit(resnet_block)/conv2d/conv_general_dilated" in found["revealed"]
    assert "1,179,648" in found["revealed"] and "convolution 4×16×16×8 f32" in found["found"]
    assert "attribute padding" in found["revealed"] and "keras_resnet_block.mlir:" in found["revealed"]
    linked = found["linked"]
    assert linked["same"] and linked["kept"] == 1 and linked["details"] == found["revealed"]
    assert linked["dark"] != linked["light"] and linked["light"] == ["rgb(34, 34, 34)", "rgb(255, 255, 255)"]


@needs_browser
def test_gpt_2_is_small_and_draws(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["view", str(FOLDER / "benchmark" / "gpt2_small.mlir"), "-o", str(page)]) == 0
    assert page.stat().st_size < 5e6
    (found,) = node("view.mjs", page, tmp_path / "page.png")
    data = data_of(page)
    assert found["errors"] == [] and len(found["whole"]["nodes"]) == len(data["nodes"]) > 700
    assert len(found["whole"]["scopes"]) == len(data["scopes"])
    assert found["whole"]["crossing"] == {"frames": 0, "titles": 0, "captions": 0}
    assert [n for n in found["first"]["nodes"] if n.startswith("h_")] == ["h_0 … h_11 12 layers, 1668 nodes"]
    assert found["first"]["stacks"] == [3]
    assert found["folded"]["map"] == "hidden" and found["whole"]["map"] == "visible" and found["whole"]["moved"]
    assert found["whole"]["edges"] == sum(len(n[-1]) for n in data["nodes"])
