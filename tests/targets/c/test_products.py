"""Our own products of matrices, against numpy's."""

from __future__ import annotations

import ctypes
import mmap
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ml_dtypes import bfloat16

from hlo2tiny.machine.compiler import clang, zig_clang
from hlo2tiny.plan.gemm import USUAL_ROWS
from hlo2tiny.targets.c import shipped
from hlo2tiny.targets.c.code import LoadedLibrary, load_library
from hlo2tiny.targets.c.linking import LIBRARY, Build, this_machine
from hlo2tiny.targets.c.packing import Packing, width_of
from hlo2tiny.targets.c.products import FEW, WIDENING
from hlo2tiny.targets.c.templates import library_text, tile_size, units_of

# Of narrow numbers, as product.c counts them.
KINDS = {"bfloat16": 1, "float16": 2, "int8": 3, "uint8": 4, "int16": 5, "uint16": 6}
DTYPES = {"s": np.float32, "d": np.float64, "i": np.int32}
# Tiles whole and broken in both directions; few rows; deeper than a panel; wide enough to be pieces; near and far B.
SHAPES = [(1, 1, 1), (6, 64, 8), (13, 33, 7), (5, 70, 300), (250, 17, 40), (3, 2100, 5), (30, 6, 600), (129, 200, 257)]
SHAPES += [(1, 900, 70), (2, 2100, 19), (12, 130, 33), (40, 1200, 140), (300, 700, 130)]
SHAPES += [(17, 1030, 300), (30, 3, 200), (70, 85, 6), (8, 200, 12), (12, 10, 24)]


class Product(ctypes.Structure):
    names = ("m", "n", "k", "a_row", "a_column", "b_row", "b_column", "a_narrow", "narrow", "usual", "group", "width")
    _fields_ = [(name, ctypes.c_long) for name in (*names, "rank")] + [
        (name, ctypes.POINTER(ctypes.c_long)) for name in ("batch", "a_batch", "b_batch")
    ]


# Processors that have less than this one. AVX-VNNI without AVX-512 is what a wheel has no code of its own for.
LEVELS = {**shipped.LEVELS}
LEVELS["avxvnni"] = shipped.above(LEVELS["avx2"], "avx_vnni", "-mavxvnni", ())


class Library:
    """Our products as programs have them, each of which is compiled when it is first called."""

    def __init__(self, machine: Sequence[str]) -> None:
        self.machine, self.loaded = machine, list[LoadedLibrary]()
        self.tile = tuple(map(int, tile_size("product", machine).split()))

    def __getattr__(self, name: str) -> Any:
        if not name.endswith("product"):
            raise AttributeError(name)
        with Build(self.machine) as build:
            for text in units_of(name):
                build.add(text, *LIBRARY)
            self.loaded.append(load_library(build.link()))
        function = getattr(self.loaded[-1].functions, name)
        setattr(self, name, function)
        return function


@pytest.fixture(
    scope="module",
    params=[
        *(pytest.param(level, marks=pytest.mark.ci) for level in ("common", "avx2", "avx512")),
        pytest.param("avxvnni", marks=pytest.mark.night),
        "native",
    ],
)
def library(request: pytest.FixtureRequest) -> Library:
    """For the least processors of this kind, and for this one."""
    if request.param == "native":
        return Library(this_machine())
    level = LEVELS[request.param]
    if "x86_64" not in PROCESSOR:
        pytest.skip("another kind of processor")
    if missing := level.features - {*PROCESSOR.split()}:
        pytest.skip(f"a processor without {min(missing)}")
    return Library(level.options)


def test_compilers_warn_of_nothing() -> None:
    command = [*clang(), "-x", "c", "-fsyntax-only", "-Wall", "-Werror", *this_machine(), "-"]
    subprocess.run(command, input=library_text(), text=True, check=True)


def processor() -> str:
    import platform
    from pathlib import Path

    known = Path("/proc/cpuinfo")
    return platform.machine() + " " + (known.read_text(encoding="utf-8") if known.exists() else "")


