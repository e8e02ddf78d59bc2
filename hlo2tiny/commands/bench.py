"""`hlo2tiny bench`: what it costs to run a program, compared with XLA and tinygrad's own kernels.

Each contender is a process of its own (contenders.py) on the same cores. They take turns, so that other work on the
machine affects all of them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import field
from pathlib import Path
from subprocess import PIPE
from typing import Any

import numpy as np

from ..errors import InputError, NoNativeCode
from ..output import expect_writable, written
from ..program import Program, load
from ..program.arguments import Argument
from ..records import dataclass
from ..timeout import limited, time_limit, unfinished
from . import contenders
from .convert import convert, embed_weights, text_for_xla
from .inputs import devices_of, expect_device, gather_inputs, load_with_progress, running_options
from .profiling import profile, profile_page, profile_text, trace_text
from .terminal import duration, one_line, show

OURS, XLA, TINYGRAD = "hlo2tiny", "XLA", "tinygrad"
# The figures of a program, with the labels of the table's rows.
FIGURES = {
    "load_cold": "load, empty cache",
    "first_cold": "first call, empty cache",
    "start_cold": "process start to first result, empty cache",
    "load_cached": "load, from cache",
    "first_cached": "first call, from cache",
    "start_cached": "process start to first result, from cache",
    "median": "call, median",
    "best": "call, best",
    "memory_cold": "peak memory, empty cache",
    "memory_cached": "peak memory, from cache",
}
TURNS = 10
# Slow contenders stop after this many turns.
FEWEST_TURNS = 3
# Seconds between turns, since threads of a contender spin for a while before they sleep.
PAUSE = 0.05


@dataclass(frozen=True)
class Start:
    """How a contender's process is started."""

    arguments: tuple[str, ...] = (contenders.__file__, "ours")  # a script and its arguments
    environment: Mapping[str, str] = field(default_factory=dict)
    root: Path = Path(__file__).parents[2]  # where hlo2tiny is imported from
    keeps_code: bool = True  # whether a process finds what an earlier one has compiled


CONTENDERS = {
    OURS: Start(),
    XLA: Start((contenders.__file__, "xla"), keeps_code=False),
    TINYGRAD: Start(environment={"HLO2TINY_EXECUTOR": "tinygrad"}),
}


class ContenderFailed(Exception):
    """A contender could not run a program."""


class NoAnswer(ContenderFailed):
    """A contender takes too long."""


@dataclass
class Process:
    """A contender's process."""

    name: str
    popen: subprocess.Popen[str]
    log: Any
    patience: float | None = None  # how many seconds an answer may take

    def ask(self, do: str, **request: Any) -> Any:
        """The answer to a request.

        Raises:
            ContenderFailed: the process reports an error, has ended, or takes too long.
        """
        assert self.popen.stdin is not None and self.popen.stdout is not None
        with suppress(OSError):  # the process has ended, and may have said why
            self.popen.stdin.write(json.dumps({"do": do, **request}) + "\n")
            self.popen.stdin.flush()
        if self.patience is not None and not is_ready(self.popen.stdout, self.patience):
            raise NoAnswer(f"no answer in {self.patience:g} s")
        line = self.popen.stdout.readline()
        if not line:
            self.popen.wait()
            self.log.seek(0)
            lines = self.log.read().decode(errors="replace").strip().splitlines()
            ended = f"its process exited with status {self.popen.returncode}"
            raise ContenderFailed(one_line(lines[-1]) if lines else ended)
        answer = json.loads(line)
        if isinstance(answer, dict) and "error" in answer:
            raise ContenderFailed(one_line(answer["error"]))
        return answer


@contextmanager
def process(
    name: str, cores: Sequence[int], cache: Path, patience: float | None = None, device: str = "CPU"
) -> Iterator[Process]:
    """Start a contender for a device, which keeps its compiled code in `cache`."""
    start = CONTENDERS[name]
    path = os.pathsep.join([str(start.root), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"PYTHONPATH": path, "XDG_CACHE_HOME": str(cache), "HLO2TINY_CACHE": "on"}
    environment["PYTHONDONTWRITEBYTECODE"] = ""  # or each process compiles the modules of a checkout anew
    platform = {
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
        "JAX_PLATFORMS": device.partition(",")[0].partition(":")[0].lower(),
    }
    environment |= {"HLO2TINY_EXECUTOR": "", **platform, **start.environment}
    # -P: do not import from the script's folder, which is inside a package.
    command = [sys.executable, "-P", *start.arguments, str(time.monotonic()), ",".join(map(str, cores)), device]
    with tempfile.TemporaryFile() as log:
        popen = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=log, encoding="utf-8", env=environment)
        try:
            yield Process(name, popen, log, patience)
        finally:
            popen.kill()
            popen.wait()
            for pipe in filter(None, (popen.stdin, popen.stdout)):
                with suppress(OSError):  # of a request that was not sent, as the process has ended
                    pipe.close()


