"""What commands need that not every user installs."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from ..errors import InputError

# The seconds for which a cluster is waited for.
LONGEST_WAIT = 10.0


def expect_installed(extra: str, *packages: str) -> None:
    """Raise InputError if a package of an extra is not installed."""
    for package in packages:
        try:
            missing = find_spec(package) is None
        except (ModuleNotFoundError, ValueError):  # the package around it; a module that stands for none
            missing = True
        if missing:
            raise InputError(f"this needs {package}, which is not installed: pip install 'hlo2tiny[{extra}]'")


@contextmanager
def joined_ray(address: str) -> Iterator[None]:
    """Join a Ray cluster, or start one on this machine if the address is "local", and leave it at the end.

    Raises:
        InputError: there is no such cluster.
    """
    expect_listening(address)
    import ray

    began = not ray.is_initialized()
    if began:
        try:
            ray.init(address, log_to_driver=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise InputError(f"--ray {address}: {' '.join(str(error).split())}") from None
    try:
        yield
    finally:
        if began:
            ray.shutdown()


def expect_listening(address: str) -> None:
    """Raise InputError if nothing listens at host:port; Ray itself would try for minutes."""
    host, separator, port = address.removeprefix("ray://").rpartition(":")
    if not separator or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=LONGEST_WAIT).close()
    except (OSError, OverflowError) as error:
        raise InputError(f"--ray {address}: there is no Ray cluster at this address: {error}") from None
