"""A program over Parquet files: a part of output for each row group of input, written atomically."""

from __future__ import annotations

import fnmatch
import json
import os
import posixpath
import re
import signal
import threading
import uuid
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict
from multiprocessing import active_children, get_context, parent_process
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError
from ..program import Program
from ..records import dataclass
from ..timeout import time_limit
from .columns import arrow_column, columns_of
from .predictor import Predictor

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from pyarrow import fs

# In the folder of results: what the run is, the rows that failed, and the files that could not be read.
RUN, FAILED, UNREADABLE = "_hlo2tiny.json", "failed", "_unreadable.json"
MOST_CHARACTERS = 1000  # of a reason, which may hold names from a file


class Piece(NamedTuple):
    """A row group of an input file.

    Attributes:
        name: the name of its part of the output.
        first: the number of its first row in the file.
    """

    name: str
    path: str
    group: int
    first: int
    rows: int


class Done(NamedTuple):
    """The outcome of a piece: how many rows are in the output, how many failed, and why it could not be read."""

    name: str
    written: int
    failed: int
    unreadable: str = ""


class Unreadable(InputError):
    """A file, or a part of it, that cannot be read."""


@dataclass(frozen=True)
class MapOptions:
    """How rows become results; a run can only be resumed with the same options."""

    columns: Mapping[str, str]
    keep: Sequence[str] | None = None
    batch: int = 64
    cast: bool = False


class Job:
    """The pieces of some files that a program is to be applied to, and what has been done already.

    Args:
        program: the program.
        pattern: the path or URI of Parquet files, with * and ? for any characters.
        output: the folder for results, which is created if it is missing.
        options: how rows become results.
        digest: that of the program's file.
        timeout: the seconds that a call of the program may take.

    Attributes:
        left: the pieces that are not done.
        done: the outcomes of the others.
        unreadable: the files, or row groups of them, that could not be read so far, and why.

    Raises:
        InputError: no file matches or can be read, or the folder holds something else.
    """

    def __init__(
        self,
        program: Program,
        pattern: str,
        output: str,
        options: MapOptions,
        digest: str,
        timeout: float | None = None,
    ) -> None:
        self.worker = Worker(program, pattern, output, options, timeout)
        system, paths = matching(pattern)
        pieces: list[Piece] = []
        self.unreadable: list[dict[str, Any]] = []
        for number, path in enumerate(paths):
            try:
                pieces += self._pieces_of(system, number, path)
            except Unreadable as error:
                if len(paths) == 1 + len(self.unreadable):
                    raise
                self.unreadable.append({"file": path, "reason": str(error)})
        sizes = [[path, system.get_file_info(path).size] for path in paths]
        self._begin({"hlo2tiny": 1, "program": digest, "options": asdict(options), "files": sizes}, output)
        self.done = [done for piece in pieces if (done := self.worker.find(piece)) is not None]
        finished = {done.name for done in self.done}
        self.left = [piece for piece in pieces if piece.name not in finished]
        self.rows = sum(piece.rows for piece in pieces)
        self._note_unreadable()

    def _pieces_of(self, system: fs.FileSystem, number: int, path: str) -> list[Piece]:
        import pyarrow.parquet as pq

        pieces, first = [], 0
        with explaining(path), pq.ParquetFile(path, filesystem=system) as file:
            self.worker.predictor.kept(file.schema_arrow.names)
            for group in range(file.num_row_groups):
                rows = file.metadata.row_group(group).num_rows
                pieces.append(Piece(f"part-{number:05}-{group:05}.parquet", path, group, first, rows))
                first += rows
        return pieces

    def _note_unreadable(self) -> None:
        """Record which files could not be read, or that all were."""
        system, folder = self.worker.target()
        path = posixpath.join(folder, UNREADABLE)
        if self.unreadable or system.get_file_info(path).is_file:
            write_whole(system, path, json.dumps(self.unreadable, indent=1).encode())

    def _noted(self, steps: Iterable[Done]) -> Iterator[Done]:
        groups = {piece.name: piece for piece in self.left}
        for done in steps:
            if done.unreadable:
                piece = groups[done.name]
                self.unreadable.append({"file": piece.path, "row_group": piece.group, "reason": done.unreadable})
                self._note_unreadable()
            yield done

    def _begin(self, run: Mapping[str, Any], output: str) -> None:
        """Record what the run is, or compare it with the run that was begun."""
        from pyarrow import fs

        system, folder = self.worker.target()
        try:
            system.create_dir(folder)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise InputError(f"{output}: this folder cannot be created: {reason}") from None
        path = posixpath.join(folder, RUN)
        if system.get_file_info(path).type == fs.FileType.File:
            with system.open_input_stream(path) as stream:
                try:
                    before = dict(json.loads(stream.read()))
                except (ValueError, TypeError, RecursionError):
                    message = f"{path}: this file is damaged; remove it and its folder, and start again"
                    raise InputError(message) from None
            kinds = (
                ("program", "a different program"),
                ("options", "different options"),
                ("files", "different input files"),
            )
            for key, what in kinds:
                if before.get(key) != json.loads(json.dumps(run[key])):
                    raise InputError(f"{output} holds the results of a run with {what}; choose another folder")
        elif system.get_file_info(fs.FileSelector(folder)):
            raise InputError(f"{output}: this folder is not empty and holds no run to resume")
        else:
            write_whole(system, path, json.dumps(run).encode())

    def run(self, workers: int = 1) -> Generator[Done, None, None]:
        """Do what is left, in this process or in several, and yield the outcome of each piece.

        Processes do not outlive this generator, nor this process.
        """
        if workers == 1:
            yield from self._noted(map(self.worker, self.left))
            return
        others = set(active_children())
        with ProcessPoolExecutor(workers, get_context("spawn"), set_worker, (self.worker,)) as pool:
            try:
                futures = [pool.submit(run_piece, piece) for piece in self.left]
                yield from self._noted(future.result() for future in as_completed(futures))
            except BaseException:
                for child in set(active_children()) - others:  # which may be in a call that does not end
                    child.terminate()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def run_on_ray(self, workers: int, gpus: int) -> Generator[Done, None, None]:
        """The same with Ray Data, on at most that many actors. Ray has been started already.

        Args:
            gpus: how many GPUs each actor has.
        """
        import ray

        if not self.left:
            return
        # One block each, made here: tasks would wait for processors that the actors occupy.
        count = len(self.left)
        pieces = ray.data.from_items([{"number": number} for number in range(count)], override_num_blocks=count)
        resources: dict[str, Any] = {"num_gpus": gpus} if gpus else {"num_cpus": 1}
        done = pieces.map(
            RayWorker, fn_constructor_args=(self.worker, self.left), concurrency=(1, workers), **resources
        )
        yield from self._noted(Done(**row) for row in done.iter_rows())


