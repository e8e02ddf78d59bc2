"""Files compressed by gzip and zstd, and what a damaged one gets."""

from __future__ import annotations

import contextlib
import gzip
import sys
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.formats import compressed, read, sidecar
from hlo2tiny.formats.artifact import Signature
from hlo2tiny.trees import LEAF, Tree

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = b"""func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %a, %a : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
PACK = {"gzip": gzip.compress, "zstd": zstd.compress}


@pytest.fixture(params=PACK)
def kind(request) -> str:
    return request.param


def test_a_program(kind: str, tmp_path) -> None:
    path = tmp_path / "model"
    path.write_bytes(PACK[kind](TEXT))
    x = np.arange(3, dtype=np.float32)
    np.testing.assert_array_equal(hlo2tiny.load(path, device="CPU").numpy(x)[0], 2 * x)


def test_the_json_of_the_text_counts(kind: str, tmp_path, monkeypatch) -> None:
    """A text of `hlo2tiny.export`, compressed afterwards; from the cache too."""
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    inputs = Tree("tuple", (Tree("tuple", (Tree("dict", (LEAF,), ("x",)),)), Tree("dict")))
    sidecar.write(tmp_path / "model.mlir", TEXT, Signature(inputs, LEAF))
    packed = tmp_path / "model.mlir.packed"
    packed.write_bytes(PACK[kind](TEXT))
    (tmp_path / "model.mlir").unlink()
    x = np.arange(3, dtype=np.float32)
    for _ in range(2):
        np.testing.assert_array_equal(hlo2tiny.load(packed, device="CPU").numpy({"x": x}), 2 * x)


def test_several_parts(kind: str) -> None:
    text = str(read(TEXT).module)
    assert str(read(PACK[kind](TEXT[:40]) + PACK[kind](TEXT[40:])).module) == text


def test_gzip_followed_by_zeros() -> None:
    assert compressed.decompress(gzip.compress(TEXT) + bytes(512), "f") == TEXT


def test_errors_are_about_the_contents(kind: str) -> None:
    with pytest.raises(hlo2tiny.ParseError, match="<bytes>:2:22: unexpected"):
        read(PACK[kind](TEXT.replace(b"add %a, %a", b"add ;")))


def test_a_cut_file(kind: str) -> None:
    data = PACK[kind](TEXT)
    with pytest.raises(
        hlo2tiny.ParseError, match=f"byte {len(data) - 5}: .* {kind}, and it is cut short: its end is missing"
    ):
        read(data[:-5])


def test_something_after_the_end(kind: str) -> None:
    with pytest.raises(hlo2tiny.ParseError, match=f"compressed by {kind}, and it is damaged"):
        read(PACK[kind](TEXT) + b"no such member")


def test_twice(kind: str) -> None:
    with pytest.raises(hlo2tiny.ParseError, match="compressed twice"):
        read(gzip.compress(PACK[kind](TEXT)))


def test_a_bomb(kind: str, monkeypatch) -> None:
    monkeypatch.setattr(compressed, "MOST_UNPACKED", 1 << 16)
    data = PACK[kind](bytes(1 << 22))
    bound = max(1 << 16, 100 * len(data))
    with pytest.raises(hlo2tiny.ParseError, match=f"exceed {bound:,} bytes, for {len(data):,} bytes of file"):
        read(data)


@given(data=st.data())
def test_mutations(data) -> None:
    kind = data.draw(st.sampled_from(sorted(PACK)))
    packed = bytearray(PACK[kind](TEXT))
    for _ in range(data.draw(st.integers(1, 4))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(hlo2tiny.Error):
        read(bytes(packed))


def test_zlib_alone_is_not_taken() -> None:
    with pytest.raises(hlo2tiny.ParseError):
        read(zlib.compress(TEXT))


def test_many_empty_members_are_refused(kind: str) -> None:
    packed = PACK[kind](b"")
    assert compressed.decompress(packed * 1000 + PACK[kind](TEXT), "model") == TEXT
    with pytest.raises(hlo2tiny.ParseError, match="4,097 members for 0 bytes"):
        compressed.decompress(packed * 100_000, "model")


def test_members_of_a_reasonable_size_may_be_many(kind: str) -> None:
    member = b"x" * compressed.LEAST_MEMBER
    count = 3 * compressed.MOST_MEMBERS
    assert compressed.decompress(PACK[kind](member) * count, "model") == member * count


def test_little_of_a_small_member_is_taken(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is taken of a member and lies behind it is copied."""
    taken: list[int] = []
    real = zlib.decompressobj if kind == "gzip" else zstd.ZstdDecompressor

    class Counted:
        def __init__(self, *arguments: object, **named: object) -> None:
            self.stream = real(*arguments, **named)

        def decompress(self, data: bytes, most: int) -> bytes:
            taken.append(len(data))
            return self.stream.decompress(data, most)

        def __getattr__(self, name: str) -> object:
            return getattr(self.stream, name)

    monkeypatch.setattr(
        *((compressed.zlib, "decompressobj") if kind == "gzip" else (zstd, "ZstdDecompressor")), Counted
    )
    compressed.decompress(PACK[kind](b"x") * 1000 + PACK[kind](bytes(range(256)) * 10_000), "model")
    assert sum(taken[:1000]) <= 1000 * compressed.FIRST_CHUNK
