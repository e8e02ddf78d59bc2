"""hlo2tiny's own version, what it knows of the formats that others go on changing, and what to do about newer files."""

from __future__ import annotations

import re

__version__ = "0.4.0"

# The newest version of StableHLO (and of VHLO, its form in portable artifacts) whose ops and encodings are known here,
# and of MLIR, whose bytecode other files are. A new jaxlib's are `stablehlo.get_current_version()` and what a file
# begins with; tests/formats/test_versions.py compares.
STABLEHLO, MLIR = (1, 22), (24,)
PRODUCER = re.compile(r"(StableHLO_v|MLIR)(\d+(?:\.\d+)*)")


def known() -> str:
    """As messages say it."""
    return f"hlo2tiny {__version__} knows StableHLO up to {dotted(STABLEHLO)} and MLIR up to {dotted(MLIR)}"


def dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def advice_on(producer: str) -> str:
    """What to do about a file that what calls itself so has written; '' where it is no newer than what is known."""
    match = PRODUCER.match(producer)
    if match is None:
        return ""
    newest = MLIR if match[1] == "MLIR" else STABLEHLO
    if tuple(int(part[:9]) for part in match[2].split("."))[: len(newest)] <= newest:
        return ""
    target = f"{dotted(STABLEHLO)}.0"
    other = f"as text, or as a portable artifact of StableHLO {target}" if newest is MLIR else f"for version {target}"
    return f"; the file was written by {producer[:80]}, and {known()}: update hlo2tiny, or write the file {other}"
