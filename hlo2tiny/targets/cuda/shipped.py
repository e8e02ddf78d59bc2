"""The kernels that sort, fold or scan, compiled for the usual GPUs as a wheel is built: each takes nvrtc 0.1 to 0.2 s.

`python -m hlo2tiny.targets.cuda`, which the build runs, compiles them into the folder `compiled` if nvrtc is installed.
Where it is missing, as in a checkout, the first program that needs such a kernel compiles it for all; so on other GPUs.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

FOLDER = Path(__file__).with_name("compiled")
# Later GPUs of a generation run the code of earlier ones.
ARCHITECTURES = ("sm_80", "sm_90", "sm_100", "sm_120")


def find(text: str, arch: str) -> bytes | None:
    """The machine code of a file for a kind of GPU; None if the package does not have it."""
    kinds = [kind for kind in ARCHITECTURES if kind[:-1] == arch[:-1] and kind <= arch]
    if kinds:
        with suppress(OSError):
            return place(text, kinds[-1]).read_bytes()
    return None


def place(text: str, arch: str) -> Path:
    """The file of some code. Its name identifies the source, so that code from another source is never found."""
    return FOLDER / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.{arch}"
