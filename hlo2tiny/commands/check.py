"""`hlo2tiny check`: compares a program's results with a reference, and finds the first op that differs.

For the latter, the reference runs the program with all values of its main function as results. Then each op is run
here on the reference's operands, so that any difference comes from the op itself. In an op that runs others (a call, a
loop, a branch), the search continues inside.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import lru_cache, reduce
from math import inf, prod
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from ..errors import InputError, NoNativeCode, printable_name
from ..formats.artifact import Artifact
from ..ir import Attribute, DenseAttr, Function, FunctionType, Module, Op, Region, Value, walk
from ..ir.dtypes import byte_size, expect_tensor, static_shape
from ..ir.entry import entry_function, named_functions, reachable, with_main
from ..ir.printer import print_file
from ..ir.rewrite import Rewriter, clone_value, free_values, last_uses
from ..ops import Trait, has
from ..ops.attributes import plain
from ..ops.build import func
from ..plan import build
from ..program import Program
from ..program.arguments import name_arguments
from ..program.compiled import Compiled
from ..program.ffi import FfiOption
from ..program.model import Model
from ..program.options import options_of
from ..records import dataclass
from ..rules.control import CONTROL, callee, chooses_by_boolean
from ..rules.registry import rule_name
from ..targets import TINYGRAD, Executor, HostFunction
from ..timeout import late, limited, time_limit, unfinished
from ..tinygrad.device import open_device
from ..tinygrad.settings import lowering_settings
from ..verify.unwrap import unwrap
from . import bench, contenders
from .inputs import devices_of, gather_inputs, load_with_progress, read_inputs
from .terminal import show, waiting

# Runs a module's main function on arrays.
RunModule = Callable[[Module, Sequence[np.ndarray]], list[np.ndarray]]
KnownArrays = Mapping[Value, np.ndarray]
ConstantOps = Mapping[Value, Op]
# How many ops are compared in one run, and how many bytes of results.
MOST_TOGETHER, MOST_BYTES = 100, 1 << 28
# How many iterations of a loop are searched.
MOST_ITERATIONS = 1000
# A custom call whose result is whatever the memory contains.
ALLOCATION = "@AllocateBuffer"
# Sums may be rounded in any order, so their error is relative to the largest number of the result. The same goes for
# ops that run many others.
ROUNDING = Trait.SUMMING | Trait.CALL | Trait.LOOP | Trait.CHOICE


# ---------------------------------------------------------------- comparing arrays


@dataclass(frozen=True)
class ArrayDifference:
    """How far an array is from an expected one."""

    absolute: float  # the largest difference; infinite if only one of two numbers is NaN or infinite
    ulps: float | None  # the largest difference in units in the last place; None for types that are not floats
    index: tuple[int, ...]  # where the largest difference is
    actual: Any  # the number there
    expected: Any
    beyond: int  # how many elements differ by more than is allowed

    def __str__(self) -> str:
        if not self.absolute:
            return "nothing"
        ulps = "" if self.ulps is None else f", {self.ulps:.4g} ULP"
        return f"{self.absolute:.4g}{ulps} at {list(self.index)}: {self.actual}, expected {self.expected}"


def limits(dtype: np.dtype) -> Any:
    """numpy's facts about a float type."""
    finfo: Any = np.finfo if dtype.kind in "fc" else ml_dtypes.finfo
    return finfo(dtype)


def precision(dtype: np.dtype) -> float | None:
    """The distance from 1 to the next number; None for types that are not floats."""
    is_float = dtype.kind in "fc" or (dtype.kind == "V" and "float" in dtype.name)
    return float(limits(dtype).eps) if is_float else None


def half_of_the_digits(dtype: np.dtype) -> float:
    """The difference that whole programs are allowed, in ULP, since errors add up."""
    return float((precision(dtype) or 1) ** -0.5)


def a_quarter_of_the_digits(dtype: np.dtype) -> float:
    """The difference that one op is allowed for equal operands, in ULP."""
    return float((precision(dtype) or 1) ** -0.25)


def largest(array: np.ndarray) -> np.ndarray:
    """The largest magnitude of the finite numbers, as an array of the same shape."""
    sizes = magnitudes(array)
    return np.full_like(sizes, sizes.max(initial=0.0))


def magnitudes(array: np.ndarray) -> np.ndarray:
    """The magnitudes of numbers; 0 for those that are not finite."""
    sizes = np.abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
    return np.where(np.isfinite(sizes), sizes, 0.0)


