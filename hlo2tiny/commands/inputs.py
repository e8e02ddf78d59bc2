"""The arrays and programs that commands run, from their options."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, count_text, printable_name
from ..files import open_regular
from ..ir.dtypes import NUMPY
from ..program import Program, load
from ..program.arguments import Argument, name_arguments, random_array
from ..targets import expect_devices, open_device
from ..timeout import time_limit, unfinished
from .terminal import waiting

# The dtypes that the .npy format lacks, by name.
EXTENDED = {dtype.name: dtype for dtype in NUMPY.values() if dtype.isbuiltin != 1}
Pairs = list[tuple[str, np.ndarray]]  # names and arrays


def load_with_progress(path: str, options: argparse.Namespace, device: str | tuple[str, ...] | None) -> Program:
    how: dict[str, Any] = {name: getattr(options, name, None) for name in ("weights", "entry")}
    how |= running_options(options)
    how["precision"] = getattr(options, "precision", "default")
    with time_limit(options.timeout, unfinished):
        with waiting(f"loading {Path(path).name}"):
            program = load(Path(path), device, **how)
        with waiting("compiling") as report:
            program.compile(report)
    return program


def devices_of(text: str | None) -> str | tuple[str, ...] | None:
    """The devices of `--device`, as `load` takes them."""
    return tuple(text.split(",")) if text and "," in text else text


def processors_of(text: str | None) -> str | tuple[str, ...]:
    """The devices of a `--device` that names the CPU, or several of it."""
    devices = devices_of(text) or "CPU"
    if isinstance(devices, str) and devices.upper() != "CPU":
        raise InputError(f"--device {text}: expected CPU, or several, such as CPU:0,CPU:1")
    return devices


def expect_device(device: str | None) -> str:
    """The device to measure on, which is opened, or several separated by commas; None is the CPU.

    Raises:
        InputError: there is no such device, or programs are not measured there.
    """
    if device is not None and "," in device:
        return ",".join(expect_devices(device.split(",")))
    name = "CPU" if device is None else device.upper().removesuffix(":0")
    if name != "CPU" and name.partition(":")[0] != "CUDA":
        raise InputError(f"--device {device}: bench measures programs on CPU and CUDA")
    return open_device(name)


def running_options(options: argparse.Namespace) -> dict[str, Any]:
    """What `add_running` and `add_handlers` add, as `load` takes it."""
    names = ("threads", "donate", "batch_invariant", "ffi")
    found: dict[str, Any] = {name: getattr(options, name, None) for name in names}
    if found["donate"] is not None:
        found["donate"] = [int(name) if name.isascii() and name.isdecimal() else name for name in found["donate"]]
    return {name: value for name, value in found.items() if value is not None}


def gather_inputs(
    arguments: Sequence[Argument], options: argparse.Namespace, pairs: Pairs | None = None
) -> list[np.ndarray]:
    """The arrays for a program's inputs, in order: those of `--input`, or of `pairs`, and random ones for the rest."""
    pairs = read_inputs(options) if pairs is None else pairs
    names = name_arguments(arguments, "in")
    arrays = {input_number(name, names): array for name, array in pairs}
    missing = [i for i in range(len(arguments)) if i not in arrays]
    if missing and options.random is None:
        lines = [f"  {printable_name(names[i])}: {arguments[i].layout}" for i in missing]
        count = count_text(len(missing), "input is", "inputs are")
        raise InputError("\n".join([f"{count} missing; use --input NAME=FILE.npy or --random SEED:", *lines]))
    generator = np.random.RandomState(options.random)
    shapes = known_shapes(arguments, names, options.shape, arrays)
    return [arrays[i] if i in arrays else random_array(shapes[i], a.dtype, generator) for i, a in enumerate(arguments)]


def known_shapes(
    arguments: Sequence[Argument], names: Sequence[str], sizes: Sequence[str], arrays: Mapping[int, np.ndarray] = {}
) -> list[tuple[int, ...]]:
    """The shapes of the inputs: those of arrays, by number, those of `--shape`, or the declared ones."""
    given = {input_number(name, names): numbers for name, numbers in map(read_shape, sizes)}
    given |= {i: array.shape for i, array in arrays.items()}
    shapes = list[tuple[int, ...]]()
    for i, argument in enumerate(arguments):
        shape = given.get(i, argument.shape)
        shapes.append(tuple(size for size in shape if size is not None))
        if len(shapes[-1]) < len(shape):
            name = printable_name(names[i])
            raise InputError(f"the shape of input {name}: {argument.layout} is open; use --shape {name}=SIZE,SIZE,…")
    return shapes


def read_shape(item: str) -> tuple[str, tuple[int, ...]]:
    """The name and the numbers of one `--shape`."""
    name, _, text = item.rpartition("=")
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not name or not all(part.isascii() and part.isdecimal() and len(part) < 19 for part in parts):
        raise InputError(f"--shape {item}: expected NAME=SIZE,SIZE,…")
    return name, tuple(map(int, parts))


def read_inputs(options: argparse.Namespace) -> Pairs:
    return [pair for item in options.input for pair in read_input(item)]


def read_input(item: str) -> Pairs:
    """The names and arrays of one `--input`: NAME=FILE.npy, or FILE.npz."""
    name, separator, path = item.rpartition("=")
    if not separator and not item.endswith(".npz"):
        raise InputError(f"--input {item}: expected NAME=FILE.npy or FILE.npz")
    try:
        with open(open_regular(path), "rb") as file:
            loaded = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                if not separator:
                    raise InputError(f"--input {item}: a single array needs a name: NAME={path}")
                return [(name, loaded)]
            if separator:
                raise InputError(f"--input {item}: {path} is an archive, whose arrays have names; omit {name}=")
            return [restore_dtype(key, loaded[key]) for key in loaded.files]
    except FileNotFoundError as error:
        raise InputError(f"--input {item}: there is no file {path}") from error
    except InputError:
        raise
    except Exception as error:  # damaged headers and archives fail in many ways
        raise InputError(f"--input {item}: {path} is not a valid .npy or .npz file ({error})") from error


def restore_dtype(name: str, array: np.ndarray) -> tuple[str, np.ndarray]:
    """Undo what `save` does for dtypes that the .npy format lacks: the array's name and the array."""
    base, _, suffix = name.rpartition(".")
    dtype = EXTENDED.get(suffix)
    return (name, array) if not base or dtype is None or array.dtype != bits_of(dtype) else (base, array.view(dtype))


def bits_of(dtype: np.dtype) -> np.dtype:
    """The dtype of integers in which the bits of another dtype are saved."""
    return np.dtype(f"u{dtype.itemsize}")


def input_number(name: str, names: Sequence[str]) -> int:
    """The number of the input that a user names by its name, its number or in0, in1, …"""
    found = find_input(name, names)
    if found is None:
        raise InputError(f"the program has no input {name!r}; it has {', '.join(map(printable_name, names))}")
    return found


def find_input(name: str, names: Sequence[str]) -> int | None:
    """The same; None if there is none."""
    for spelling in (name, as_utf8(name)):
        if spelling in names:
            return names.index(spelling)
    digits = name.removeprefix("in")
    return (
        int(digits)
        if digits.isascii() and digits.isdecimal() and len(digits) < 10 and int(digits) < len(names)
        else None
    )


def as_utf8(text: str) -> str:
    """A name from the command line, decoded as UTF-8 whatever the locale says."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text