def is_ready(pipe: Any, seconds: float) -> bool:
    """Whether something can be read within some seconds, on systems that can tell."""
    return os.name == "nt" or bool(select.select([pipe], [], [], seconds)[0])


def this_process_cores() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def others(vs_xla: bool, vs_tinygrad: bool) -> list[str]:
    """The other contenders; raises InputError if JAX is needed and not installed."""
    if vs_xla and importlib.util.find_spec("jax") is None:
        raise InputError("--vs-xla needs JAX, which is not installed: pip install 'hlo2tiny[jax]'")
    return [name for name, wanted in ((XLA, vs_xla), (TINYGRAD, vs_tinygrad)) if wanted]


def measure(
    path: Path,
    arrays: Sequence[np.ndarray],
    names: Sequence[str],
    seconds: float,
    patience: float | None = None,
    files: Mapping[str, Path] | None = None,
    bound: int = 0,
    donated: Sequence[str] = (),
    options: Mapping[str, Any] = {},
    device: str = "CPU",
) -> dict[str, Any]:
    """Measure a program, run by hlo2tiny and the contenders in `names`.

    Args:
        path: the program.
        arrays: its inputs.
        names: the other contenders.
        seconds: how long each contender is called, once it has started.
        patience: how many seconds a contender may take to start, or for a turn; None is no limit.
        files: the program for contenders that cannot read `path`.
        bound: how many of the first inputs are weights, which are bound to the program before its first call.
        donated: the names of the next inputs, which a call may overwrite; its last results replace them.
        options: `threads` and `donate` of `hlo2tiny.load`, for hlo2tiny. Results are not compared after calls that
            overwrite their inputs.
        device: CPU, or CUDA, where arguments and results of the calls that are timed stay on the GPU.

    Returns:
        {"figures": {contender: {figure: number}}, "ratios": {contender: {figure: ours / its}}, "failed": {contender:
        why}, "differences": {contender: see `difference`}}. Times are in seconds. Memory is in bytes, including the
        inputs, but not what imports take.
    """
    figures: dict[str, dict[str, float]] = {}
    failed: dict[str, str] = {}
    cores = this_process_cores()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hlo2tiny-bench-")))
        inputs = [contenders.write(array, str(folder / f"input{i}")) for i, array in enumerate(arrays)]
        running: list[Process] = []
        for name in (OURS, *names):
            cache = folder / name
            file = (files or {}).get(name, path)
            how = {"donate": list(donated)} if donated else dict(options)
            request = {"file": str(file.resolve()), "inputs": inputs, "bound": bound, "carried": len(donated)}
            request["options"] = how
            try:
                cold = None
                if CONTENDERS[name].keeps_code:
                    with process(name, cores, cache, patience, device) as first:
                        cold = first.ask("start", **request)
                worker = stack.enter_context(process(name, cores, cache, patience, device))
                cached = worker.ask("start", **request)
            except ContenderFailed as error:
                failed[name] = str(error)
                continue
            running.append(worker)
            figures[name] = {**starting(cold or cached, "cold"), **starting(cached, "cached")}
        for name, times in timed_in_turns(running, seconds, failed).items():
            figures[name] |= {"median": statistics.median(times), "best": min(times)}
        results = {worker.name: results_of(worker, folder) for worker in running if worker.name not in failed}
    figures = {name: values for name, values in figures.items() if name not in failed}
    comparable = OURS in results and not options.get("donate")
    both = [name for name in names if name in results and comparable]
    differences = {name: difference(results[OURS], results[name]) for name in both}
    return {"figures": figures, "ratios": ratios(figures), "failed": failed, "differences": differences}


def starting(answer: Mapping[str, float], state: str) -> dict[str, float]:
    start = answer["import"] + answer["load"] + answer["first"]
    return {f"{key}_{state}": start if key == "start" else answer[key] for key in ("load", "first", "start", "memory")}