class Worker:
    """Applies a program to pieces. It pickles, since programs do."""

    def __init__(
        self, program: Program, pattern: str, output: str, options: MapOptions, timeout: float | None = None
    ) -> None:
        self._pattern, self._output, self._rows = pattern, output, options.batch
        self.predictor = LimitedPredictor(
            program, columns=options.columns, keep=options.keep, batch=options.batch, cast=options.cast
        )
        self.predictor.timeout = timeout

    def target(self) -> tuple[fs.FileSystem, str]:
        return file_system(self._output)

    def find(self, piece: Piece) -> Done | None:
        """The outcome of a piece in an earlier run; None if it is not done."""
        import pyarrow.parquet as pq
        from pyarrow import fs

        system, folder = self.target()
        counts = []
        for path in (posixpath.join(folder, piece.name), posixpath.join(folder, FAILED, piece.name)):
            there = system.get_file_info(path).type == fs.FileType.File
            try:
                with explaining(path):
                    counts.append(pq.read_metadata(path, filesystem=system).num_rows if there else 0)
            except Unreadable:  # somebody has damaged it, so it is made again
                counts.append(0)
        # The part is written last; there is none if no row could be used.
        whole = counts[0] or counts[1] == piece.rows
        return Done(piece.name, counts[0], counts[1]) if whole else None

    def __call__(self, piece: Piece) -> Done:
        """Apply the program to the rows of a piece, and write those that failed, then its part."""
        import pyarrow as pa

        parts: list[pa.Table] = []
        failures: list[pa.Table] = []
        first = piece.first
        try:
            for kept, table, columns in self._read(piece):
                results, good, failed = self.predictor.predict(columns)
                if good:
                    rows = table.select(kept).take(pa.array(good))  # without columns, it has no number of rows
                    computed = map(arrow_column, results.values())
                    parts.append(pa.table([*rows.columns, *computed], names=[*rows.column_names, *results]))
                if failed:
                    numbers = sorted(failed)
                    rows = table.take(pa.array(numbers))
                    about = {
                        "_file": [piece.path] * len(numbers),
                        "_row": [first + i for i in numbers],
                        "_reason": [failed[i] for i in numbers],
                    }
                    for name, values in about.items():
                        rows = rows.append_column(name, pa.array(values))
                    failures.append(rows)
                first += len(table)
        except Unreadable as error:
            return Done(piece.name, 0, 0, str(error))
        # The part is written last: if it is there, the piece is done.
        failed_rows = self._write(f"{FAILED}/{piece.name}", failures)
        return Done(piece.name, self._write(piece.name, parts), failed_rows)

    def _read(self, piece: Piece) -> Iterator[tuple[list[str], pa.Table, dict[str, np.ndarray]]]:
        """The columns to keep, the rows of a piece, and the columns that the program takes; raises Unreadable."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        system, _ = split(self._pattern)
        with ExitStack() as stack:
            with explaining(piece.path):
                file = stack.enter_context(pq.ParquetFile(piece.path, filesystem=system))
                kept = self.predictor.kept(file.schema_arrow.names)
                batches = file.iter_batches(self._rows, row_groups=[piece.group])
            while True:
                with explaining(piece.path):
                    if (batch := next(batches, None)) is None:
                        return
                    table = pa.Table.from_batches([batch])
                    table.validate(full=True)
                    columns = columns_of(table, list(self.predictor.columns.values()))
                yield kept, table, columns

    def _write(self, name: str, tables: Sequence[pa.Table]) -> int:
        import pyarrow as pa
        import pyarrow.parquet as pq

        system, folder = self.target()
        if not tables:
            return 0
        table = pa.concat_tables(tables)
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink)
        write_whole(system, posixpath.join(folder, name), sink.getvalue())
        return int(table.num_rows)


class LimitedPredictor(Predictor):
    """A predictor that limits the time of the program's calls.

    Attributes:
        timeout: how many seconds a call may take, where the system has timers.
    """

    timeout: float | None = None

    def _call(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        with time_limit(self.timeout) if self.timeout is not None else nullcontext():
            return super()._call(arrays)


@contextmanager
def explaining(path: str) -> Iterator[None]:
    """Raise anything that goes wrong with a Parquet file as Unreadable, which names the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError, MemoryError, InputError) as error:
        reason = " ".join(str(error).split())
        what = str(error) if isinstance(error, InputError) else f"this is not a valid Parquet file: {reason}"
        raise Unreadable(f"{path}: {what[:MOST_CHARACTERS]}") from None


