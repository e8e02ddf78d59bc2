"""The version of hlo2tiny, the newest versions of formats that it knows, and advice about newer files."""

from __future__ import annotations

import re

__version__ = "0.5.0"

# The newest known versions of StableHLO (and of VHLO, its form in portable artifacts) and of MLIR's bytecode.
# tests/formats/test_versions.py compares them with jaxlib's: `stablehlo.get_current_version()`, and how a file begins.
STABLEHLO, MLIR = (1, 22), (24,)
PRODUCER = re.compile(r"(StableHLO_v|MLIR)(\d+(?:\.\d+)*)")


def known() -> str:
    """What messages say about the known versions."""
    return (
        f"hlo2tiny {__version__} knows StableHLO up to {write_version(STABLEHLO)} and MLIR up to {write_version(MLIR)}"
    )


def write_version(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def advice_on(producer: str) -> str:
    """What to do about a file written by a producer of this name; '' if it is no newer than what is known."""
    match = PRODUCER.match(producer)
    if match is None:
        return ""
    newest = MLIR if match[1] == "MLIR" else STABLEHLO
    if tuple(int(part[:9]) for part in match[2].split("."))[: len(newest)] <= newest:
        return ""
    target = f"{write_version(STABLEHLO)}.0"
    other = f"as text, or as a portable artifact of StableHLO {target}" if newest is MLIR else f"for version {target}"
    return f"; the file was written by {producer[:80]}, and {known()}: update hlo2tiny, or write the file {other}"
