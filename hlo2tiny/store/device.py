"""tinygrad's default device."""

from __future__ import annotations

import os

from .. import cache

# Environment variables by which tinygrad chooses a device.
CHOICES = ("DEV", "CPU", "CUDA", "NV", "AMD", "METAL", "CL", "GPU", "QCOM", "WEBGPU", "DSP", "PYTHON", "NULL", "LLVM")


def default_device() -> str:
    """The name of tinygrad's default device. To find it tinygrad opens every device, so the answer is kept."""
    if os.environ.get("DEV") == "CPU":
        return "CPU"
    try:
        libraries = str(os.stat("/etc/ld.so.cache").st_mtime_ns)
        present = [*sorted(os.listdir("/dev")), libraries, *(f"{c}={os.environ.get(c)}" for c in CHOICES)]
    except OSError:  # not Linux
        present = []
    name = cache.key("default device", *present)
    stored = cache.read(name) if present else None
    if stored is None:
        from ..tinygrad.device import open_device

        stored = open_device(None).encode()
        if present:
            cache.write(name, stored)
    return stored.decode()
