"""The default device: the CPU on machines without another device, otherwise tinygrad's default."""

from __future__ import annotations

import os
import platform
import sys

from ..machine import cache

# Environment variables by which tinygrad chooses a device.
CHOICES = ("DEV", "CPU", "CUDA", "NV", "AMD", "METAL", "CL", "GPU", "QCOM", "WEBGPU", "DSP", "PYTHON", "NULL", "LLVM")
# How the names of accelerators in /dev begin on Linux.
ACCELERATORS = ("accel", "dri", "dxg", "kfd", "kgsl", "nvidia")


def default_device() -> str:
    """The name of the default device. To find its own, tinygrad opens every device, so the answer is kept."""
    if os.environ.get("DEV") == "CPU" or not (has_accelerator() or any(os.environ.get(c) for c in CHOICES)):
        return "CPU"
    present = present_devices()
    name = cache.key("default device", *present, *(f"{c}={os.environ.get(c)}" for c in CHOICES))
    stored = cache.read(name) if present else None
    if stored is None:
        from ..tinygrad.device import open_device

        stored = open_device(None).encode()
        if present:
            cache.write(name, stored)
    return stored.decode()


def present_devices() -> list[str]:
    """Something that changes when devices or their libraries do; empty where nothing indicates it, as on Windows."""
    try:
        if sys.platform == "darwin":  # whose devices are its machine's, and whose libraries come with the system
            return [f"macOS {platform.mac_ver()[0]}"]
        return [*sorted(os.listdir("/dev")), str(os.stat("/etc/ld.so.cache").st_mtime_ns)]
    except OSError:
        return []


def has_accelerator() -> bool:
    """Whether the machine may have a device other than the CPU, which only Linux tells without opening it."""
    return sys.platform != "linux" or any(name.startswith(ACCELERATORS) for name in os.listdir("/dev"))
