"""The one door to tinygrad: nothing outside this folder knows more of it than the names `Tensor` and `dtypes`.

Its internals move with each release, so other versions than the supported ones are refused when the door is opened;
tests/tinygrad says of each internal what is relied on.
"""

from __future__ import annotations

import re
from importlib import metadata

from ..errors import InputError

# As in pyproject.toml.
SUPPORTED = ">=0.14,<0.15"


def expect_supported(version: str) -> None:
    """Compare tinygrad's version with the supported ones.

    Raises:
        InputError: it is another one, and how to get one of these.
    """
    numbers = re.findall(r"\d+", version)
    if [*map(int, numbers[:2])] != [0, 14]:
        raise InputError(
            f"tinygrad {version} is installed, but this version of hlo2tiny works with tinygrad{SUPPORTED}, whose"
            f" internals it uses; install one of these: pip install 'tinygrad{SUPPORTED}'"
        )


def installed_version() -> str:
    try:
        return metadata.version("tinygrad")
    except metadata.PackageNotFoundError:
        return "of an unknown version"


expect_supported(installed_version())
