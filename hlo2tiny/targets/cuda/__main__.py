"""`python -m hlo2tiny.targets.cuda` compiles what a wheel ships, unless it is there; see shipped.py."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from . import shipped
from .compiling import called_text, compile_one, for_all_numbers
from .kernels import SORTING, CudaKernel, KernelParameter

# The bits of digits, but for numbers of few bits.
WIDTHS = range(5, 9)


def kernels() -> Iterator[CudaKernel]:
    """The kernels that call functions of sorting.cu."""
    packed, numbers = "long", "int"
    yield kernel("scan_digits(data0, data1, blockIdx.x, 0)", 256, [numbers], [numbers])
    for width in WIDTHS:
        yield kernel(f"count_digits<{width}>(data0, data1, blockIdx.x, 0, 0, 0)", 256, [numbers], [numbers])
        call = f"sort_digits<{width}, false>(data0, data1, data2, data2, data3, blockIdx.x, 0, 0, 0)"
        yield kernel(call, 256, [numbers] * 2, [numbers] * 2)
        call = f"sort_digits<{width}, true>(data0, data1, data2, data3, data4, blockIdx.x, 0, 0, 0)"
        yield kernel(call, 256, [numbers] * 2, [numbers] * 3)
    yield kernel("sort_rows<true>(data0, data1, data2, data3, blockIdx.x, 0, 0, 0)", 128, [numbers] * 3, [numbers])
    yield kernel("sort_rows<false>(data0, data0, data1, data2, blockIdx.x, 0, 0, 0)", 128, [packed, numbers], [numbers])
    yield kernel("smallest<false>(data0, data1, data1, blockIdx.x, 0, 0, 0, 0)", 128, [numbers], [numbers])
    yield kernel("smallest<true>(data0, data1, data2, blockIdx.x, 0, 0, 0, 0)", 128, [numbers], [numbers] * 2)
    yield kernel(
        "merge_rows<true>(data0, data1, data2, data3, data4, blockIdx.x, 0)", 128, [numbers] * 3, [packed, numbers]
    )
    yield kernel(
        "merge_rows<false>(data0, data0, data1, data2, data3, blockIdx.x, 0)", 128, [packed, numbers], [packed, numbers]
    )


def kernel(call: str, threads: int, written: list[str], read: list[str]) -> CudaKernel:
    kinds = [*((kind, True) for kind in written), *((kind, False) for kind in read)]
    parameters = tuple(KernelParameter(f"{kind}*", f"data{n}", writes) for n, (kind, writes) in enumerate(kinds))
    body = f"  block::{call};"
    return CudaKernel("", parameters, body, (), (1, 1, 1), (threads, 1, 1), False, (), files=(SORTING,))


def places() -> dict[Path, tuple[str, str]]:
    """What is shipped: files, and of each one the source and the kind of GPU."""
    texts = [for_all_numbers(called_text(each))[0] for each in kernels()]
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
