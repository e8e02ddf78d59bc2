"""`load(…, batch_invariant=True)`: a row of a batch has the bits that it has alone, however many rows there are."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from batch_rows import BATCHES, LAYERS, MOST, TYPES, arrays_of, expect_rows, expect_rows_of_layers, with_batch
from hypothesis import given, note, settings
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny import InputError
from hlo2tiny.cli import main
from hlo2tiny.plan.gemm import USUAL_ROWS
from hlo2tiny.targets.c import native, render
from hlo2tiny.tinygrad import codegen

# ---------------------------------------------------------------- the corpus


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.parametrize("size", [2, 13])
@pytest.mark.ci
@pytest.mark.sampled(4, ci=4)
def test_rows_of_the_corpus(name: str, size: int) -> None:
    expect_rows(partial(with_batch, name), partial(arrays_of, name), [size])


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.night
@pytest.mark.timeout(1200)
def test_rows_of_the_corpus_in_every_batch(name: str) -> None:
    expect_rows(partial(with_batch, name), partial(arrays_of, name), range(1, MOST + 1))


# ---------------------------------------------------------------- programs that are drawn


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[str], tuple[int, int], str, list[int]]:
    """Layers, the shape of a row, a type, and sizes of a batch."""
    layers = draw(st.lists(st.sampled_from(sorted(LAYERS)), min_size=2, max_size=4))
    shape = 2 * draw(st.integers(1, 80)), 2 * draw(st.integers(1, 50))
    return (
        layers,
        shape,
        draw(st.sampled_from(sorted(TYPES))),
        draw(st.lists(st.integers(2, MOST), min_size=1, max_size=2)),
    )


@settings(max_examples=settings().max_examples // 3)
@given(cases())
def test_rows_of_drawn_programs(case: tuple[list[str], tuple[int, int], str, list[int]]) -> None:
    note(f"layers, the shape of a row, a type, and sizes of a batch: {case}")
    expect_rows_of_layers(*case)


@pytest.mark.sampled(16, ci=4)
@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("shape", [(20, 36), (130, 8)], ids=str)
def test_rows_of_each_layer(layer: str, shape: tuple[int, int]) -> None:
    expect_rows_of_layers([layer, layer], shape, "f32", [2, 29])


# ---------------------------------------------------------------- the option


TEXT = """func.func @main(%x: tensor<?x300xf32>) -> tensor<?x7xf32> {
  %w = stablehlo.constant dense<0.37> : tensor<7x300xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1]
    : (tensor<?x300xf32>, tensor<7x300xf32>) -> tensor<?x7xf32>
  return %0 : tensor<?x7xf32>
}"""


def test_one_row_of_columns_needs_the_option() -> None:
    """Without the option, few rows are multiplied in another order: a test of these tests."""
    rows = np.random.RandomState(0).standard_normal((MOST, 300)).astype(np.float32)

    def alike(**option: bool) -> bool:
        program = hlo2tiny.load(TEXT, "CPU", **option)
        (found,) = program.numpy(rows)
        return found.tobytes() == b"".join(program.numpy(row[None])[0].tobytes() for row in rows)

    assert alike(batch_invariant=True) and not alike()


def test_gradients_keep_the_option() -> None:
    program = hlo2tiny.load(TEXT, "CPU", batch_invariant=True)
    assert program.plan_for([(1, 300)]).invariant and not hlo2tiny.load(TEXT, "CPU").plan_for([(1, 300)]).invariant


def test_other_devices_refuse_it() -> None:
    with pytest.raises(InputError, match="batch_invariant=True: on CL, how sums round depends on how many rows"):
        hlo2tiny.load(TEXT, "CL", batch_invariant=True)


@pytest.mark.parametrize("target", ["web", "bare-arm"])
def test_other_targets_refuse_it(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.mlir").write_text(TEXT)
    command = ["compile", str(tmp_path / "model.mlir"), "-o", str(tmp_path / "made"), "--batch-invariant"]
    assert main([*command, "--target", target]) == 1
    assert f"--batch-invariant: expected a target for the CPU, or cuda, not {target}" in capsys.readouterr().err


def test_c_has_the_same_choices(tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_text(TEXT)
    command = ["compile", str(tmp_path / "model.mlir"), "-o", str(tmp_path / "made"), "--shape", "0=1,300"]
    assert main([*command, "--batch-invariant", "--emit", "c"]) == 0
    sizes = re.search(r"struct product product0 = \{([^(]*)", (tmp_path / "made" / "program.c").read_text())
    assert sizes is not None and sizes[1].split(", ")[9] == str(USUAL_ROWS)


SUM = """func.func @main(%x: tensor<8x64x32xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<8x64x32xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1, 2]
    : (tensor<8x64x32xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}"""


def test_what_was_lowered_before_without_the_option_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the other way round: kernels that are equal until then had the loops of the first program."""

    def kernels(*options: bool) -> str:
        codegen.PROGRAMS.clear()
        for option in options:
            monkeypatch.setattr(render.REGIONS, "regions", {})
            plan = hlo2tiny.load(SUM, "CPU", batch_invariant=option).plan
            with native.render_regions(native.regions_of([plan]), lambda done, total: None) as regions:
                ((_, region),) = regions
        return region.to_text()

    assert kernels(True) == kernels(False, True) and kernels(False) == kernels(True, False)
