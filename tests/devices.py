"""The devices of tinygrad that tests can use here."""

from functools import cache

import hlo2tiny


@cache
def missing(device: str) -> str:
    """Why a device cannot be opened here, '' if it can."""
    try:
        hlo2tiny.load("func.func @main() {\n  return\n}", device=device)
    except hlo2tiny.InputError as error:
        return str(error)
    return ""
