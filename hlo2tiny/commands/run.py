"""`hlo2tiny run`: a program on arrays."""

from __future__ import annotations

import argparse
import zipfile

import numpy as np

from ..errors import printable_name
from ..output import expect_writable, written
from ..program.arguments import name_arguments
from .convert import unlike
from .inputs import bits_of, devices_of, gather_inputs, load_with_progress
from .terminal import show, waiting

# How many numbers are summarised at a time.
PIECE = 1 << 20


def run(options: argparse.Namespace) -> int:
    if options.save is not None:
        expect_writable(options.save, "--save")
    program = load_with_progress(options.file, options, devices_of(options.device))
    inputs = gather_inputs(program.inputs, options)
    with waiting("running"):
        results = program.numpy_one_by_one(inputs)
    names = unlike(name_arguments(program.outputs, "out"))
    for name, array in zip(names, results):
        show(f"{printable_name(name)}: {array.dtype}{list(array.shape)} {summary(array)}")
    if options.save is not None:
        save(options.save, dict(zip(names, results)))
    return 0


def summary(array: np.ndarray) -> str:
    """An array's range, mean, number of non-finite elements, and first elements."""
    if array.size == 0:
        return "empty"
    flat = array.reshape(-1)
    first = ", ".join(f"{x:.6g}" if array.dtype.kind in "fc" else str(x) for x in flat[:4])
    more = ", …" if array.size > 4 else ""
    if array.dtype.kind == "c":
        return f"[{first}{more}]"
    count, total, least, most = 0, 0.0, np.inf, -np.inf
    for start in range(0, flat.size, PIECE):
        numbers = flat[start : start + PIECE].astype(np.float64)
        finite = numbers[np.isfinite(numbers)]
        if finite.size:
            count, total = count + finite.size, total + float(finite.mean()) * finite.size
            least, most = min(least, float(np.min(finite))), max(most, float(np.max(finite)))
    odd = f" non-finite {flat.size - count}" if count < flat.size else ""
    if count == 0:
        return f"[{first}{more}]{odd}"
    return f"min {least:.6g} max {most:.6g} mean {total / count:.6g}{odd} [{first}{more}]"


def save(path: str, arrays: dict[str, np.ndarray]) -> None:
    """Write a .npz archive, completely or not at all. Dtypes that the format lacks are saved as their bits."""
    with written(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            key = printable_name(name)
            if array.dtype.isbuiltin != 1:
                key, array = f"{key}.{array.dtype.name}", array.view(bits_of(array.dtype))
            # numpy.savez cannot write an array that is named "file".
            with archive.open(f"{key}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