class RayWorker:
    """A worker in the form that Ray Data's actors call."""

    def __init__(self, worker: Worker, pieces: Sequence[Piece]) -> None:
        self._worker, self._pieces = worker, pieces

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        return self._worker(self._pieces[int(row["number"])])._asdict()


_worker: list[Worker] = []  # that of a process of a pool


def set_worker(worker: Worker) -> None:
    """Start a process of a pool, which its parent ends; it does not outlive the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    _worker[:] = [worker]


def end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def run_piece(piece: Piece) -> Done:
    return _worker[0](piece)


def write_whole(system: fs.FileSystem, path: str, data: Any) -> None:
    """Write a file atomically."""
    system.create_dir(posixpath.dirname(path))
    temporary = posixpath.join(posixpath.dirname(path), f".{uuid.uuid4().hex}")
    with system.open_output_stream(temporary) as stream:
        stream.write(data)
    system.move(temporary, path)


def file_system(path: str) -> tuple[fs.FileSystem, str]:
    """The file system of a path or URI, such as s3://bucket/folder, and the path there."""
    from pyarrow import fs

    try:
        if "://" in path:
            system, inside = fs.FileSystem.from_uri(path)
            return system, inside.rstrip("/")
        return fs.LocalFileSystem(), os.path.abspath(path)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: this is not a file path or URI: {error}") from None


def split(pattern: str) -> tuple[fs.FileSystem, str]:
    """The file system of a pattern, and the pattern of paths there."""
    options = re.search(r"\?\w+=.*", pattern) if "://" in pattern else None  # ? may also stand for any character
    query = options[0] if options else ""
    pattern = pattern.removesuffix(query)
    folder = posixpath.dirname(before_wildcards(pattern))
    system, path = file_system((folder or ".") + query)
    return system, posixpath.join(path, pattern[len(folder) :].lstrip("/") if folder else pattern)


def before_wildcards(pattern: str) -> str:
    return re.split(r"[*?[]", pattern, maxsplit=1)[0]


def matching(pattern: str) -> tuple[fs.FileSystem, list[str]]:
    """The files that match a pattern, in order; raises InputError if there is none."""
    from pyarrow import fs

    system, wanted = split(pattern)
    if (fixed := before_wildcards(wanted)) != wanted:
        folder = posixpath.dirname(fixed)
        infos = system.get_file_info(fs.FileSelector(folder, allow_not_found=True, recursive=True))
    else:
        infos = [system.get_file_info(wanted)]
    files = [info.path for info in infos if info.type == fs.FileType.File]
    found = sorted(x for x in files if x.count("/") == wanted.count("/") and fnmatch.fnmatchcase(x, wanted))
    if not found:
        raise InputError(f"{pattern}: there is no such file")
    return system, found
