"""`python -m hlo2tiny.targets.cuda` compiles what a wheel ships, unless it is there; see shipped.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

from ...rules.digits import FOLDS, KINDS, WIDTHS
from ...rules.scatters import FOLDING_TABLES, WIDE_FLOATS
from ...tinygrad.dtypes import NARROW_FLOATS
from . import shipped
from .compiling import compile_one, text_with_numbers
from .in_order import TYPES
from .kernels import SORTING, TOGETHER, CudaKernel, KernelParameter, call_kernel

# The types of what is folded, in memory.
STORED = {**TYPES, "i32": "int", "i64": "long"}


def kernels() -> Iterator[CudaKernel]:
    """The kernels that call functions of sorting.cu."""
    packed, number = "long", "int"
    yield kernel("scan_digits", [0, 1], 1, 256, [number], [number])
    for width in WIDTHS:
        yield kernel(f"count_digits<{width}>", [0, 1], 3, 256, [number], [number])
        yield kernel(f"sort_digits<{width}, false>", [0, 1, 2, 2, 3], 3, 256, [number] * 2, [number] * 2)
        for moved in (number, "float", "unsigned short"):
            given = [number, moved], [number, moved, number]
            yield kernel(f"sort_digits<{width}, true>", [*range(5)], 3, 256, *given)
        for moved in ("double", "float", "unsigned short"):
            given = [number, moved], [number, moved, number]
            yield kernel(f"sort_rows_by_digit<{width}>", [*range(5)], 4, 256, *given)
    yield kernel("sort_rows<true>", [0, 1, 2, 3], 3, 128, [number] * 3, [number])
    yield kernel("sort_rows<false>", [0, 0, 1, 2], 3, 128, [packed, number], [number])
    yield kernel("minima", [0, 1], 2, 256, [number], [number])
    yield kernel("smallest<false>", [0, 1, 1], 4, 128, [number], [number])
    yield kernel("smallest<true>", [0, 1, 2], 4, 128, [number], [number] * 2)
    yield kernel("merge_rows<true>", [*range(5)], 1, 128, [number] * 3, [packed, number])
    yield kernel("merge_rows<false>", [0, 0, 1, 2, 3], 1, 128, [packed, number], [packed, number])
    for (element, stored), fold in product(STORED.items(), FOLDS.values()):
        for name, numbers, threads in (("fold_runs", 3, 128), ("fold_columns", 4, 256)):
            name = f"{name}<{TOGETHER}{fold}, {TOGETHER}{KINDS[element]}>"
            yield kernel(name, [*range(6)], numbers, threads, [stored, stored, number], [number, stored, number])
        for name, threads in (("scan_tiles", 128), ("scan_columns", 256)):
            name = f"{name}<{TOGETHER}{fold}, {TOGETHER}{KINDS[element]}>"
            yield kernel(name, [*range(3)], 5, threads, [stored], [stored, stored])
        if element in WIDE_FLOATS and fold in ("Sum", "Product"):  # others are combined in any order
            types, wide = f"<{TOGETHER}{fold}, {TOGETHER}{KINDS[element]}", "double" if element == "f64" else "float"
            for size in FOLDING_TABLES:
                name, given = f"fold_in_tables{types}, {size}>", ([wide, number], [number, stored])
                yield kernel(name, [0, 1, 2, 3, 2], 8, 256, *given)
                yield kernel(name, [*range(5)], 8, 256, given[0], [*given[1], number])
            yield kernel(f"fold_tables{types}>", [0, 1, 2], 3, 256, [stored], [wide, number])
        if fold not in ("Sum", "Product") or element not in NARROW_FLOATS:  # which windows add up in f32
            name = f"fold_windows<{TOGETHER}{fold}, {TOGETHER}{KINDS[element]}>"
            yield kernel(name, [0, 1], 8, 256, [stored], [stored])


def kernel(
    function: str, places: Sequence[int], numbers: int, threads: int, written: Sequence[str], read: Sequence[str]
) -> CudaKernel:
    """A call with these parameters, and so many numbers, by so many threads; see `called_kernel`."""
    kinds = [*((kind, True) for kind in written), *((kind, False) for kind in read)]
    parameters = tuple(KernelParameter(f"{kind}*", f"data{n}", writes) for n, (kind, writes) in enumerate(kinds))
    return call_kernel(
        CudaKernel(
            "", parameters, "", (), (1, 1, 1), (threads, 1, 1), False, (), files=(SORTING,), numbers=(0,) * numbers
        ),
        f"{TOGETHER}{function}",
        places,
    )


def places() -> dict[Path, tuple[str, str]]:
    """What is shipped: files, and of each one the source and the kind of GPU."""
    texts = [text_with_numbers(each) for each in kernels()]
    return {shipped.place(text, arch): (text, arch) for arch in shipped.ARCHITECTURES for text in texts}


def compile_to(place: Path, source: tuple[str, str]) -> None:
    place.write_bytes(compile_one(*source))


def compile_all() -> None:
    """Compile everything that is not there, and remove what there is of other sources."""
    shipped.FOLDER.mkdir(exist_ok=True)
    files = places()
    for old in {*shipped.FOLDER.iterdir()} - files.keys():
        old.unlink()
    new = {place: source for place, source in files.items() if not place.exists()}
    with ProcessPoolExecutor() as pool:
        list(pool.map(compile_to, new, new.values()))


if __name__ == "__main__":
    compile_all()