def timed_in_turns(running: Sequence[Process], seconds: float, failed: dict[str, str]) -> dict[str, list[float]]:
    """How many seconds calls took, by contender; contenders that fail are added to `failed`."""
    times: dict[str, list[float]] = {worker.name: [] for worker in running}
    for turn in range(TURNS):
        for worker in running if turn % 2 == 0 else reversed(running):
            spent = times[worker.name]
            if worker.name in failed or (turn >= FEWEST_TURNS and sum(spent) > seconds):
                continue
            time.sleep(PAUSE)
            try:
                spent += worker.ask("time", seconds=seconds / TURNS)["times"]
            except ContenderFailed as error:
                failed[worker.name] = str(error)
    return {name: spent for name, spent in times.items() if name not in failed}


def results_of(worker: Process, folder: Path) -> list[np.ndarray]:
    return [contenders.read(*stored) for stored in worker.ask("results", folder=str(folder))]


def difference(ours: Sequence[np.ndarray], theirs: Sequence[np.ndarray]) -> float | None:
    """The largest difference between results, as a fraction of a result's largest number.

    None if they are not finite in the same places.
    """
    largest = 0.0
    for a, b in zip(ours, theirs, strict=True):
        wide = np.complex128 if a.dtype.kind == "c" else np.float64
        x, y = a.astype(wide).reshape(-1), b.astype(wide).reshape(-1)
        differ = ~((x == y) | (np.isnan(x) & np.isnan(y)))
        if not np.isfinite([x[differ], y[differ]]).all():
            return None
        scale = np.abs(y[np.isfinite(y)]).max(initial=0) or 1
        largest = max(largest, float(np.abs(x[differ] - y[differ]).max(initial=0) / scale))
    return largest


