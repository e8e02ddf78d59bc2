"""tinygrad's devices: what they are called, whether they open, what they can hold."""

from __future__ import annotations

import os
import re
import shutil
from typing import Any

from tinygrad import Device, dtypes
from tinygrad.helpers import getenv
from tinygrad.runtime.support.compiler_cpu import ClangCompiler

from .. import forking
from ..compiler import clang
from ..errors import InputError
from .settings import OurClang, lowering_settings

# The launches of a device other than the CPU share its queue.
launching = forking.awaited_lock()


allocators: dict[str, Any] = {}

# What tinygrad has for a device, with the number of one of several.
DEVICE = re.compile(r"\w+(:[0-9]{1,4})?", re.ASCII)


def open_device(device: str | None) -> str:
    """The canonical name of a device, opened: tinygrad's default one when None.

    Raises:
        InputError: tinygrad has no such device, or it does not open here.
    """
    if device is not None and not isinstance(device, str):
        raise InputError(f"device is {device!r}, expected the name of a tinygrad device, such as 'CPU'")
    if device is not None and not DEVICE.fullmatch(device):
        message = "expected a name such as CPU, CUDA, METAL or CL, perhaps with a number, as in CUDA:1"
        raise InputError(f"tinygrad cannot open device {device!r}: {message}")
    with lowering_settings():
        missing: InputError | None = None
        try:
            if device is None or device.upper().split(":")[0] == "CPU":
                clang()
        except InputError as error:
            if device is not None:
                raise
            missing = error
        try:
            name = canonical_name(device)
            opened = Device[name]
        except Exception as error:
            if missing is not None:
                raise missing from error
            wanted = "any device" if device is None else f"device {device!r}"
            raise InputError(f"tinygrad cannot open {wanted}: {error or error.__class__.__name__}") from error
        if opened.runtime_t is None or name.split(":")[0] == "NULL":
            raise InputError(f"the device {name} computes nothing; expected one such as CPU, CUDA, METAL or CL")
        allocators[name] = opened.allocator
        if type(opened.renderer.compiler) is ClangCompiler and not finds_clang():
            # By itself tinygrad could not have opened the device; a user's own kernels are compiled with this too.
            opened.renderer.compiler = OurClang(opened.renderer.compiler)
    return name


def canonical_name(device: str | None) -> str:
    """The canonical name of a device. tinygrad writes the default one that it finds to the environment too."""
    before = os.environ.get("DEV")
    try:
        name: str = Device.canonicalize(device)
    finally:
        if before is None:
            os.environ.pop("DEV", None)
    return name


def finds_clang() -> bool:
    """Whether the compiler that tinygrad would run is the clang that we find."""
    program = getenv("CC", "clang")
    return clang() == [shutil.which(program) or program]


def has_float64(device: str) -> bool:
    """Whether a device's kernels may hold float64 at all: Metal's, WebGPU's and some of OpenCL's may not."""
    if device.split(":")[0] == "CPU":  # which need not be opened for that
        return True
    return dtypes.double in Device[device].renderer.supported_dtypes()
