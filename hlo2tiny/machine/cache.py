"""Data that is kept between processes, mostly compiled code, in the user's cache folder: `$XDG_CACHE_HOME/hlo2tiny`.

An entry is a file, named by a digest of everything that its contents depend on. The file begins with a checksum, so
that damaged entries are ignored. Writing is a rename, so processes may share the folder. When the entries are found to
exceed `BOUND`, the oldest are removed. With HLO2TINY_CACHE=off, or if others can write to the folder, nothing is kept.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import mmap
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ..errors import InputError
from ..files import open_regular

# How many bytes the entries may take together.
BOUND = 1 << 30
# The bytes before an entry's contents: the checksum, and zeros that keep the contents aligned.
HEADER = 64


def folder() -> Path | None:
    """The cache folder, which is created if it is missing; None if nothing is to be kept."""
    if os.environ.get("HLO2TINY_CACHE", "").lower() == "off":
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    path = Path(home) / "hlo2tiny"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError:
        return None
    private = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    return path if private else None


def key(*parts: str) -> str:
    """The name of an entry that depends on these texts, this package, tinygrad and the machine."""
    digest = hashlib.sha256()
    for part in (*parts, code_identity(), machine_identity()):
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little"))  # lengths distinguish different lists
        digest.update(encoded)
    return digest.hexdigest()


@cache
def code_identity() -> str:
    """A digest of this package's source and of tinygrad's version."""
    return source_identity() + installed_version("tinygrad")


@cache
def source_identity() -> str:
    """A digest of this package's source."""
    digest = hashlib.sha256()
    root = str(Path(__file__).parents[1])  # not pathlib's, which takes 10 ms for three hundred files
    found = (os.path.join(place, name) for place, _, names in os.walk(root) for name in names)
    for path in sorted(path for path in found if path.endswith((".py", ".c", ".cu"))):
        with open(path, "rb", buffering=0) as file:
            for part in (path[len(root) + 1 :].replace(os.sep, "/").encode(), file.read()):
                digest.update(len(part).to_bytes(8, "little"))
                digest.update(part)
    return digest.hexdigest()


@cache
def installed_version(package: str) -> str:
    """The version of an installed package. importlib.metadata, which knows it too, takes long to import.

    Examples:
        >>> installed_version("tinygrad").split(".")[0]
        '0'
    """
    spec = importlib.util.find_spec(package)
    for folder in spec.submodule_search_locations or () if spec else ():
        found = [path.name for path in Path(folder).parent.glob(f"{package}-*.dist-info")]
        if len(found) == 1:
            return found[0].removeprefix(f"{package}-").removesuffix(".dist-info")
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "(version unknown)"


@cache
def machine_identity() -> str:
    """The processor and its features, for which code is compiled."""
    facts = [platform.system(), platform.machine(), os.environ.get("PROCESSOR_IDENTIFIER", "")]  # Windows tells
    if sys.platform == "darwin":
        text, size = ctypes.create_string_buffer(256), ctypes.c_size_t(256)
        ctypes.CDLL(None).sysctlbyname(b"machdep.cpu.brand_string", text, ctypes.byref(size), None, 0)
        facts.append(text.value.decode())
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split("\n\n")[0].splitlines()
        facts += [line for line in lines if line.startswith(("flags", "Features", "model name", "vendor_id"))]
    return "\n".join(facts)


def read(name: str) -> bytes | None:
    """The contents of an entry; None if it is missing or damaged."""
    contents = map_entry(name)
    return None if contents is None else bytes(contents)


def map_entry(name: str) -> memoryview | None:
    """The same as memory that all processes share; it begins at a cache line."""
    place = folder()
    if place is None:
        return None
    path = place / name
    try:
        with open(open_regular(path), "rb") as file:
            stored = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        contents = stored[HEADER:]
        if hashlib.sha256(contents).digest() != stored[: hashlib.sha256().digest_size]:
            path.unlink(missing_ok=True)
            return None
        os.utime(path)  # `shrink` removes what was used longest ago
    except OSError:
        return None
    except (ValueError, InputError):  # an empty file cannot be mapped, nor can a pipe
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        return None
    return contents


def write(name: str, contents: bytes | memoryview) -> None:
    """Write an entry, if possible."""
    place = folder()
    if place is None:
        return
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=place, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(contents).digest().ljust(HEADER, b"\0"))
                file.write(contents)
            os.replace(temporary, place / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        # Looking at all of many thousand entries takes seconds, so only some writes do it: in the mean one for each
        # hundredth of the bound, by chance.
        if int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) * BOUND <= 100 * len(contents) << 32:
            shrink(place)


def entries(place: Path) -> Iterator[tuple[float, int, Path]]:
    """When each entry was last used, its size and its file, including files that were left half written."""
    for entry in os.scandir(place):
        with contextlib.suppress(OSError):
            status = entry.stat()
            yield status.st_mtime, status.st_size, Path(entry)


def shrink(place: Path) -> None:
    """Remove the oldest entries until the others are within `BOUND`."""
    oldest_first = sorted(entries(place))
    total = sum(size for _, size, _ in oldest_first)
    for _, size, path in oldest_first:
        if total <= BOUND:
            return
        with contextlib.suppress(OSError):
            path.unlink()
        total -= size


def clear() -> tuple[int, int]:
    """Remove all entries, and return their number and size."""
    place, count, total = folder(), 0, 0
    for _, size, path in entries(place) if place else ():
        with contextlib.suppress(OSError):
            path.unlink()
            count, total = count + 1, total + size
    return count, total