def compare(
    actual: np.ndarray, expected: np.ndarray, allowed: float, sizes: np.ndarray | None = None
) -> ArrayDifference:
    """Compare arrays of one shape and dtype. `allowed` is in ULP of the numbers, or of larger `sizes`."""
    epsilon = precision(expected.dtype)
    if not expected.size:
        return ArrayDifference(0.0, None if epsilon is None else 0.0, (), None, None, 0)
    wide: Any = np.complex128 if expected.dtype.kind == "c" else np.float64
    if epsilon is None:
        whole = np.uint64 if expected.dtype == np.uint64 else np.int64
        a, b = actual.astype(whole), expected.astype(whole)
        # The difference of two int64 fits into uint64.
        far = (np.maximum(a, b).astype(np.uint64) - np.minimum(a, b).astype(np.uint64)).astype(np.float64)
        distance, beyond = far, far > 0
    else:
        a, b = actual.astype(wide), expected.astype(wide)
        with np.errstate(all="ignore"):
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            far = np.where(same, 0.0, np.abs(a - b))
            far = np.where(np.isnan(far), np.inf, far)
            size = np.maximum(magnitudes(a), magnitudes(b))
            scale = size if sizes is None else np.maximum(size, sizes)
            # A number below the smallest normal one may be flushed to zero, as in XLA.
            normal = float(limits(actual.dtype).smallest_normal)
            units = far / (2.0 ** np.floor(np.log2(np.maximum(scale, normal))) * epsilon)
            distance = np.where((far <= normal) & (size <= normal), 0.0, units)
        beyond = distance > allowed
    worst = int(np.argmax(distance))
    index = tuple(int(i) for i in np.unravel_index(worst, expected.shape))
    ulps = None if epsilon is None else float(distance.reshape(-1)[worst])
    return ArrayDifference(float(np.max(far)), ulps, index, actual[index], expected[index], int(beyond.sum()))


# ---------------------------------------------------------------- what runs modules


def ours(device: str | None, ffi: FfiOption = None) -> RunModule:
    """Run modules with this package, on a device of tinygrad; for `ffi` see `load`."""

    @lru_cache(4)  # all iterations of a loop run the same module
    def compile_module(module: Module) -> Compiled:
        model = Model(Artifact(module), options_of(device, ffi=ffi))
        program = model.specialise([static_shape(type) for type in model.interface.inputs], {})
        assert program is not None
        return program

    return lambda module, arrays: list(compile_module(module).run_numpy(arrays))


def tinygrad(functions: Mapping[str, HostFunction] = {}) -> RunModule:
    """Run modules with tinygrad's own kernels on the CPU, and these functions; the rules of ops are the same."""

    @lru_cache(4)
    def executor(module: Module) -> Executor:
        open_device("CPU")
        with lowering_settings("CPU"):
            plan = build(unwrap(module), entry_function(module).name)
        return TINYGRAD.compile(plan, "CPU", functions)

    return lambda module, arrays: list(executor(module).run_numpy(arrays))