PROCESSOR = processor()
PARALLEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long)
KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_long, ctypes.c_long)


def longs(numbers: Sequence[int]) -> ctypes.Array[ctypes.c_long]:
    return (ctypes.c_long * max(1, len(numbers)))(*numbers)


def multiplied(
    library: Library,
    letter: str,
    a: np.ndarray,
    b: np.ndarray,
    parallel: bool,
    packing: Packing | None = None,
    usual: int = 0,
) -> np.ndarray:
    """The product of two arrays of matrices, whatever their distances; the second may be packed.

    Rows are multiplied as if there were `usual` of them, if that is not 0.
    """
    steps = [[s // x.itemsize for s in x.strides] for x in (a, b)]
    batch = a.shape[:-2]
    lists = [longs(batch), *(longs(s[:-2]) for s in steps)]
    p = Product(
        a.shape[-2],
        b.shape[-1],
        a.shape[-1],
        *steps[0][-2:],
        *(steps[1][-2:] if packing is None else (packing.width, 1)),
        *(KINDS.get(x.dtype.name, 0) for x in (a, b)),
        usual or a.shape[-2],
        0,
        packing.width if packing else 0,
        len(batch),
        *lists,
    )
    behind = 100
    out = np.full(int(np.prod(batch)) * p.m * p.n + behind, 77, DTYPES[letter])

    @PARALLEL
    def two_threads(kernel: int, buffers: int, size: int) -> None:
        KERNEL(kernel)(buffers, size // 2, size)
        KERNEL(kernel)(buffers, 0, size // 2)

    right = b if packing is None else packing.pack(b)
    places = [ctypes.c_void_p(x.ctypes.data) for x in (a, right, out)]
    function = WIDENING[letter] if p.a_narrow or p.narrow else letter
    if a.dtype == b.dtype and a.dtype.name in ("bfloat16", "float16"):
        function = a.dtype.name.replace("bfloat16", "p")[0]
    elif {a.dtype.name, b.dtype.name} <= {"int8", "uint8"}:
        function = "o" if a.dtype == np.int8 else "u"
    getattr(library, f"{function}product")(
        ctypes.byref(p), *places[:2], None, places[2], two_threads if parallel else None, None
    )
    np.testing.assert_array_equal(out[-behind:], 77)
    return out[:-behind].reshape(*batch, p.m, p.n)


@pytest.mark.sampled(5, ci=5)
@pytest.mark.parametrize("letter", "sd")
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_products(library: Library, letter: str, shape: tuple[int, int, int]) -> None:
    (m, n, k), random, dtype = shape, np.random.RandomState(0), DTYPES[letter]
    for a_turned, b_turned, apart, parallel in product((False, True), (False, True), (0, 3), (False, True)):
        a = matrices(random, (), m, k, a_turned, apart, dtype)
        b = matrices(random, (), k, n, b_turned, apart, dtype)
        expected, scale = a.astype(float) @ b, np.abs(a) @ np.abs(b)
        found = multiplied(library, letter, a, b, parallel)
        assert np.all(np.abs(found - expected) <= 2 * np.finfo(dtype).eps * (k + 1) * scale)


@pytest.mark.sampled(5, ci=5)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, bfloat16])
@pytest.mark.parametrize(("m", "n"), [(1, 16), (1, 70), (2, 5), (4, 40), (12, 33), (15, 600), (60, 30), (200, 3)])
def test_long_sums_are_exact(library: Library, dtype: type, m: int, n: int) -> None:
    """Adding 12,000 terms one after the other would have an error of 1.7e-6."""
    random, k = np.random.RandomState(0), 12_000
    for a_turned, b_turned in product((False, True), (False, True)):
        a = abs(matrices(random, (), m, k, a_turned, 0, np.float32)).astype(dtype)
        b = abs(matrices(random, (), k, n, b_turned, 0, np.float32)).astype(dtype)
        found = multiplied(library, "s", a, b, False)
        assert np.sqrt(np.mean((found / (a.astype(float) @ b.astype(float)) - 1) ** 2)) < 4e-7


@pytest.mark.sampled(5, ci=5)
@pytest.mark.skipif(sys.platform != "linux", reason="memory is protected as on Linux")
@pytest.mark.parametrize(("letter", "dtype"), [("s", np.float32), ("d", np.float64), ("i", np.int8), ("i", np.uint8)])
@pytest.mark.parametrize("n", [1, 3, 7, 10, 17, 33, 65])
def test_nothing_is_read_after_a_matrix(library: Library, letter: str, dtype: type, n: int) -> None:
    """Rows that are read in place may end within a vector; the matrix ends where no memory may be read."""
    random = np.random.RandomState(0)
    with memory_before_none() as memory:
        for m, k, apart in ((4, 1, 0), (4, 300, 0), (30, 130, 0), (30, 9, 5), (12, 128, 20)):
            count = (k - 1) * (n + apart) + n
            numbers = memory[-count * np.dtype(dtype).itemsize :].view(dtype)
            numbers[:] = np.abs(9 * random.standard_normal(count))
            b = np.lib.stride_tricks.as_strided(numbers, (k, n), ((n + apart) * numbers.itemsize, numbers.itemsize))
            a = matrices(random, (), m, k, False, 0, dtype)
            padded = np.zeros((k, n + 100), dtype)
            padded[:, :n] = b
            np.testing.assert_array_equal(
                multiplied(library, letter, a, b, False), multiplied(library, letter, a, padded[:, :n], False)
            )


@pytest.mark.sampled(5, ci=5)
@pytest.mark.skipif(sys.platform != "linux", reason="memory is protected as on Linux")
@pytest.mark.parametrize(
    ("letter", "dtype"),
    [("s", np.float32), ("d", np.float64), ("s", bfloat16), ("s", np.float16), ("i", np.int8), ("i", np.uint8)],
)
@pytest.mark.parametrize("k", [1, 3, 7, 9, 15, 16, 20, 33, 100])
def test_short_columns(library: Library, letter: str, dtype: type, k: int) -> None:
    """They are transposed together with what follows them, but the matrix ends where no memory may be read."""
    random, size = np.random.RandomState(0), np.dtype(dtype).itemsize
    with memory_before_none() as memory:
        for m, n, apart in product((1, 2, 30), (15, 16, 17, 70), (0, 3, 60)):
            count = (n - 1) * (k + apart) + k
            numbers = memory[-count * size :].view(dtype)
            numbers[:] = np.abs(9 * random.standard_normal(count)).astype(dtype)
            b = np.lib.stride_tricks.as_strided(numbers, (k, n), (size, (k + apart) * size))
            a = matrices(random, (), m, k, False, 0, dtype)
            expected = a.astype(float) @ b.astype(float)
            found = multiplied(library, letter, a, b, False)
            assert np.abs(found - expected).max() <= 2e-6 * (np.abs(a.astype(float)) @ b.astype(float)).max()


@contextmanager
def memory_before_none() -> Iterator[np.ndarray]:
    """Bytes after which no memory may be read."""
    page = mmap.PAGESIZE
    memory = np.frombuffer(mmap.mmap(-1, 40 * page), np.uint8)
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    assert protect(memory.ctypes.data + 39 * page, page, 0) == 0
    try:
        yield memory[: 39 * page]
    finally:
        protect(memory.ctypes.data + 39 * page, page, 3)


@pytest.mark.sampled(5, ci=5)
@pytest.mark.parametrize("letter", "sd")
@pytest.mark.parametrize(
    "shape", [(1, 300, 77), (13, 33, 7), (250, 17, 40), (49, 112, 300), (129, 200, 257), (300, 700, 520)], ids=str
)
def test_packed_matrices(library: Library, letter: str, shape: tuple[int, int, int]) -> None:
    """The numbers are the same, bit by bit, as of a matrix that is read where it lies."""
    (m, n, k), random, dtype = shape, np.random.RandomState(0), DTYPES[letter]
    size, vectors = library.tile
    width = width_of(n, size // np.dtype(dtype).itemsize, vectors)
    for a_turned, b_turned, parallel in product((False, True), (False, True), (False, True)):
        a, b = (
            random.standard_normal(sizes[::-1]).T if turned else random.standard_normal(sizes)
            for sizes, turned in (((m, k), a_turned), ((k, n), b_turned))
        )
        a, b = a.astype(dtype), b.astype(dtype)
        packing = Packing(k, n, *(s // b.itemsize for s in b.strides), width)
        np.testing.assert_array_equal(packing.unpack(packing.pack(b), (k * n,)), b.ravel("K"))
        if m > FEW or not b_turned:
            found = multiplied(library, letter, a, b, parallel, packing)
            np.testing.assert_array_equal(found, multiplied(library, letter, a, b, parallel))


@pytest.mark.parametrize("letter", "sdi")
@pytest.mark.parametrize("shape", [(16, 70, 300), (31, 1000, 257), (64, 1500, 130), (120, 900, 140)], ids=str)
def test_columns_read_in_place(library: ctypes.CDLL, letter: str, shape: tuple[int, int, int]) -> None:
    """Columns of B are not copied if rows of A are fewer; the numbers are those of a B that is stored by rows."""
    (m, n, k), random, dtype = shape, np.random.RandomState(0), DTYPES[letter]
    for a_turned, apart, parallel in product((False, True), (0, 3), (False, True)):
        a = matrices(random, (), m, k, a_turned, apart, dtype)
        b = matrices(random, (), k, n, True, apart, dtype)
        expected = multiplied(library, letter, a, np.ascontiguousarray(b), parallel)
        np.testing.assert_array_equal(multiplied(library, letter, a, b, parallel), expected)


@pytest.mark.parametrize(("letter", "a_type", "b_type"), [
    ("s", np.float32, np.float32), ("d", np.float64, np.float64),
    ("s", bfloat16, bfloat16), ("s", np.float16, np.float16), ("s", np.float32, np.float16),
])  # fmt: skip
def test_a_row_has_the_bits_that_it_has_alone(library: Library, letter: str, a_type: type, b_type: type) -> None:
    random, most = np.random.RandomState(0), 70
    for (n, k), turned in product(
        (
            (1, 300),
            (2, 300),
            (3, 40),
            (4, 129),
            (16, 40),
            (32, 9),
            (48, 37),
            (64, 300),
            (33, 129),
            (77, 300),
            (130, 9),
            (901, 300),
        ),
        (False, True),
    ):
        a = matrices(random, (), most, k, False, 0, np.float32).astype(a_type)
        b = matrices(random, (), k, n, turned, 0, np.float32).astype(b_type, order="K")
        expected = multiplied(library, letter, a, b, True, usual=USUAL_ROWS)
        for m in (1, 2, 3, 5, 12, 13, 40):
            found = multiplied(library, letter, a[7 : 7 + m], b, False, usual=USUAL_ROWS)
            np.testing.assert_array_equal(found, expected[7 : 7 + m], f"{m} rows, {k}×{n}, {turned}")


@pytest.mark.parametrize("batch", [(1,), (12,), (2, 3), (2, 1, 2)], ids=str)
def test_batches(library: Library, batch: tuple[int, ...]) -> None:
    random = np.random.RandomState(0)
    for m, n, k in [(32, 16, 32), (64, 64, 130), (1, 40, 20), (9, 1, 30)]:
        a, b = matrices(random, batch, m, k, False, 0, np.float32), matrices(random, batch, k, n, True, 0, np.float32)
        np.testing.assert_allclose(multiplied(library, "s", a, b, True), a @ b, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(multiplied(library, "s", a[:, ::-1], b, False), a[:, ::-1] @ b, rtol=1e-4, atol=1e-4)


@pytest.mark.sampled(6, ci=6)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("narrow", [bfloat16, np.float16])
def test_narrow_matrices(library: Library, shape: tuple[int, int, int], narrow: type) -> None:
    """Narrow numbers are widened as they are copied: the products are those of the wide matrix."""
    (m, n, k), random = shape, np.random.RandomState(0)
    for turned, batch, parallel in product((False, True), ((), (2,)), (False, True)):
        a = matrices(random, batch, m, k, False, 0, np.float32)
        b = matrices(random, batch, k, n, turned, 3, np.float32).astype(narrow, order="K")
        narrow_a = [matrices(random, batch, m, k, turned, n, np.float32).astype(narrow, order="K") for n in (0, 5)]
        for x in (a, *narrow_a):
            found = multiplied(library, "s", x, b, parallel)
            wide, scale = x.astype(float) @ b.astype(float), np.abs(x.astype(float)) @ np.abs(b.astype(float))
            assert np.all(np.abs(found - wide) <= 2 * np.finfo(np.float32).eps * (k + 1) * scale)


@pytest.mark.parametrize("narrow", [bfloat16, np.float16])
def test_each_narrow_number(library: Library, narrow: type) -> None:
    b = np.arange(1 << 16, dtype=np.uint16).view(narrow).reshape(1, -1)
    found = multiplied(library, "s", np.ones((1, 1), np.float32), b, False)
    np.testing.assert_array_equal(found, b.astype(np.float32))


@pytest.mark.sampled(9, ci=9)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("narrow", [np.int32, np.int8, np.uint8, np.int16, np.uint16])
def test_integers_wrap(library: Library, shape: tuple[int, int, int], narrow: type) -> None:
    (m, n, k), random, limits = shape, np.random.RandomState(0), np.iinfo(narrow)
    for turned, batch, parallel in product((False, True), ((), (2,)), (False, True)):
        a = random.randint(-(2**31), 2**31, (*batch, m, k)).astype(np.int32)
        b = random.randint(limits.min, limits.max + 1, (*batch, n, k) if turned else (*batch, k, n)).astype(narrow)
        b = np.swapaxes(b, -1, -2) if turned else b
        np.testing.assert_array_equal(multiplied(library, "i", a, b, parallel), a @ b.astype(np.int32))
        for kind in (np.int8, np.uint8, np.uint16):
            c = matrices(random, batch, m, k, turned, 3, np.float32)
            c = (100 * c).astype(np.int32).astype(kind, order="K")
            expected = c.astype(np.int32) @ b.astype(np.int32)
            np.testing.assert_array_equal(multiplied(library, "i", c, b, parallel), expected)


# Products of bytes in all layouts, each beside a loop; exits with how many differ.
BYTES_MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
static unsigned char a[120000], b[120000];
static int c[40000];
static long check(int letter, int kind, long m, long n, long k, int a_turned, int b_turned) {
  const long ar = a_turned ? 1 : k + 3, ac = a_turned ? m : 1, br = b_turned ? 1 : n, bc = b_turned ? k + 1 : 1;
  const struct product p = {m, n, k, ar, ac, br, bc, letter, kind, m, 0, 0, 0, 0, 0, 0};
  (letter == I8 ? oproduct : uproduct)(&p, a, b, 0, c, 0, 0);
  long wrong = 0;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      int sum = 0;
      for (long l = 0; l < k; l++)
        sum += widened_int(letter, a, i * ar + l * ac) * widened_int(kind, b, l * br + j * bc);
      wrong += sum != c[i * n + j];
    }
  return wrong;
}
int main(void) {
  const long sizes[][3] = {{1, 1, 1}, {1, 70, 300}, {2, 33, 67}, {13, 33, 7}, {12, 7, 40}, {30, 65, 130},
                           {130, 70, 600}};
  long wrong = 0;
  for (long i = 0; i < 120000; i++) a[i] = rand() >> 7, b[i] = rand() >> 7;
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int i = 0; i < 16; i++)
      wrong += check(i & 1 ? I8 : UI8, i & 2 ? I8 : UI8, sizes[s][0], sizes[s][1], sizes[s][2], i & 4, i & 8);
  printf("%ld\n", wrong);
  return wrong != 0;
}
"""


@pytest.mark.ci
@pytest.mark.parametrize("processor", ["generic+dotprod", pytest.param("generic", marks=pytest.mark.night)])
def test_bytes_on_other_processors(processor: str, tmp_path: Path) -> None:
    if not shutil.which("qemu-aarch64-static"):
        pytest.skip("no emulator: qemu-aarch64-static")
    (tmp_path / "bytes.c").write_text(library_text("ou") + BYTES_MAIN)
    options = f"--target=aarch64-linux-musl -mcpu={processor} -static -fwrapv".split()
    command = [zig_clang()[0], "cc", *options, *LIBRARY]
    subprocess.run([*command, str(tmp_path / "bytes.c"), "-o", str(tmp_path / "bytes")], check=True)
    subprocess.run(["qemu-aarch64-static", "-cpu", "max", str(tmp_path / "bytes")], check=True)


@pytest.mark.sampled(7, ci=7)
@pytest.mark.parametrize(("k", "group"), [(384, 64), (384, 6), (384, 192), (384, 384), (8064, 64)])
@pytest.mark.parametrize("kind", ["int8", "int4"])
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 40])
def test_scales(library: Library, rows: int, kind: str, k: int, group: int) -> None:
    """Each group of numbers of a column has a scale; bytes hold one number or two."""
    random, n = np.random.RandomState(0), 71
    a = random.standard_normal((rows, k)).astype(np.float32)
    b = (
        random.randint(-8, 8, (n, k)).astype(np.int8)
        if kind == "int4"
        else random.randint(-128, 128, (n, k)).astype(np.int8)
    )
    stored = (b[:, ::2] & 15) | (b[:, 1::2] << 4) if kind == "int4" else b
    scales = random.uniform(0.5, 2, (n, k // group)).astype(np.float32)
    wide = (b.astype(float) * np.repeat(scales, group, 1)).T
    for x in (a, np.asfortranarray(a)):
        steps = [s // 4 for s in x.strides]
        p = Product(
            rows, n, k, *steps, 1, k, 0, 3 if kind == "int8" else 7, rows, group, 0, 0, *(longs(()) for _ in range(3))
        )
        out = np.empty((rows, n), np.float32)
        places = [ctypes.c_void_p(y.ctypes.data) for y in (x, stored, scales, out)]
        library.qproduct(ctypes.byref(p), *places, None, None)
        scale = np.abs(a) @ np.abs(wide)
        assert np.all(np.abs(out - a @ wide) <= 2 * np.finfo(np.float32).eps * (k + 1) * scale)


@pytest.mark.parametrize("dtype", [np.float32, bfloat16])
@pytest.mark.parametrize("rows", [7, 20])
def test_what_is_not_finite(library: Library, dtype: type, rows: int) -> None:
    """Padding of tiles and of pairs must not reach the result: infinity times its zeros would be NaN."""
    a, b = np.ones((rows, 9), dtype), np.ones((9, 35), dtype)
    a[2, 3], b[4, 34] = np.inf, np.nan
    found = multiplied(library, "s", a, b, False)
    expected = np.full((rows, 35), 9.0)
    expected[2], expected[:, 34] = np.inf, np.nan
    np.testing.assert_array_equal(found, expected)


def matrices(
    random: np.random.RandomState,
    batch: tuple[int, ...],
    rows: int,
    columns: int,
    turned: bool,
    apart: int,
    dtype: type,
) -> np.ndarray:
    """Random numbers in rows, or columns, that have `apart` numbers between them."""
    height, width = (columns, rows) if turned else (rows, columns)
    values = random.standard_normal((*batch, height, width + apart)).astype(dtype)[..., :width]
    return np.swapaxes(values, -1, -2) if turned else values


def test_attention_and_products_have_units_in_common() -> None:
    """They are the same text, so that the cache has their code once."""
    assert {text.partition("\n")[2] for text in units_of("dproduct")} == {library_text("d")}
    assert len(set(units_of("sattention")) & set(units_of("sproduct"))) == 2
