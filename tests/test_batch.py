"""Programs over tables: `Predictor` in plain loops, under Dask and Ray, and `hlo2tiny map` with its interruptions."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

import hlo2tiny
from hlo2tiny.batch import Predictor, parquet
from hlo2tiny.batch.columns import arrow_column, column_of
from hlo2tiny.batch.parquet import Job, MapOptions
from hlo2tiny.cli import main
from hlo2tiny.commands.extras import joined_ray
from hlo2tiny.program.custom_calls import _custom_calls
from hlo2tiny.program.rows import Rows

PRODUCT = """func.func @main(%x: tensor<?x2x3xf32> loc("x"), %s: tensor<?xf32> loc("scale"))
    -> (tensor<?x2x3xf32> {jax.result_info = "y"}, tensor<?xf32> {jax.result_info = "total"}) {
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2x3xf32>) -> tensor<i32>
  %rest = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %one = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %one, %rest, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [0] : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x2x3xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<?x2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1, 2]
    : (tensor<?x2x3xf32>, tensor<f32>) -> tensor<?xf32>
  return %1, %2 : tensor<?x2x3xf32>, tensor<?xf32>
}"""
NEGATE = """func.func @main(%x: tensor<?xi32> loc("x")) -> (tensor<?xi32> {jax.result_info = "y"}) {
  %0 = stablehlo.negate %x : tensor<?xi32>
  return %0 : tensor<?xi32>
}"""
LENGTHS = """func.func @main(%x: tensor<?x?xf32> loc("x")) -> (tensor<?x?xf32> {jax.result_info = "y"}) {
  %0 = stablehlo.negate %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}"""
PICKY = """func.func @main(%x: tensor<4xi32> loc("x")) -> (tensor<4xi32> {jax.result_info = "y"}) {
  %0 = stablehlo.custom_call @picky(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}"""


def product_rows(count: int) -> dict[str, np.ndarray]:
    random = np.random.RandomState(0)
    return {
        "id": np.arange(count),
        "x": random.standard_normal((count, 2, 3)).astype(np.float32),
        "scale": random.standard_normal(count).astype(np.float32),
    }


def check_products(columns: Any, rows: dict[str, np.ndarray]) -> None:
    want = rows["x"] * rows["scale"][:, None, None]
    np.testing.assert_array_equal(np.stack(list(columns["y"])), want)
    np.testing.assert_allclose(np.asarray(columns["total"]), want.sum((1, 2)), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(np.asarray(columns["id"]), rows["id"])


# ---------------------------------------------------------------- rows


@pytest.mark.parametrize(
    "count, pieces", [(1, [1]), (4, [4]), (11, [8, 4]), (8, [8]), (5, [4, 1]), (7, [8]), (24, [8] * 3)]
)
def test_pieces_are_of_few_sizes(count: int, pieces: list[int]) -> None:
    rows = Rows(hlo2tiny.load(NEGATE, "CPU"), 8)
    assert (rows.sizes, rows.pieces(count)) == ((1, 2, 4, 8), pieces)
    x = np.arange(count, dtype=np.int32)
    np.testing.assert_array_equal(rows([x])[0], -x)


def test_pieces_are_padded_by_at_most_a_third() -> None:
    rows = Rows(hlo2tiny.load(NEGATE, "CPU"), 100)
    for count in range(1, 500):
        pieces = rows.pieces(count)
        assert sum(pieces[:-1]) < count <= sum(pieces) <= count * 4 / 3
        assert set(pieces) <= {1, 2, 4, 8, 16, 32, 64, 100}


def test_pieces_are_those_that_take_least_time() -> None:
    """Where a row costs the same in every size, none is padded; where a call does, one is better than two."""
    rows = Rows(hlo2tiny.load(NEGATE, "CPU"), 8)
    rows.measure()
    assert list(rows.seconds) == [1, 2, 4, 8] and min(rows.seconds.values()) > 0
    rows.seconds = {size: 0.1 * size for size in rows.sizes}
    assert (rows.pieces(7), rows.pieces(11)) == ([4, 2, 1], [8, 2, 1])
    assert [rows.next_size(count) for count in (1, 3, 30)] == [1, 1, 1]
    rows.seconds = {size: 1 + 0.01 * size for size in rows.sizes}
    assert (rows.pieces(5), rows.pieces(9)) == ([8], [8, 1])
    assert [rows.next_size(count) for count in (1, 3, 30)] == [1, 4, 8]


def test_arguments_with_different_numbers_of_rows() -> None:
    rows = Rows(hlo2tiny.load(PRODUCT, "CPU"))
    with pytest.raises(hlo2tiny.InputError, match="scale has 3 rows, but x has 2"):
        rows([np.ones((2, 2, 3), np.float32), np.ones(3, np.float32)])


def test_a_fixed_first_dimension_is_the_only_size() -> None:
    text = NEGATE.replace("?", "4")
    predictor = Predictor(text, "CPU")
    np.testing.assert_array_equal(predictor({"x": np.arange(6, dtype=np.int32)})["y"], -np.arange(6))


def test_a_program_without_rows_is_called_for_each() -> None:
    predictor = Predictor(NEGATE.replace("?x", "2x3x"), "CPU")
    x = np.arange(30, dtype=np.int32).reshape(5, 2, 3)
    np.testing.assert_array_equal(predictor({"x": x})["y"], -x)


def test_rows_that_depend_on_each_other_are_refused() -> None:
    sums = """func.func @main(%x: tensor<4xf32> loc("x")) -> tensor<4xf32> {
      %0 = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    with pytest.raises(hlo2tiny.InputError, match="results depend on the other rows of its batch"):
        Predictor(sums, "CPU")({"x": np.ones(8, np.float32)})


# ---------------------------------------------------------------- columns


def as_lists(rows: dict[str, np.ndarray]) -> pa.Table:
    return pa.table({name: array.tolist() for name, array in rows.items()})


def as_tensors(rows: dict[str, np.ndarray]) -> pa.Table:
    return pa.table({name: arrow_column(array) for name, array in rows.items()})


def as_flat_lists(rows: dict[str, np.ndarray]) -> pa.Table:
    return pa.table({name: x.reshape(len(x), -1).tolist() if x.ndim > 1 else x for name, x in rows.items()})


def test_a_dict_of_arrays() -> None:
    rows = product_rows(9)
    check_products(Predictor(PRODUCT, "CPU", batch=4)(rows), rows)


@pytest.mark.parametrize("table", [as_lists, as_tensors, as_flat_lists])
@pytest.mark.parametrize("as_batch", [False, True])
def test_arrow(table: Any, as_batch: bool) -> None:
    rows = product_rows(9)
    given = table(rows)
    given = given.to_batches()[0] if as_batch else given
    found = Predictor(PRODUCT, "CPU", cast=True)(given)
    assert type(found) is type(given) and found.schema.names == ["id", "y", "total"]
    assert isinstance(found.schema.field("y").type, pa.FixedShapeTensorType)
    check_products({name: column_of(found.column(name)) for name in found.schema.names}, rows)


def test_a_data_frame() -> None:
    rows = product_rows(5)
    found = Predictor(PRODUCT, "CPU", cast=True)(as_flat_lists(rows).to_pandas())
    assert list(found.columns) == ["id", "y", "total"]
    check_products(found, rows)


def test_rows_of_several_lengths() -> None:
    values = [[1.0], [2.0, 3.0], [4.0], []]
    table = pa.table({"x": pa.array(values, pa.list_(pa.float32()))})
    found = Predictor(LENGTHS, "CPU")(table)
    assert found.column("y").to_pylist() == [[-x for x in row] for row in values]


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.float16, np.float64, np.complex64, "bfloat16"])
def test_results_as_arrow_columns(dtype: Any) -> None:
    import ml_dtypes

    array = np.array([[0, 1], [1, 0]]).astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    for x in (array, array[:, 0]):
        found = column_of(arrow_column(x))
        want = np.stack([x.real, x.imag], -1) if x.dtype.kind == "c" else x
        np.testing.assert_array_equal(found.astype(np.float64), want.astype(np.float64))