@contextmanager
def xla(seconds: float | None = None) -> Iterator[RunModule]:
    """Run modules with XLA on the CPU, in a process of its own, each for at most that many seconds.

    Raises:
        InputError: JAX is not installed.
    """
    bench.others(True, False)  # raises if JAX is missing
    with tempfile.TemporaryDirectory(prefix="hlo2tiny-") as folder:
        files: dict[Module, Path] = {}
        with bench.process(bench.XLA, bench.this_process_cores(), Path(folder, "cache"), seconds) as process:

            def run(module: Module, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
                if module not in files:
                    files[module] = Path(folder, f"module{len(files)}.mlir")
                    files[module].write_bytes(print_file(with_main(module)))
                inputs = [contenders.write(a, str(Path(folder, f"input{i}"))) for i, a in enumerate(arrays)]
                try:
                    results = process.ask("run", file=str(files[module]), inputs=inputs, folder=folder)
                except bench.NoAnswer as error:
                    raise InputError(f"XLA has {late(seconds or 0)}") from error
                except bench.ContenderFailed as error:
                    raise InputError(f"XLA cannot run the program: {error}") from error
                return [contenders.read(*stored) for stored in results]

            yield run


# ---------------------------------------------------------------- the first op that differs


@dataclass(frozen=True)
class FirstDifference:
    """The first op that differs; as a string, with its location and the numbers."""

    op: Op
    result: int  # the number of the result that differs
    difference: ArrayDifference  # for equal operands
    operands: tuple[Any, ...]  # for an elementwise op, the operands' numbers at the index of the difference
    path: tuple[tuple[Op, str], ...] = ()  # the ops around it, outermost first, each with its branch or iteration

    def inside(self, op: Op, part: str = "") -> FirstDifference:
        return replace(self, path=((op, part), *self.path))

    def __str__(self) -> str:
        op, type = self.op, self.op.results[self.result].type
        lines = []
        for depth, (outer, part) in enumerate(self.path):
            lines.append(f"{'  ' * depth}in {outer.name} at {place(outer)}{', ' + part if part else ''}:")
        which = f", result {self.result}" if len(op.results) > 1 else ""
        lines.append(f"{place(op)}: {op.name}{which}: {type} differs by {self.difference}")
        if op.location.name:
            lines.append(f"  in the model: {op.location.name}")
        if self.operands:
            lines.append(f"  the operands there: {', '.join(map(str, self.operands))}")
        count = f"{self.difference.beyond:,} of {prod(static_shape(type)):,} elements"
        return "\n".join([*lines, f"  {count} differ by more than is allowed"])


@dataclass(frozen=True)
class Search:
    """Compares `run` with `reference`. `allowed` is in ULP; None: the default. `iterations`: how many of a loop."""

    run: RunModule
    reference: RunModule
    allowed: float | None = None
    iterations: int = MOST_ITERATIONS

    def first(self, module: Module, arrays: Sequence[np.ndarray]) -> FirstDifference | None:
        """The first op that differs in a module of static shapes, for these arguments."""
        body = entry_function(module).code
        return self._within(module, body, dict(zip(body.arguments, arrays, strict=True)), {})

    def _within(
        self, module: Module, region: Region, values: KnownArrays, outer: ConstantOps
    ) -> FirstDifference | None:
        """The first op that differs in a region, for its arguments and outer values. `outer` has outer constants."""
        known = dict(values)
        constants = {**outer, **{v: op for op in region.ops if is_constant(op) for v in op.results}}
        ops = [op for op in region.ops if not is_constant(op) and not has(op, Trait.TERMINATOR) and op.results]
        last = last_uses(ops)
        for start, together in portions(ops):
            results = [v for op in together for v in op.results]
            reads, numbers = split(free_values(*together), constants)
            whole = module_of(module, reads, [*numbers, *together], results)
            known.update(zip(results, self.reference(whole, [known[v] for v in reads]), strict=True))
            # The same ops, each on the reference's values even if another of them computes its operands.
            alone = [Rewriter(new=clone_value).clone(op) for op in together if is_determined(op)]
            reads, _ = split(free_values(*alone), constants)
            apart = module_of(module, reads, [*numbers, *alone], [v for op in alone for v in op.results])
            computed = iter(self.run(apart, [known[v] for v in reads]))
            for op in (op for op in together if is_determined(op)):
                pairs = [(next(computed), known[value]) for value in op.results]
                differences = [self._difference(op, x, expected, known) for x, expected in pairs]
                if not any(difference.beyond for difference in differences):
                    continue
                inner = self._inside(module, op, known, constants)
                if inner is not None:
                    return inner
                for number, (difference, (x, expected)) in enumerate(zip(differences, pairs)):
                    # An op that runs others may differ by more than each of them.
                    if difference.beyond and (op.name not in CONTROL or self._whole(x, expected).beyond):
                        operands = operands_at(op, known, constants, expected.shape, difference)
                        return FirstDifference(op, number, difference, operands)
            end = start + len(together)
            known = {v: x for v, x in known.items() if last.get(v, -1) >= end}
        return None

    def _difference(self, op: Op, actual: np.ndarray, expected: np.ndarray, known: KnownArrays) -> ArrayDifference:
        allowed = a_quarter_of_the_digits(expected.dtype) if self.allowed is None else self.allowed
        sizes = None
        if has(op, ROUNDING):
            sizes = largest(expected)
        elif has(op, Trait.ADDING):
            # A compiler may fuse a product and a sum, and then does not round the product.
            given = [magnitudes(known[v]) for v in op.operands if v in known]
            sizes = reduce(np.maximum, given, np.zeros(()))
        return compare(actual, expected, allowed, sizes)

    def compare_ops(self, module: Module, arrays: Sequence[np.ndarray]) -> dict[Op, float]:
        """How far each op is from the reference for equal operands, in ULP; infinite if one of two numbers is NaN or
        infinite, or integers differ. For loops it is the first iteration; for functions, the worst call."""
        found: dict[Op, float] = {}

        class Recording(Search):
            def _difference(
                self, op: Op, actual: np.ndarray, expected: np.ndarray, known: KnownArrays
            ) -> ArrayDifference:
                difference = super()._difference(op, actual, expected, known)
                ulps = difference.ulps if difference.ulps is not None else inf if difference.absolute else 0.0
                found[op] = max(found.get(op, 0.0), ulps)
                return replace(
                    difference, beyond=int(op.name in CONTROL)
                )  # so that it looks into those that run others

            def _whole(self, actual: np.ndarray, expected: np.ndarray) -> ArrayDifference:
                return replace(super()._whole(actual, expected), beyond=0)

        Recording(self.run, self.reference, self.allowed, iterations=1).first(module, arrays)
        return found

    def _whole(self, actual: np.ndarray, expected: np.ndarray) -> ArrayDifference:
        """The difference between results of whole programs."""
        allowed = half_of_the_digits(expected.dtype) if self.allowed is None else self.allowed
        return compare(actual, expected, allowed, largest(expected))

    def _inside(self, module: Module, op: Op, known: KnownArrays, constants: ConstantOps) -> FirstDifference | None:
        """The first op that differs inside an op that runs others."""
        operands = operand_values(op, known, constants)
        outside = {v: known[v] for v in free_values(*op.regions) if v in known}
        if has(op, Trait.CALL):
            body = module.functions[callee(op)].code
            inner = self._within(module, body, dict(zip(body.arguments, operands)), {})
            return inner and inner.inside(op)
        if has(op, Trait.CHOICE):
            index = int(operands[0])
            if chooses_by_boolean(op):
                index = 0 if index else 1
            branch = index if 0 <= index < len(op.regions) else len(op.regions) - 1
            inner = self._within(module, op.regions[branch], outside, constants)
            return inner and inner.inside(op, f"branch {branch}")
        if has(op, Trait.LOOP):
            return self._in_loop(module, op, operands, outside, constants)
        return None

    def _in_loop(
        self, module: Module, op: Op, carries: list[np.ndarray], outside: KnownArrays, constants: ConstantOps
    ) -> FirstDifference | None:
        """The first op that differs in a loop. Each iteration begins with the reference's carries."""
        parts = []
        for region in op.regions:
            reads, numbers = split(free_values(region), constants)
            *ops, terminator = region.ops
            parts.append((module_of(module, [*region.arguments, *reads], [*numbers, *ops], terminator.operands), reads))
        for iteration in range(self.iterations):
            for region, (step, reads) in zip(op.regions, parts):
                arrays = [*carries, *(outside[v] for v in reads)]
                expected, actual = self.reference(step, arrays), self.run(step, arrays)
                if any(self._difference(op, a, e, {}).beyond for a, e in zip(actual, expected)):
                    values = {**outside, **dict(zip(region.arguments, carries))}
                    inner = self._within(module, region, values, constants)
                    if inner is not None:
                        return inner.inside(op, f"iteration {iteration}")
                if region is not op.regions[0]:
                    carries = expected
                elif not expected[0]:  # the condition ends the loop
                    return None
        return None


def split(values: Iterable[Value], constants: ConstantOps) -> tuple[list[Value], list[Op]]:
    """The values that are not constants, and the ops of those that are."""
    values = list(values)
    return [v for v in values if v not in constants], [constants[v] for v in values if v in constants]


def operand_values(op: Op, known: KnownArrays, constants: ConstantOps) -> list[np.ndarray]:
    return [known[v] if v in known else constant_value(constants[v]) for v in op.operands]


def operands_at(
    op: Op, known: KnownArrays, constants: ConstantOps, shape: tuple[int, ...], difference: ArrayDifference
) -> tuple[Any, ...]:
    """The numbers of an elementwise op's operands where its result differs; () for other ops."""
    arrays = operand_values(op, known, constants)
    same = not has(op, ROUNDING) and not op.regions and all(a.shape == shape for a in arrays)
    return tuple(a[difference.index] for a in arrays) if same else ()


def is_determined(op: Op) -> bool:
    """Whether an op's results depend on nothing but its operands."""
    return not has(op, Trait.RANDOM) and rule_name(op) != ALLOCATION


def is_constant(op: Op) -> bool:
    return op.name.endswith(".constant")


def constant_value(op: Op) -> np.ndarray:
    value = op.attributes["value"]
    return np.asarray(value.data if isinstance(value, DenseAttr) else plain(value))


def portions(ops: Sequence[Op]) -> Iterator[tuple[int, list[Op]]]:
    """Split ops into parts that are compared in one run each, with the number of each part's first op."""
    start = 0
    while start < len(ops):
        size, end = 0, start
        while end < len(ops) and end - start < MOST_TOGETHER and (end == start or size < MOST_BYTES):
            size += sum(byte_size(expect_tensor(v.type)) for v in ops[end].results)
            end += 1
        yield start, list(ops[start:end])
        start = end


def module_of(module: Module, arguments: Sequence[Value], ops: Sequence[Op], results: Sequence[Value]) -> Module:
    """A module whose main function runs ops on arguments, with the functions that they call."""
    clones = Rewriter(new=lambda v: Value(v.name, v.type))
    parameters, body = clones.define(arguments), clones.ops(ops)
    location = ops[0].location if ops else next(iter(module.functions.values())).location
    end = func.return_.op(clones.lookup(results), (), location)
    types = FunctionType(tuple(v.type for v in parameters), tuple(v.type for v in end.operands))
    nothing: tuple[dict[str, Attribute], ...] = ({},)
    attributes = nothing * len(types.inputs), nothing * len(types.results)
    main = Function("main", types, Region(parameters, (*body, end)), "public", *attributes, {}, location)
    called = reachable(module.functions, named_functions(walk(Region((), tuple(ops)))))
    others = {name: replace(f, visibility="private") for name, f in module.functions.items() if name in called}
    return replace(module, functions={"main": main, **others})


def place(op: Op) -> str:
    return f"{op.location.source.path}:{op.location.line}:{op.location.column}"


def run(options: argparse.Namespace) -> int:
    """Compare a program's results with a reference; the exit code is 0 if they agree."""
    if options.tolerance is not None and not options.tolerance >= 0:
        raise InputError(f"--tolerance {options.tolerance}: expected a number of units in the last place, 0 or more")
    warnings.simplefilter("error", NoNativeCode)

    devices = devices_of(options.device)
    program = load_with_progress(options.file, options, devices)
    pairs = read_inputs(options)
    recorded = {name: array for name, array in pairs if is_result(name, program)}
    pairs = [(name, array) for name, array in pairs if name not in recorded]
    if isinstance(devices, tuple) and (options.vs_xla or options.bisect or not recorded):
        raise InputError(
            "a program for several devices is compared with recorded results only: --input FILE.npz with out0, out1, …"
        )
    inputs = gather_inputs(program.inputs, options, pairs)
    with time_limit(options.timeout, unfinished):
        module, arrays = program.static_module(inputs), program.all_arrays(inputs)
    names = name_arguments(program.outputs, "out")
    with ExitStack() as stack:
        reference = limited(tinygrad(program.custom_calls), options.timeout)
        if options.vs_xla:
            reference = stack.enter_context(xla(options.timeout))
        title = "XLA" if options.vs_xla else "tinygrad's own kernels"
        if recorded and not options.vs_xla:
            title = "the recorded results"
            keys = [name if name in recorded else f"out{i}" for i, name in enumerate(names)]
            if not set(keys) <= set(recorded):
                raise InputError(
                    f"the files have the results {', '.join(recorded)}, the program has {', '.join(names)}"
                )
            expected = [recorded[key] for key in keys]
        else:
            with waiting(f"running {title}"):
                expected = list(reference(module, arrays))
        show(f"compared with {title}:")
        agree = True
        results = limited(program.numpy_one_by_one, options.timeout)(inputs)
        for name, found, wanted in zip(map(printable_name, names), results, expected):
            layout = f"{found.dtype}{list(found.shape)}"
            if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
                agree = False
                show(f"{name}: {layout}, expected {wanted.dtype}{list(wanted.shape)}")
                continue
            allowed = half_of_the_digits(found.dtype) if options.tolerance is None else options.tolerance
            difference = compare(found, wanted, allowed, largest(wanted))
            agree = agree and not difference.beyond
            show(f"{name}: {layout} differs by {difference}")
        if options.bisect:
            search = Search(limited(ours(options.device, options.ffi), options.timeout), reference, options.tolerance)
            with waiting("comparing op by op"):
                first = search.first(module, arrays)
            show("no op differs" if first is None else str(first))
            agree = agree and first is None
    return int(not agree)


def is_result(name: str, program: Program) -> bool:
    """Whether an array of this name is a recorded result rather than an input."""
    results = {*name_arguments(program.outputs, "out"), *(f"out{i}" for i in range(len(program.outputs)))}
    return name in results and name not in name_arguments(program.inputs, "in")