def ratios(figures: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Our figures divided by those of each other contender."""
    ours = figures.get(OURS, {})
    return {
        name: {key: ours[key] / value for key, value in values.items() if key in ours and value > 0}
        for name, values in figures.items()
        if name != OURS and ours
    }


def geometric_means(programs: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """The geometric means of the ratios of several programs, by contender and figure."""
    means: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(name for program in programs for name in program["ratios"]):
        columns = [program["ratios"][name] for program in programs if name in program["ratios"]]
        for key in FIGURES:
            values = [column[key] for column in columns if column.get(key, 0) > 0]
            if values:
                means.setdefault(name, {})[key] = statistics.geometric_mean(values)
    return means


def call_overhead(names: Sequence[str], seconds: float, device: str = "CPU") -> dict[str, float]:
    """The best time of a call of one operation on numpy arrays, in seconds, by contender."""
    best: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="hlo2tiny-bench-") as folder:
        for name in (OURS, *names):
            with process(name, this_process_cores(), Path(folder) / name, device=device) as worker:
                best[name] = min(worker.ask("one op", seconds=seconds)["times"])
    return best


# ---------------------------------------------------------------- the table


WIDTH = max(map(len, FIGURES.values()))


def table(title: str, measured: Mapping[str, Any]) -> str:
    """What `measure` returned: a row for each figure, with the contenders' values and our ratios to them."""
    figures, quotients = measured["figures"], measured["ratios"]
    headings = "".join(f"{name:>12}" + f"{'ratio':>8}" * (name != OURS) for name in figures)
    lines = [title, " " * (WIDTH + 2) + headings]
    for key, label in FIGURES.items():
        cells = []
        for name, values in figures.items():
            cells.append(f"{quantity(key, values[key]) if key in values else '':>12}")
            if name != OURS:
                cells.append(f"{ratio_text(quotients.get(name, {}).get(key)):>8}")
        lines.append(f"  {label:{WIDTH}}" + "".join(cells))
    for name, value in measured["differences"].items():
        if value is None:
            lines.append(f"  results and {name}'s are not finite in the same places")
        elif value:
            lines.append(f"  results differ from {name}'s by at most {value:.1g} of their largest number")
    lines += [f"  {name} failed: {why}" for name, why in measured["failed"].items()]
    return "\n".join(lines)


def means_table(means: Mapping[str, Mapping[str, float]]) -> str:
    headings = "".join(f"{'to ' + name:>14}" for name in means)
    lines = ["geometric mean of the ratios", " " * (WIDTH + 2) + headings]
    for key, label in FIGURES.items():
        cells = "".join(f"{ratio_text(values.get(key)):>14}" for values in means.values())
        lines.append(f"  {label:{WIDTH}}{cells}")
    return "\n".join(lines)


def quantity(key: str, value: float) -> str:
    return f"{value / 1e6:.1f} MB" if key.startswith("memory") else duration(value)


def ratio_text(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"


def run(options: argparse.Namespace) -> int:
    if options.profile is not None:
        return profile_command(options)
    if options.trace is not None:
        raise InputError("--trace writes what --profile measures, so give both")
    if "," in (options.device or "") and (options.vs_xla or options.vs_tinygrad):
        raise InputError(f"--device {options.device}: --vs-xla and --vs-tinygrad need one device; omit them")
    names, device = others(options.vs_xla, options.vs_tinygrad), expect_device(options.device)
    how = running_options(options)
    arguments_of = limited(arguments_for_bench, options.timeout, unfinished)
    programs = [(Path(file), arguments_of(Path(file), options, device)) for file in options.files]
    measured = []
    for path, arguments in programs:
        arrays = gather_inputs(arguments, options)
        with tempfile.TemporaryDirectory(prefix="hlo2tiny-bench-") as folder:
            file = path
            with time_limit(options.timeout, unfinished):
                if options.entry is not None:  # contenders run @main
                    file = Path(folder) / f"{path.stem}.{options.entry.removeprefix('@')}.mlir"
                    convert(path, file, bake=True, entry=options.entry)
                files = {XLA: text_for_xla(file, Path(folder))} if options.vs_xla else {}
            measured.append(
                measure(file, arrays, names, options.seconds, options.timeout, files=files, options=how, device=device)
            )
        if not options.json:
            show(table(str(path), measured[-1]))
    means = geometric_means(measured) if len(measured) > 1 else {}
    overhead = call_overhead(names, options.seconds, device)
    if options.json:
        rows = [{"file": str(path)} | figures for (path, _), figures in zip(programs, measured)]
        show(json.dumps({"programs": rows, "geometric_means": means, "call_overhead": overhead}, indent=1))
    else:
        if means:
            show(means_table(means))
        times = ", ".join(f"{name} {duration(value)}" for name, value in overhead.items())
        show(f"a call of one operation, numpy in and out: {times}")
    return int(any(figures["failed"] for figures in measured))


def arguments_for_bench(path: Path, options: argparse.Namespace, device: str) -> Sequence[Argument]:
    """The inputs of a program, once it has been verified."""
    several = devices_of(device)
    if isinstance(several, tuple):
        return load(path, several, entry=options.entry, ffi=options.ffi).inputs
    program = Program(embed_weights(path, options.entry).module, device, ffi=options.ffi)
    if options.vs_xla and any(None in argument.shape for argument in program.inputs):
        raise InputError(f"{path}: the file leaves shapes open, which --vs-xla does not support; omit it")
    return program.inputs


def profile_command(options: argparse.Namespace) -> int:
    warnings.simplefilter("error", NoNativeCode)
    page = f"{Path(options.files[0]).stem}.profile.html" if options.profile is True else options.profile
    if page.endswith(".mlir"):
        raise InputError(
            f"--profile {page}: expected the name of a page to write; put the program's file before --profile"
        )
    if "," in (options.device or ""):
        raise InputError(f"--device {options.device}: --profile measures programs on one device")
    if len(options.files) > 1 or options.vs_xla or options.vs_tinygrad:
        raise InputError("--profile measures one file, and cannot be combined with --vs-xla or --vs-tinygrad")
    expect_writable(page, "--profile")
    if options.trace is not None:
        expect_writable(options.trace, "--trace")
    program = load_with_progress(options.files[0], options, expect_device(options.device))
    arrays = gather_inputs(program.inputs, options)
    with time_limit(options.timeout + options.seconds):
        figures = profile(program, arrays, options.seconds, options.threads)
    show(json.dumps(figures, indent=1) if options.json else profile_text(options.files[0], figures))
    with written(page) as file:
        file.write(profile_page(options.files[0], figures).encode("utf-8"))
    if options.trace is not None:
        with written(options.trace) as file:
            file.write(trace_text(options.files[0], figures).encode("utf-8"))
    if not options.json:
        show(f"the page is {page}")
        if options.trace is not None:
            show(f"the trace is {options.trace}: open it at https://ui.perfetto.dev")
    return 0
