"""`hlo2tiny map`: a program over Parquet files."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack, closing

from tqdm import tqdm

from ..batch.parquet import FAILED, UNREADABLE, Job, MapOptions
from ..errors import InputError, count_text
from ..formats import ProgramFile
from ..program import load
from ..targets import MOST_THREADS, is_on_host, thread_count
from ..timeout import time_limit, unfinished
from .extras import expect_installed, joined_ray
from .terminal import show


def run(options: argparse.Namespace) -> int:
    """Apply a program to the rows of Parquet files, or resume an interrupted run."""
    expect_installed("batch", "pyarrow")
    if options.ray is not None:
        expect_installed("ray", "ray", "ray.data")
    for name in ("batch", "workers"):
        if not 1 <= getattr(options, name) <= (MOST_THREADS if name == "workers" else 1 << 20):
            raise InputError(f"--{name} {getattr(options, name)}: expected a positive integer")
    columns = {}
    for item in options.column:
        argument, separator, column = item.rpartition("=")
        if not separator:
            raise InputError(f"--column {item}: expected ARGUMENT=COLUMN")
        columns[argument] = column
    on_host = options.device is None or is_on_host(options.device.upper())
    threads = max(1, thread_count() // options.workers) if on_host else None
    with time_limit(options.timeout, unfinished):
        program = load(options.file, options.device, entry=options.entry, threads=threads, ffi=options.ffi)
        digest = ProgramFile(options.file, options.entry).digest
    how = MapOptions(columns, options.keep, options.batch, options.cast)
    job = Job(program, options.input, options.output, how, digest, options.timeout)
    written, failed = sum(done.written for done in job.done), sum(done.failed for done in job.done)
    if written + failed:
        show(f"{written + failed:,} of {job.rows:,} rows are already done")
    with ExitStack() as stack:
        steps = job.run(options.workers)
        if options.ray is not None:
            stack.enter_context(joined_ray(options.ray))
            steps = job.run_on_ray(options.workers, 0 if is_on_host(program.device) else 1)
        stack.enter_context(closing(steps))
        bar = stack.enter_context(tqdm(total=job.rows, initial=written + failed, unit=" rows", file=sys.stderr))
        for done in steps:
            written, failed = written + done.written, failed + done.failed
            bar.update(done.written + done.failed)
    where = f"; {count_text(failed, 'row')} failed, see {options.output}/{FAILED}" if failed else ""
    show(f"{count_text(written, 'row')} written to {options.output}{where}")
    if job.unreadable:
        count = count_text(len({found["file"] for found in job.unreadable}), "file")
        raise InputError(f"{count} could not be read, see {options.output}/{UNREADABLE}")
    return 0
