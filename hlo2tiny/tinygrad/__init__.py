"""The only door to tinygrad: outside this folder, only its public names `Tensor` and `dtypes` are used.

tinygrad's internals change with each release, so importing this package fails with unsupported versions; tests/tinygrad
has a test for each internal that is relied on.
"""

from __future__ import annotations

import re

from ..errors import InputError
from ..machine.cache import installed_version

# The same as in pyproject.toml.
SUPPORTED = ">=0.14,<0.15"


def expect_supported(version: str) -> None:
    """Check a version of tinygrad.

    Raises:
        InputError: the version is not supported; the message says how to install one that is.
    """
    numbers = re.findall(r"\d+", version)
    if [*map(int, numbers[:2])] != [0, 14]:
        raise InputError(
            f"tinygrad {version} is installed, but this version of hlo2tiny uses internals of tinygrad{SUPPORTED};"
            f" install a supported version: pip install 'tinygrad{SUPPORTED}'"
        )


expect_supported(installed_version("tinygrad"))
