"""`hlo2tiny check`: whether a program's results are those of a reference, and which op is the first that differs.

To find that op, the reference runs the program once with all values of its main function as results. Then each op is
run here on the reference's own operands, so that a difference is the op's, and none that it was given. Where an op runs
others (a call, a loop, a choice), the search goes on inside.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from ..compiled import Compiled
from ..errors import InputError
from ..formats.artifact import Artifact
from ..ir import DenseAttr, Function, FunctionType, Module, Op, Region, Value
from ..ir.dtypes import expect_tensor, numpy_dtype, static_shape
from ..ir.entry import entry_function, with_main
from ..ir.rewrite import Rewriter, clone_value, free_values, last_uses
from ..model import Model
from ..ops import Trait, has
from ..ops.attributes import plain
from ..ops.build import func
from ..plan import build
from ..plan.lowering import lowering
from ..program import custom_calls
from ..rules.control import CONTROL, callee, chooses_by_boolean
from ..rules.registry import rule_name
from ..targets import TINYGRAD, Executor
from ..tinygrad.device import open_device
from ..verify.unwrap import unwrap
from . import bench, contenders

# Runs a module's main function on arrays.
Run = Callable[[Module, Sequence[np.ndarray]], list[np.ndarray]]
# Ops that are compared in one run: so many, and results of so many bytes.
MOST_TOGETHER, MOST_BYTES = 100, 1 << 28
# Turns of a loop that are looked into.
MOST_TURNS = 1000
# A custom call that gives what is in memory.
ALLOCATION = "@AllocateBuffer"
# Sums round in any order: their error is measured by the largest of the numbers that an op gives, and so is that of
# what runs many ops.
ROUNDING = Trait.SUMMING | Trait.CALL | Trait.LOOP | Trait.CHOICE


# ---------------------------------------------------------------- comparing arrays


@dataclass(frozen=True)
class Difference:
    """How far an array is from another one.

    Attributes:
        absolute: the largest difference; infinite where only one is NaN or infinite.
        ulps: the largest in units in the last place; None for types that are not floats.
        index: where that is.
        found, expected: the numbers there.
        beyond: how many elements differ by more than was allowed.
    """

    absolute: float
    ulps: float | None
    index: tuple[int, ...]
    found: Any
    expected: Any
    beyond: int

    def __str__(self) -> str:
        if not self.absolute:
            return "nothing"
        ulps = "" if self.ulps is None else f", {self.ulps:.4g} ULP"
        return f"{self.absolute:.4g}{ulps} at {list(self.index)}: {self.found}, expected {self.expected}"


def is_float(dtype: np.dtype) -> bool:
    return dtype.kind in "fc" or (dtype.kind == "V" and "float" in dtype.name)


def limits(dtype: np.dtype) -> Any:
    """What is known of a float type: `eps`, the distance from 1 to the next number, and `smallest_subnormal`."""
    about: Any = np.finfo if dtype.kind in "fc" else ml_dtypes.finfo
    return about(dtype)


def precision(dtype: np.dtype) -> float | None:
    return float(limits(dtype).eps) if is_float(dtype) else None


def half_of_the_digits(dtype: np.dtype) -> float:
    """What whole programs are allowed, in ULP: rounding adds up."""
    return float((precision(dtype) or 1) ** -0.5)


def a_quarter_of_the_digits(dtype: np.dtype) -> float:
    """What one op on equal operands is allowed, in ULP."""
    return float((precision(dtype) or 1) ** -0.25)


def largest(array: np.ndarray) -> np.ndarray:
    """The largest finite size of numbers, as an array of their shape."""
    size = magnitudes(array)
    return np.full_like(size, size.max(initial=0.0))


def magnitudes(array: np.ndarray) -> np.ndarray:
    """The sizes of numbers, 0 for those that are not finite."""
    size = np.abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
    return np.where(np.isfinite(size), size, 0.0)


def compared(found: np.ndarray, expected: np.ndarray, allowed: float, sizes: np.ndarray | None = None) -> Difference:
    """Compare arrays of one shape and dtype.

    `allowed` is in ULP, of the numbers themselves, or of `sizes` where these are larger.
    """
    epsilon = precision(expected.dtype)
    if not expected.size:
        return Difference(0.0, None if epsilon is None else 0.0, (), None, None, 0)
    wide: Any = np.complex128 if expected.dtype.kind == "c" else np.float64
    if epsilon is None:
        whole = np.uint64 if expected.dtype == np.uint64 else np.int64
        a, b = found.astype(whole), expected.astype(whole)
        # The difference of numbers of 64 bits fits into as many without sign.
        far = (np.maximum(a, b).astype(np.uint64) - np.minimum(a, b).astype(np.uint64)).astype(np.float64)
        distance, beyond = far, far > 0
    else:
        a, b = found.astype(wide), expected.astype(wide)
        with np.errstate(all="ignore"):
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            far = np.where(same, 0.0, np.abs(a - b))
            far = np.where(np.isnan(far), np.inf, far)
            size = np.maximum(magnitudes(a), magnitudes(b))
            scale = size if sizes is None else np.maximum(size, sizes)
            # A number below the smallest normal one may be flushed to zero, as XLA does.
            normal = float(limits(found.dtype).smallest_normal)
            units = far / (2.0 ** np.floor(np.log2(np.maximum(scale, normal))) * epsilon)
            distance = np.where((far <= normal) & (size <= normal), 0.0, units)
        beyond = distance > allowed
    place = int(np.argmax(distance))
    index = tuple(int(i) for i in np.unravel_index(place, expected.shape))
    ulps = None if epsilon is None else float(distance.reshape(-1)[place])
    absolute = float(far.max())
    return Difference(absolute, ulps, index, found[index], expected[index], int(beyond.sum()))


# ---------------------------------------------------------------- who runs


def ours(device: str | None) -> Run:
    """This package, on a device of tinygrad."""

    @lru_cache(4)  # a loop's turns are one module
    def compiled(module: Module) -> Compiled:
        model = Model(Artifact(module), device, custom_calls())
        program = model.specialise([static_shape(type) for type in model.interface.inputs], {})
        assert program is not None
        return program

    return lambda module, arrays: list(compiled(module).run_numpy(arrays))


def tinygrad() -> Run:
    """tinygrad's own kernels and matrix products on the CPU: the rules are the same, what runs them is not."""

    @lru_cache(4)
    def executor(module: Module) -> Executor:
        open_device("CPU")
        with lowering("CPU"):
            plan = build(unwrap(module), entry_function(module).name)
        return TINYGRAD.compile(plan, "CPU", custom_calls())

    return lambda module, arrays: list(executor(module).run_numpy(arrays))


