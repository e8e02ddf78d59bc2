"""Files of named arrays: every type back exactly, read where they lie, and damaged files refused with the byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlo2tiny.errors import Error, InputError, ParseError
from hlo2tiny.formats.safetensors import DTYPES, read, write


def sample(dtype: np.dtype) -> np.ndarray:
    return np.arange(1, 7).reshape(2, 3).astype(dtype)


def test_every_type_comes_back_from_where_it_lies(tmp_path: Path) -> None:
    arrays = {f"of {name}": sample(dtype) for name, dtype in DTYPES.items()}
    arrays |= {"scalar": np.float32(3).reshape(()), "empty": np.zeros((0, 4)), "strided": np.arange(12.0)[::3]}
    write(tmp_path / "a.safetensors", arrays)
    found = read(tmp_path / "a.safetensors")
    assert set(found) == set(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype and found[name].shape == array.shape
        np.testing.assert_array_equal(found[name], array)
        assert not found[name].flags.owndata and not found[name].flags.writeable


def test_files_of_the_formats_own_package(tmp_path: Path) -> None:
    from safetensors import numpy as package

    arrays = {"a": sample(np.dtype(np.float16)), "b": sample(np.dtype(np.int64)), "c": np.array([True, False])}
    package.save_file(arrays, tmp_path / "theirs.safetensors", metadata={"format": "np"})
    write(tmp_path / "ours.safetensors", arrays)
    for found in (read(tmp_path / "theirs.safetensors"), package.load_file(tmp_path / "ours.safetensors")):
        assert set(found) == set(arrays)
        for name, array in arrays.items():
            np.testing.assert_array_equal(found[name], array)


def test_a_file_that_is_replaced_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    for value in (1, 2):
        write(path, {"x": np.full(3, value)})
        np.testing.assert_array_equal(read(path)["x"], np.full(3, value))


def test_types_that_the_format_lacks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x is int4, a dtype that \.safetensors does not support"):
        write(tmp_path / "a.safetensors", {"x": np.ones(3, ml_dtypes.int4)})
    assert not list(tmp_path.iterdir())


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read(tmp_path / "a.safetensors")
    with pytest.raises(InputError, match="there is no folder"):
        write(tmp_path / "missing" / "a.safetensors", {})


def with_header(header: Any, data: bytes = bytes(8)) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(**changed: Any) -> dict[str, Any]:
    return {"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]} | changed}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "byte 0: the file has 0 bytes"),
        (b"abc", "byte 3: the file has 3 bytes"),
        (b"\xff" * 20, "byte 0: the header would have"),
        (with_header(b"[" * 50_000), "byte 8: the header is not JSON"),
        (with_header([]), "byte 8: the header is not a JSON object"),
        (with_header(b"\xff\xfe"), "byte 8: the header is not JSON"),
        (with_header({"x": 3}), "the array 'x': found 3, expected"),
        (with_header(entry(dtype="F4")), "its type is 'F4'"),
        (with_header(entry(shape=[3])), "it has 8 bytes, which do not fit F32 of shape [3]"),
        (with_header(entry(shape=[-2])), "its shape [-2] is invalid"),
        (with_header(entry(shape=[2**60])), "its shape"),
        (with_header(entry(shape=[2**40, 2**40, 2**40])), "it has 8 bytes"),
        (with_header(entry(shape=[1] * 65, data_offsets=[0, 4])), "it has 4 bytes"),
        (with_header(entry(data_offsets=[0, 16], shape=[4])), "its bytes 0 to 16 are outside the 8 bytes"),
        (with_header(entry(data_offsets=[8, 0])), "bytes 8 to 0"),
        (with_header(entry(more=1)), "expected"),
        (with_header(b'{"x": 1, "x": 2}'), "a name occurs twice"),
    ],
)
def test_damaged_files(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(content)
    with pytest.raises(ParseError) as raised:
        read(path)
    assert message in str(raised.value)


@given(st.binary(max_size=40), st.integers(0, 400))
def test_a_file_with_bytes_replaced_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, piece: bytes, at: int
) -> None:
    path = tmp_path_factory.mktemp("mutated") / "a.safetensors"
    write(path, {"a": sample(np.dtype(np.float32)), "b": sample(np.dtype(np.int8))})
    data = path.read_bytes()
    path.write_bytes(data[:at] + piece + data[at + len(piece) :])
    try:
        for array in read(path).values():
            array.tobytes()
    except Error:
        pass


def test_arrays_that_are_not_aligned_are_copied(tmp_path: Path) -> None:
    header = {"x": {"dtype": "F32", "shape": [1], "data_offsets": [1, 5]}}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (tmp_path / "a.safetensors").write_bytes(with_header(text, b"\0" + np.float32(3).tobytes()))
    found = read(tmp_path / "a.safetensors")["x"]
    assert found.ctypes.data % 4 == 0 and found == 3
