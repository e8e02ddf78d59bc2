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
from hlo2tiny.commands.viewing import graph_of, page_text
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
    name, around = graph.scopes[number]
    return [*(scope_chain(graph, around) if around >= 0 else []), name]


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
    assert found["folded"]["nodes"] == ["jit(resnet_block) (114)", *(f"out{i}" for i in range(5))]
    assert found["folded"]["scopes"] == [] and found["unfolded"]["scopes"] == ["jit(resnet_block)"]
    assert {"conv2d (2)", "batch_normalization (52)"} <= set(found["unfolded"]["nodes"])
    data = data_of(page)
    assert len(found["whole"]["nodes"]) == len(data["nodes"]) and len(found["whole"]["scopes"]) == len(data["scopes"])
    assert found["whole"]["edges"] == sum(len(n[-1]) for n in data["nodes"]) and found["whole"]["crossing"] == 0
    assert found["colours"].pop("none") == 1
    assert list(found["colours"]) == ["flops", "bytes", "time", "error"] and min(found["colours"].values()) > 1
    assert len(found["hits"]) == 2 and "jit(resnet_block)/conv2d/conv_general_dilated" in found["revealed"]
    assert "1,179,648" in found["revealed"] and "stablehlo.convolution" in found["found"]


@needs_browser
def test_gpt_2_is_small_and_draws(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["view", str(FOLDER / "benchmark" / "gpt2_small.mlir"), "-o", str(page)]) == 0
    assert page.stat().st_size < 5e6
    (found,) = node("view.mjs", page, tmp_path / "page.png")
    data = data_of(page)
    assert found["errors"] == [] and len(found["whole"]["nodes"]) == len(data["nodes"]) > 700
    assert len(found["whole"]["scopes"]) == len(data["scopes"]) and found["whole"]["crossing"] == 0
    assert found["whole"]["edges"] == sum(len(n[-1]) for n in data["nodes"])