@contextmanager
def xla() -> Iterator[Run]:
    """XLA on the CPU, in a process of its own.

    Raises:
        InputError: JAX is not installed, or XLA cannot run a module.
    """
    bench.others(True, False)  # says what to install
    with tempfile.TemporaryDirectory(prefix="hlo2tiny-") as folder:
        place, files = Path(folder), dict[Module, Path]()
        with bench.process(bench.XLA, bench.this_process_cores(), place / "cache") as process:

            def run(module: Module, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
                if module not in files:
                    files[module] = place / f"module{len(files)}.mlir"
                    files[module].write_text(str(with_main(module)), encoding="utf-8")
                inputs = [contenders.write(a, str(place / f"input{i}")) for i, a in enumerate(arrays)]
                try:
                    found = process.ask("run", file=str(files[module]), inputs=inputs, folder=folder)
                except bench.ContenderFailed as error:
                    raise InputError(f"XLA cannot run this: {error}") from error
                return [contenders.read(*stored) for stored in found]

            yield run


# ---------------------------------------------------------------- the first op that differs


@dataclass(frozen=True)
class Found:
    """The first op that differs.

    Attributes:
        op: the op.
        result: which of its results.
        difference: how, given equal operands.
        operands: the operands' numbers at the difference's index, of those that have the result's shape.
        way: the ops that it is inside of, from outside, each with what it was doing.
    """

    op: Op
    result: int
    difference: Difference
    operands: tuple[Any, ...]
    way: tuple[tuple[Op, str], ...] = ()


@dataclass(frozen=True)
class Search:
    """Compares `run` with `reference`, which both run modules. `allowed` is in ULP, None for the default."""

    run: Run
    reference: Run
    allowed: float | None = None

    def first(self, module: Module, arrays: Sequence[np.ndarray]) -> Found | None:
        """The first op of a module that differs, for these arguments; the module has static shapes."""
        body = entry_function(module).body
        assert body is not None
        return self._within(module, body, dict(zip(body.arguments, arrays, strict=True)), {})

    def _within(
        self, module: Module, region: Region, given: Mapping[Value, np.ndarray], outer: Mapping[Value, Op]
    ) -> Found | None:
        """The same of a region, given its arguments and what it reads outside; constants come as their ops."""
        known = dict(given)
        constants = {**outer, **{v: op for op in region.ops if is_constant(op) for v in op.results}}
        ops = [op for op in region.ops if not is_constant(op) and not has(op, Trait.TERMINATOR) and op.results]
        last = last_uses(ops)
        for start, together in portions(ops):
            results = [v for op in together for v in op.results]
            free = free_values(*together)
            reads, numbers = [v for v in free if v not in constants], [constants[v] for v in free if v in constants]
            whole = module_of(module, reads, [*numbers, *together], results)
            known.update(zip(results, self.reference(whole, [known[v] for v in reads]), strict=True))
            # The same ops, each on the reference's values, also of what another one of them gives.
            alone = [Rewriter(new=clone_value).clone(op) for op in together if is_determined(op)]
            reads = [v for v in free_values(*alone) if v not in constants]
            apart = module_of(module, reads, [*numbers, *alone], [v for op in alone for v in op.results])
            found = iter(self.run(apart, [known[v] for v in reads]))
            for op in (op for op in together if is_determined(op)):
                for number, value in enumerate(op.results):
                    x = next(found)
                    difference = self._difference(op, x, known[value], known)
                    if not difference.beyond:
                        continue
                    inner = self._inside(module, op, known, constants)
                    if inner is not None:
                        return inner
                    # What many ops have rounded differs by more than what each of them may.
                    if op.name not in CONTROL or self._whole(x, known[value]).beyond:
                        operands = operands_at(op, known, constants, known[value].shape, difference)
                        return Found(op, number, difference, operands)
            end = start + len(together)
            known = {v: x for v, x in known.items() if last.get(v, -1) >= end}
        return None

    def _difference(
        self, op: Op, found: np.ndarray, expected: np.ndarray, known: Mapping[Value, np.ndarray]
    ) -> Difference:
        allowed = a_quarter_of_the_digits(expected.dtype) if self.allowed is None else self.allowed
        sizes = None
        if has(op, ROUNDING):
            sizes = largest(expected)
        elif has(op, Trait.ADDING):
            # A compiler may add a product that it has not rounded.
            sizes = np.maximum.reduce([magnitudes(known[v]) for v in op.operands if v in known] or [np.zeros(())])
        return compared(found, expected, allowed, sizes)

    def _whole(self, found: np.ndarray, expected: np.ndarray) -> Difference:
        """The difference of what a whole program gives."""
        allowed = half_of_the_digits(expected.dtype) if self.allowed is None else self.allowed
        return compared(found, expected, allowed, largest(expected))

    def _inside(
        self, module: Module, op: Op, known: Mapping[Value, np.ndarray], constants: Mapping[Value, Op]
    ) -> Found | None:
        """The op inside another one, which differs as a whole."""

        def value(v: Value) -> np.ndarray:
            return known[v] if v in known else constant_value(constants[v])

        operands = [value(v) for v in op.operands]
        outside = {v: known[v] for v in free_values(*op.regions) if v in known}
        if has(op, Trait.CALL):
            body = module.functions[callee(op)].body
            assert body is not None
            return on_the_way(op, "", self._within(module, body, dict(zip(body.arguments, operands)), {}))
        if has(op, Trait.CHOICE):
            index = int(operands[0])
            if chooses_by_boolean(op):
                index = 0 if index else 1
            chosen = index if 0 <= index < len(op.regions) else len(op.regions) - 1
            return on_the_way(op, f"branch {chosen}", self._within(module, op.regions[chosen], outside, constants))
        if has(op, Trait.LOOP):
            return self._in_loop(module, op, operands, outside, constants)
        return None

    def _in_loop(
        self,
        module: Module,
        op: Op,
        carries: list[np.ndarray],
        outside: Mapping[Value, np.ndarray],
        constants: Mapping[Value, Op],
    ) -> Found | None:
        """The first turn of a loop that differs, begun with the reference's carries; then the op in it."""
        parts = []
        for region in op.regions:
            free = free_values(region)
            numbers = [constants[v] for v in free if v in constants]
            reads = [v for v in free if v not in constants]
            *ops, terminator = region.ops
            parts.append((module_of(module, [*region.arguments, *reads], [*numbers, *ops], terminator.operands), reads))
        for turn in range(MOST_TURNS):
            ends = False
            for region, (step, reads) in zip(op.regions, parts):
                arrays = [*carries, *(outside[v] for v in reads)]
                expected = self.reference(step, arrays)
                found = self.run(step, arrays)
                if any(self._difference(op, f, e, {}).beyond for f, e in zip(found, expected)):
                    given = {**outside, **dict(zip(region.arguments, carries))}
                    inner = self._within(module, region, given, constants)
                    if inner is not None:
                        return on_the_way(op, f"turn {turn}", inner)
                if region is op.regions[0]:
                    ends = not bool(expected[0])
                    if ends:
                        break
                else:
                    carries = expected
            if ends:
                break
        return None


def on_the_way(op: Op, doing: str, found: Found | None) -> Found | None:
    return None if found is None else replace(found, way=((op, doing), *found.way))


def operands_at(
    op: Op,
    known: Mapping[Value, np.ndarray],
    constants: Mapping[Value, Op],
    shape: tuple[int, ...],
    difference: Difference,
) -> tuple[Any, ...]:
    """The numbers of an elementwise op's operands where its result differs."""
    arrays = [known[v] if v in known else constant_value(constants[v]) for v in op.operands]
    same = not has(op, ROUNDING) and not op.regions and all(a.shape == shape for a in arrays)
    return tuple(a[difference.index] for a in arrays) if same else ()


def is_determined(op: Op) -> bool:
    """Whether what an op gives is said by its operands."""
    return not has(op, Trait.RANDOM) and rule_name(op) != ALLOCATION


def is_constant(op: Op) -> bool:
    return op.name.endswith(".constant")


def constant_value(op: Op) -> np.ndarray:
    value = op.attributes["value"]
    return np.asarray(value.data if isinstance(value, DenseAttr) else plain(value))


def portions(ops: Sequence[Op]) -> Iterator[tuple[int, list[Op]]]:
    """Ops in order, as many at a time as are compared in one run, each time with the number of the first."""
    start = 0
    while start < len(ops):
        size, end = 0, start
        while end < len(ops) and end - start < MOST_TOGETHER and (end == start or size < MOST_BYTES):
            size += sum(byte_size(v) for v in ops[end].results)
            end += 1
        yield start, list(ops[start:end])
        start = end


def byte_size(value: Value) -> int:
    type = expect_tensor(value.type)
    return prod(static_shape(type)) * numpy_dtype(type.element).itemsize


def module_of(module: Module, arguments: Sequence[Value], ops: Sequence[Op], results: Sequence[Value]) -> Module:
    """A module whose main function runs ops on arguments; beside it are the other functions that they call."""
    clones = Rewriter(new=lambda v: Value(v.name, v.type))
    parameters, body = clones.define(arguments), clones.ops(ops)
    location = ops[0].location if ops else next(iter(module.functions.values())).location
    end = func.return_.op(clones.lookup(results), (), location)
    types = FunctionType(tuple(v.type for v in parameters), tuple(v.type for v in end.operands))
    main = Function(
        "main",
        types,
        Region(parameters, (*body, end)),
        "public",
        ({},) * len(types.inputs),
        ({},) * len(types.results),
        {},
        location,
    )
    others = {name: replace(f, visibility="private") for name, f in called(module, ops).items()}
    return replace(module, functions={"main": main, **others})


def called(module: Module, ops: Sequence[Op]) -> dict[str, Function]:
    """The functions that ops call, and those that these call."""
    found: dict[str, Function] = {}
    waiting = list(ops)
    while waiting:
        op = waiting.pop()
        waiting += [inner for region in op.regions for inner in region.ops]
        if has(op, Trait.CALL) and callee(op) not in found:
            found[callee(op)] = function = module.functions[callee(op)]
            waiting += function.body.ops if function.body is not None else ()
    return found


def found_text(found: Found) -> str:
    """A finding in words: the op, where it is, and the numbers."""
    op, difference = found.op, found.difference
    lines = []
    for depth, (outer, doing) in enumerate(found.way):
        lines.append(f"{'  ' * depth}in {outer.name} at {place(outer)}{', ' + doing if doing else ''}:")
    result = op.results[found.result]
    which = f", result {found.result}" if len(op.results) > 1 else ""
    lines.append(f"{place(op)}: {op.name}{which}: {result.type} differs by {difference}")
    if op.location.name:
        lines.append(f"  in the model: {op.location.name}")
    if found.operands:
        lines.append(f"  the operands there: {', '.join(map(str, found.operands))}")
    lines.append(
        f"  {difference.beyond:,} of {prod(static_shape(result.type)):,} elements differ by more than is allowed"
    )
    return "\n".join(lines)


def place(op: Op) -> str:
    return f"{op.location.source.path}:{op.location.line}:{op.location.column}"
