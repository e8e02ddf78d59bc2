"""`hlo2tiny cache`: the compiled code that is kept."""

from __future__ import annotations

import argparse

from ..errors import count_text
from ..machine import cache
from .terminal import show


def run(options: argparse.Namespace) -> int:
    folder = cache.folder()
    if folder is None:
        show("nothing is kept: HLO2TINY_CACHE is off, or others can write to the cache folder")
    elif options.action == "clear":
        count, size = cache.clear()
        show(f"removed {count_text(count, 'entry', 'entries')} ({size:,} bytes) from {folder}")
    else:
        sizes = [size for _, size, _ in cache.entries(folder)]
        count, size = len(sizes), sum(sizes)
        show(f"{count_text(count, 'entry', 'entries')}, {size:,} bytes of at most {cache.BOUND:,}, in {folder}")
    return 0