def test_other_names_and_what_is_kept() -> None:
    predictor = Predictor(NEGATE, "CPU", columns={"x": "number"}, keep=["number"])
    found = predictor({"number": np.array([1, 2], np.int32), "rest": np.array([0, 0])})
    assert list(found) == ["number", "y"] and found["y"].tolist() == [-1, -2]


@pytest.mark.parametrize(
    "column, message",
    [
        (np.array([1, 1 << 40]), "row 1 of the batch: column 'x' has numbers of int64 that int32 cannot hold exactly"),
        (np.array([1.5]), "row 0 of the batch: column 'x' has numbers of float64 that int32 cannot hold exactly"),
        (np.ones((1, 2), np.int32), "row 0 of the batch: column 'x' has rows of the shape [2], expected int32[?]"),
        (np.array([None, 1, None], object), "row 0 of the batch: column 'x' has no value (and 1 more row)"),
        (np.array([1, "a"], object), "row 1 of the batch: column 'x' has values other than numbers in this row,"
         " expected int32[?]"),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_used(column: np.ndarray, message: str) -> None:
    with pytest.raises(hlo2tiny.InputError) as raised:
        Predictor(NEGATE, "CPU")({"x": column})
    assert str(raised.value) == message


def test_numbers_that_fit_need_no_cast() -> None:
    predictor = Predictor(NEGATE, "CPU")
    assert predictor({"x": np.array([1, 2])})["y"].tolist() == [-1, -2]
    assert predictor({"x": np.array([1, 2], np.uint8)})["y"].tolist() == [-1, -2]
    x = np.array([0.1])
    with pytest.raises(hlo2tiny.InputError, match="cannot hold exactly"):
        Predictor(NEGATE.replace("i32", "f32"), "CPU")({"x": x})
    assert Predictor(NEGATE.replace("i32", "f32"), "CPU", cast=True)({"x": x})["y"] == -np.float32(0.1)


@pytest.mark.parametrize(
    "options, message",
    [
        ({}, "there is no column 'x', which the program takes; the columns are a, y"),
        (
            {"columns": {"x": "b"}},
            "there is no column 'b', which the program's argument 'x' takes; the columns are a, y",
        ),
        ({"columns": {"z": "a"}}, "the program has no argument 'z'; it has x"),
        ({"columns": {"x": "a"}, "keep": ["c"]}, "there is no column 'c' to keep; the columns are a, y"),
        ({"columns": {"x": "a"}}, "the column 'y' has the name of a result; leave it out of the columns to keep"),
    ],
)
def test_columns_that_there_are_not(options: dict[str, Any], message: str) -> None:
    batch = {"a": np.ones(2, np.int32), "y": np.ones(2, np.int32)}
    with pytest.raises(hlo2tiny.InputError) as raised:
        Predictor(NEGATE, "CPU", **options)(batch)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    "options", [{"batch": 0}, {"batch": 1.5}, {"batch": 1 << 40}, {"keep": "id"}, {"columns": "x"}]
)
def test_options_of_the_wrong_kind(options: dict[str, Any]) -> None:
    """A batch of no rows never ended."""
    with pytest.raises(hlo2tiny.InputError, match=f"{next(iter(options))} is .*, expected "):
        Predictor(NEGATE, "CPU", **options)


def test_rounding_does_not_make_numbers_infinite() -> None:
    predictor = Predictor(NEGATE.replace("i32", "f32"), "CPU", cast=True)
    results, good, failures = predictor.predict({"x": np.array([0.1, 1e300, np.inf, -1e39])})
    assert good == [0, 2] and results["y"].tolist() == [-np.float32(0.1), -np.inf]
    assert failures == dict.fromkeys((1, 3), "column 'x' has numbers of float64 that float32 cannot hold")


def test_whole_numbers_that_float64_does_not_hold() -> None:
    predictor = Predictor(NEGATE.replace("i32", "f64"), "CPU")
    _, good, failures = predictor.predict({"x": np.array([1 << 53, (1 << 53) + 1, (1 << 63) - 1])})
    assert good == [0] and failures[1] == "column 'x' has numbers of int64 that float64 cannot hold exactly"


def test_masks_in_rows_and_missing_values_of_pandas() -> None:
    import pandas as pd

    predictor = Predictor(NEGATE.replace("?xi32", "?x2xf32"), "CPU")
    row = np.ma.masked_array(np.ones(2, np.float32), [False, True])
    objects = np.empty(1, object)
    objects[0] = row
    for batch in ({"x": [row]}, {"x": objects}, pd.DataFrame({"x": [row]})):
        with pytest.raises(hlo2tiny.InputError, match="column 'x' holds a masked array"):
            predictor(batch)
    frame = pd.DataFrame({"x": pd.array([1.0, None], dtype="Float32")})
    with pytest.raises(hlo2tiny.InputError, match="row 1 of the batch: column 'x' has no value"):
        Predictor(NEGATE.replace("i32", "f32"), "CPU")(frame)


def test_a_row_that_fails_does_not_take_others_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlo2tiny.program.custom_calls._custom_calls", dict(_custom_calls))

    @hlo2tiny.custom_call("picky")
    def picky(x: np.ndarray) -> np.ndarray:
        if (x == 13).any():
            raise RuntimeError("not this number")
        return x

    predictor = Predictor(PICKY, "CPU")
    results, good, failures = predictor.predict({"x": np.arange(10, 17, dtype=np.int32)})
    assert (good, failures) == ([0, 1, 2, 4, 5, 6], {3: "RuntimeError: not this number"})
    assert results["y"].tolist() == [10, 11, 12, 14, 15, 16]


# ---------------------------------------------------------------- hlo2tiny map


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program, and two files of three row groups each with bad rows among them."""
    (tmp_path / "model.mlir").write_text(NEGATE)
    for name, first in (("a", 0), ("b", 100)):
        values = [None if i == 5 else (1 << 40) + i if i == 12 else first + i for i in range(25)]
        table = pa.table({"id": [first + i for i in range(25)], "x": pa.array(values, pa.int64())})
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=10)
    return tmp_path


def map_rows(folder: Path, *more: object, code: int = 0) -> None:
    arguments = ["map", folder / "model.mlir", "--input", folder / "*.parquet", "--output", folder / "out"]
    assert main([str(x) for x in (*arguments, "--batch", 4, "--device", "CPU", *more)]) == code


def check_output(folder: Path) -> None:
    """Every row is there once, in the results or among those that failed."""
    good = pa.dataset.dataset(folder / "out", exclude_invalid_files=False, ignore_prefixes=[".", "_", "failed"])
    rows = {row["id"]: row["y"] for row in good.to_table().to_pylist()}
    wanted = {first + i for first in (0, 100) for i in range(25) if i not in (5, 12)}
    assert good.count_rows() == len(rows) and rows == {i: -i for i in wanted}
    failed = pq.read_table(folder / "out" / "failed").sort_by("id").to_pylist()
    assert [row["id"] for row in failed] == [5, 12, 105, 112]
    assert [(Path(row["_file"]).name, row["_row"]) for row in failed] == [
        (f, i) for f in ("a.parquet", "b.parquet") for i in (5, 12)
    ]
    assert failed[0]["_reason"] == "column 'x' has no value" and failed[1]["x"] == (1 << 40) + 12


@pytest.mark.parametrize("workers", [1, 2])
def test_map(folder: Path, capsys: pytest.CaptureFixture[str], workers: int) -> None:
    map_rows(folder, "--workers", workers)
    assert capsys.readouterr().out == f"46 rows written to {folder}/out; 4 rows failed, see {folder}/out/failed\n"
    check_output(folder)
    map_rows(folder, "--workers", workers)  # nothing is left to do
    assert capsys.readouterr().out.startswith("50 of 50 rows are already done\n46 rows written")
    check_output(folder)


def test_an_interrupted_run_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = hlo2tiny.load(folder / "model.mlir", "CPU")
    digest = hlo2tiny.formats.ProgramFile(folder / "model.mlir").digest
    job = Job(program, str(folder / "*.parquet"), str(folder / "out"), MapOptions({}, None, 4), digest)
    steps = job.run()
    assert [next(steps).name for _ in range(2)] == ["part-00000-00000.parquet", "part-00000-00001.parquet"]
    # As if it ended after the failed rows of the next piece were written, and in the middle of its part.
    part, failed = folder / "out" / "part-00000-00001.parquet", folder / "out" / "failed" / "part-00000-00001.parquet"
    part.rename(folder / "out" / ".half")
    assert failed.exists()
    times = {path: path.stat().st_mtime_ns for path in (folder / "out").glob("part-*")}
    map_rows(folder)
    assert "10 of 50 rows are already done" in capsys.readouterr().out
    assert times.items() <= {path: path.stat().st_mtime_ns for path in (folder / "out").glob("part-*")}.items()
    check_output(folder)


def test_an_interruption_between_failed_rows_and_their_part(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever file is written last when a process ends, no row is lost."""
    writes = parquet.write_whole
    for most in (1, 1, 3, 2):
        left = [most]

        def write(system: Any, path: str, data: Any) -> None:
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            writes(system, path, data)

        monkeypatch.setattr(parquet, "write_whole", write)
        with pytest.raises(KeyboardInterrupt):
            main(["map", str(folder / "model.mlir"), "--input", str(folder / "*.parquet"), "--output",
                  str(folder / "out"), "--batch", "4", "--device", "CPU"])  # fmt: skip
    monkeypatch.undo()
    map_rows(folder)
    check_output(folder)


@pytest.mark.ci
@pytest.mark.parametrize("workers", [1, 2])
def test_files_that_cannot_be_read_do_not_end_a_run(
    folder: Path, capsys: pytest.CaptureFixture[str], workers: int
) -> None:
    """They are listed beside the results, and the others go on."""
    whole = (folder / "a.parquet").read_bytes()
    (folder / "empty.parquet").touch()
    (folder / "half.parquet").write_bytes(whole[: len(whole) // 2])
    pq.write_table(pa.table({"z": [1]}), folder / "other.parquet")
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["x", "x"])
    pq.write_table(twice, folder / "twice.parquet")
    page = pq.read_metadata(folder / "a.parquet").row_group(1).column(1).data_page_offset
    damaged = bytearray(whole)
    damaged[page : page + 30] = b"\xff" * 30
    (folder / "page.parquet").write_bytes(damaged)

    for _ in range(2):  # the second run tries them again
        map_rows(folder, "--workers", workers, code=1)
        printed = capsys.readouterr()
        assert "60 rows written" in printed.out  # 23 + 23, and 14 of page.parquet
        assert printed.err.splitlines()[-1] == (
            f"hlo2tiny: error: 5 files could not be read, see {folder}/out/_unreadable.json"
        )
        found = {Path(entry["file"]).name: entry for entry in json.loads((folder / "out/_unreadable.json").read_text())}
        assert {name: entry.get("row_group") for name, entry in found.items()} == {
            "empty.parquet": None,
            "half.parquet": None,
            "other.parquet": None,
            "page.parquet": 1,
            "twice.parquet": None,
        }
        assert all(entry["reason"].startswith(entry["file"]) for entry in found.values())
        missing = "there is no column 'x', which the program takes; the columns are z"
        assert found["other.parquet"]["reason"].endswith(missing)
        assert found["twice.parquet"]["reason"].endswith("2 columns are named 'x'; rename all but one")


def test_a_damaged_part_is_made_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    map_rows(folder)
    (folder / "out" / "part-00000-00001.parquet").write_bytes(b"PAR1")
    map_rows(folder)
    check_output(folder)


def test_a_damaged_record_of_a_run_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    map_rows(folder)
    for text in ("", "{", "[]3", "[1]", "[" * 100_000):
        (folder / "out" / "_hlo2tiny.json").write_text(text)
        map_rows(folder, code=1)
        assert "_hlo2tiny.json: this file is damaged" in capsys.readouterr().err


ENDLESS = """func.func @main(%x: tensor<i32> loc("x")) -> (tensor<i32> {jax.result_info = "y"}) {
  %r = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %z = stablehlo.constant dense<7> : tensor<i32>
    %p = stablehlo.compare EQ, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %r : tensor<i32>
}"""  # for 7 only
COUNTED = """
import multiprocessing, os, sys, threading, time
from hlo2tiny.__main__ import main

def tell():
    while len(children := multiprocessing.active_children()) < 2:
        time.sleep(0.01)
    print(*(child.pid for child in children), flush=True)

if __name__ == "__main__":
    threading.Thread(target=tell, daemon=True).start()
    sys.exit(main())
"""


def is_running(process: int) -> bool:
    try:
        return " Z" not in Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2][:3]
    except FileNotFoundError:
        return False


def await_that(condition: Any) -> None:
    end = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.sampled(3)
@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_a_run_that_does_not_end(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "model.mlir").write_text(ENDLESS)
    (tmp_path / "counted.py").write_text(COUNTED)
    # A row group before the one that does not end, whose part shows that a process is at work.
    pq.write_table(pa.table({"x": pa.array([1, 7, 7], pa.int32())}), tmp_path / "rows.parquet", row_group_size=1)
    arguments = ["map", "model.mlir", "--input", "rows.parquet", "--output", "out", "--device", "CPU", "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "counted.py", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    children = list(map(int, process.stdout.readline().split()))
    await_that(lambda: list((tmp_path / "out").glob("part-*")))
    process.send_signal(number)
    _, errors = process.communicate(timeout=100)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert "Traceback" not in errors and "error" not in errors
    await_that(lambda: not any(map(is_running, children)))


@pytest.mark.ci
def test_rows_that_take_too_long_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.mlir").write_text(ENDLESS)
    pq.write_table(pa.table({"x": pa.array([1, 7, 2], pa.int32())}), tmp_path / "rows.parquet")
    map_rows(tmp_path, "--timeout", 3)
    assert capsys.readouterr().out.startswith("2 rows written to")
    (failed,) = pq.read_table(tmp_path / "out" / "failed").to_pylist()
    assert failed["x"] == 7 and failed["_reason"].startswith("no result in 3 s")


@pytest.mark.night
def test_map_on_s3(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of S3 on this machine, whose address is in the URIs."""
    moto = pytest.importorskip("moto.server")
    from pyarrow import fs

    for name, value in (("ACCESS_KEY_ID", "a"), ("SECRET_ACCESS_KEY", "b"), ("EC2_METADATA_DISABLED", "true")):
        monkeypatch.setenv(f"AWS_{name}", value)
    server = moto.ThreadedMotoServer(port=0)
    server.start()
    try:
        address = f"127.0.0.1:{server.get_host_and_port()[1]}"
        system = fs.S3FileSystem(endpoint_override=address, scheme="http", allow_bucket_creation=True)
        system.create_dir("bucket/in")
        fs.copy_files(str(folder), "bucket/in", destination_filesystem=system)
        query = f"?endpoint_override={address}&scheme=http"
        given = "map", folder / "model.mlir", "--input", f"s3://bucket/in/*.parquet{query}", "--output"
        for done in ("", "50 of 50 rows are already done"):
            assert main([*map(str, given), f"s3://bucket/out{query}", "--batch", "4"]) == 0
            assert done in capsys.readouterr().out
        fs.copy_files("bucket/out", str(folder / "out"), source_filesystem=system)
    finally:
        server.stop()
    check_output(folder)


@pytest.mark.night
@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter")
def test_a_killed_process_leaves_whole_parts_only(folder: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "hlo2tiny",
        "map",
        "model.mlir",
        "--input",
        "*.parquet",
        "--output",
        "out",
        "--batch",
        "4",
    ]
    environment = {**os.environ, "DEV": "CPU"}
    parts: dict[Path, int] = {}
    for iteration in range(4):  # each is killed when it has written one more, or is about to
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        while process.poll() is None and len(list(folder.glob("out/**/part-*"))) <= 2 * iteration:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        written = {part: part.stat().st_mtime_ns for part in folder.glob("out/part-*")}
        assert all(pq.read_metadata(part).num_rows for part in written) and parts.items() <= written.items()
        parts = written
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    check_output(folder)


def test_a_piece_of_bad_rows_only_is_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.mlir").write_text(NEGATE)
    pq.write_table(pa.table({"x": pa.array([None, None], pa.int32())}), tmp_path / "a.parquet")
    map_rows(tmp_path)
    map_rows(tmp_path)
    out = capsys.readouterr().out.splitlines()
    assert out[1] == "2 of 2 rows are already done" and out[0] == out[2] and out[0].startswith("0 rows written")


def test_a_file_of_arguments_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So that the results are the only columns."""
    (tmp_path / "model.mlir").write_text(NEGATE)
    pq.write_table(pa.table({"x": pa.array([3, None, 5], pa.int32())}), tmp_path / "a.parquet")
    map_rows(tmp_path)
    assert "2 rows written" in capsys.readouterr().out
    assert pq.read_table(tmp_path / "out" / "part-00000-00000.parquet").to_pydict() == {"y": [-3, -5]}


def test_uris_and_tensors(tmp_path: Path) -> None:
    """A URI is handled as s3:// is; tensors are read and written as Arrow's."""
    (tmp_path / "model.mlir").write_text(PRODUCT)
    rows = product_rows(7)
    pq.write_table(as_tensors(rows), tmp_path / "a.parquet")
    uri = tmp_path.as_uri()
    arguments = ["map", str(tmp_path / "model.mlir"), "--input", f"{uri}/?.parquet", "--output", f"{uri}/out"]
    assert main([*arguments, "--device", "CPU"]) == 0
    found = pq.read_table(tmp_path / "out" / "part-00000-00000.parquet")
    check_products({name: column_of(found.column(name)) for name in found.schema.names}, rows)


@pytest.mark.parametrize(
    "change, message",
    [
        (["--input", "none*.parquet"], "none*.parquet: there is no such file"),
        (["--input", "model.mlir"], "model.mlir: this is not a valid Parquet file: "),
        (["--input", "other.pq"], "other.pq: there is no column 'x', which the program takes; the columns are z"),
        (["--output", "other.pq"], "other.pq: this folder cannot be created: File exists"),
        (["--output", "full"], "full: this folder is not empty and holds no run to resume"),
        (["--input", "nowhere://x/*.parquet"], "nowhere://x: this is not a file path or URI: "),
        (["--column", "x"], "--column x: expected ARGUMENT=COLUMN"),
        (["--batch", "0"], "--batch 0: expected a positive integer"),
    ],
)
def test_bad_input_is_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], change: list[str], message: str
) -> None:
    monkeypatch.chdir(folder)
    Path("full").mkdir()
    Path("full/x").touch()
    pq.write_table(pa.table({"z": [1]}), "other.pq")
    arguments = ["map", "model.mlir", "--input", "a.parquet", "--output", "out", *change]
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert message in error and error.startswith("hlo2tiny: error: ") and error.count("\n") == 1


def test_another_run_does_not_go_into_the_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    map_rows(folder)
    map_rows(folder, "--cast", code=1)
    assert "holds the results of a run with different options; choose another folder" in capsys.readouterr().err
    pq.write_table(pa.table({"id": [1], "x": [2]}), folder / "b.parquet")
    map_rows(folder, code=1)
    assert "holds the results of a run with different input files" in capsys.readouterr().err
    (folder / "model.mlir").write_text(NEGATE + "\n")
    map_rows(folder, code=1)
    assert "holds the results of a run with a different program" in capsys.readouterr().err
    assert json.loads((folder / "out" / "_hlo2tiny.json").read_text())["hlo2tiny"] == 1


def test_what_is_not_installed_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    map_rows(folder, "--ray", "local", code=1)
    assert "this needs ray, which is not installed: pip install 'hlo2tiny[ray]'" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_a_cluster_that_there_is_not(address: str) -> None:
    message = f"--ray {address}: there is no Ray cluster at this address: "
    with pytest.raises(hlo2tiny.InputError, match=message), joined_ray(address):
        pass


# ---------------------------------------------------------------- other people's engines


@pytest.mark.night  # CI runs the page about it, in threads
def test_dask(tmp_path: Path) -> None:
    """Under Dask, a table in several partitions, each in a process that gets the predictor's program by pickle."""
    dataframe = pytest.importorskip("dask.dataframe")
    (tmp_path / "model.mlir").write_text(NEGATE)
    import pandas as pd

    frame = pd.DataFrame({"id": np.arange(20), "x": np.arange(20, dtype=np.int32)})
    parts = dataframe.from_pandas(frame, npartitions=3)
    program = hlo2tiny.load(tmp_path / "model.mlir", "CPU")
    meta = pd.DataFrame({"id": np.empty(0, np.int64), "y": np.empty(0, np.int32)})
    found = parts.map_partitions(predict_partition, program, meta=meta).compute(scheduler="processes", num_workers=2)
    assert found["y"].tolist() == (-np.arange(20)).tolist() and found["id"].tolist() == list(range(20))


def predict_partition(frame: Any, program: hlo2tiny.Program) -> Any:
    return Predictor(program)(frame)


def test_sparks_way_through_record_batches() -> None:
    """`mapInArrow` hands a function an iterator of record batches in a process that got it by pickle."""
    predictor = Predictor(pickle.loads(pickle.dumps(hlo2tiny.load(NEGATE, "CPU"))))
    batches = pa.table({"x": pa.array(range(10), pa.int32())}).to_batches(max_chunksize=4)
    found = pa.Table.from_batches(map(predictor, batches))
    assert found.column("y").to_pylist() == [-i for i in range(10)]


@pytest.mark.night
def test_ray_data(folder: Path) -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        data = ray.data.from_numpy(np.arange(10, dtype=np.int32))
        how = {"fn_constructor_args": (str(folder / "model.mlir"), "CPU"), "batch_size": 4, "concurrency": 2}
        names = {"columns": {"x": "data"}, "keep": []}
        found = data.map_batches(Predictor, fn_constructor_kwargs=names, **how).take_all()
        assert sorted(row["y"] for row in found) == [-i for i in range(9, -1, -1)]
    finally:
        ray.shutdown()


@pytest.mark.night
def test_map_on_ray(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray")
    map_rows(folder, "--ray", "local", "--workers", 2)
    assert "46 rows written" in capsys.readouterr().out
    check_output(folder)
