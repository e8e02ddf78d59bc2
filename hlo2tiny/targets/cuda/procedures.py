"""LAPACK's procedures as kernels, and as calls of cuSOLVER and cuBLAS for large matrices."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any, NamedTuple

from ...rules.eigen import solve_perturbed
from ...rules.procedure import (
    Array,
    Assign,
    Expression,
    HostRun,
    Procedure,
    RoutineCall,
    Statement,
    arrays_of,
    exchange_pivots,
    finite,
)
from ..procedures import NUMBERS, exchanges_of, write_element, write_exchanges, write_value
from . import tridiagonal
from .kernels import USUAL_SHARED, WARP, CudaKernel, KernelParameter, launch_size
from .matrices import Work, address, work_of
from .solver import ROWS_FOR_EACH, SIGNATURES, SINGULAR, SolverArray, SolverSpec

# The threads that look at one matrix.
SHARED = 256
# A kernel with the buffers that it takes, or a call with all of the procedure's.
ProcedurePart = CudaKernel | SolverSpec


class Parts(NamedTuple):
    """What a procedure does on a GPU, in order, and the sizes in bytes of its temporary buffers."""

    parts: Sequence[ProcedurePart]
    temporaries: tuple[int, ...]


def parts_of(procedure: Procedure, alone: bool = False, invariant: bool = False) -> Parts | None:
    """The parts of a procedure; None if a library lacks one of its calls.

    `alone` says that kernels also take over the calls for which the libraries are faster, and `invariant` that these
    are the same ones for any number of matrices.

    Kernels' `buffers` are numbers of the procedure's buffers: its operands, then results, then temporaries.
    """
    parts: list[ProcedurePart] = []
    temporaries = [*procedure.temporaries]
    statements = deque(enumerate(procedure.statements))
    while statements:
        number, statement = statements.popleft()
        match statement:
            case Assign(target, 0) if target.is_contiguous:  # of any type
                size = target.dtype.itemsize * target.size
                body = f"m{target.memory}[{target.dtype.itemsize * target.offset} + thread] = 0;"
                parts.append(kernel_of(procedure, "clear", size, body, target))
            case Assign(target, value) if is_parallel(target, value):
                parts.append(kernel_of(procedure, "assign", target.size, assignment(target, value), target, value))
            case Assign():
                return None
            case HostRun(function, arguments):
                parts.append(RUNS[function](procedure, *arguments))
            case RoutineCall():
                if statement.name[1:] == "gtsv":
                    work: Work | None = tridiagonal.work_of(statement, procedure.kept(number), invariant)
                else:
                    work = work_of(statement, alone, invariant)
                if work:
                    parts += matrices_kernels(procedure, statement, work, len(temporaries))
                    temporaries += [work.extra] * (work.extra > 0)
                    continue
                turned, extra = turn(statement, len(procedure.memories), invariant)
                if turned:
                    buffer = procedure.operands + procedure.results + len(temporaries)
                    procedure = replace(procedure, memories=(*procedure.memories, buffer))
                    temporaries.append(extra)
                    statements.extendleft((number, each) for each in reversed(turned))
                    continue
                made = list(calls_of(procedure, statement))
                if not made:
                    return None
                parts += made
    launched = [part for part in parts if not isinstance(part, CudaKernel) or part.grid[0]]
    return Parts(launched, tuple(temporaries))


# With how many columns, or fewer, a triangular system takes less time from the left.
MOST_TURNED = 64


def turn(call: RoutineCall, memory: int, invariant: bool) -> tuple[Sequence[Statement], int]:
    """A call on a transposed copy of an array, in `memory`, if NVIDIA's libraries take less time so, and its bytes.

    A Cholesky decomposition of 2,048 rows takes 1.83 ms of the upper triangle, and 0.66 of the lower one, on an H200; a
    triangular system of as many rows and one column 0.76 from the right, and 0.11 from the left.
    """
    name, arguments = call.name[1:], call.arguments
    if name == "potrf" and arguments[0] == "U":
        _, rows, a, leading, info = arguments
        columns, number = rows, 2
        others: tuple[int | str | Array | None, ...] = ("L", rows, a, rows, info)
    elif name == "trsm" and arguments[0] == "R" and int(arguments[4]) <= MOST_TURNED:  # type: ignore[arg-type]
        _, uplo, transpose, diagonal, rows, columns, scale, factor, its, a, leading = arguments
        if transpose == "C" and call.name[0] in "cz":
            return (), 0
        number, flipped = 9, "T" if transpose == "N" else "N"
        others = ("L", uplo, flipped, diagonal, columns, rows, scale, factor, its, a, columns)
    else:
        return (), 0
    assert isinstance(a, Array) and isinstance(rows, int) and isinstance(columns, int) and isinstance(leading, int)
    if call.items > 1 and columns <= ROWS_FOR_EACH * call.items and not invariant:
        return (), 0  # a function for all items at once
    if rows == leading == 1:
        return [replace(call, arguments=others)], 0
    step = a.strides[0] if a.shape[0] > 1 else 0
    own = replace(a, shape=(call.items, columns, rows), strides=(step, leading, 1))
    copy = Array(memory, a.dtype, (call.items, rows, columns), (rows * columns, columns, 1))
    halves = [(x.real, x.imag) if a.dtype.kind == "c" else (x,) for x in (own, copy)]
    statements: list[Statement] = [
        *(Assign(to, x.swapaxes(1, 2)) for x, to in zip(*halves)),
        replace(call, arguments=(*others[:number], copy, *others[number + 1 :])),
        *(Assign(to, x.swapaxes(1, 2)) for to, x in zip(*halves)),
    ]
    return statements, copy.size * copy.dtype.itemsize


def matrices_kernels(
    procedure: Procedure, call: RoutineCall, work: Work | None, temporaries: int
) -> Iterator[CudaKernel]:
    """The kernels of a call for small matrices; they may have a temporary buffer of their own, after so many others."""
    while work:
        items = -(-call.items // work.together)
        kernel = kernel_of(procedure, call.name, items, work.body, *work.arrays, block=work.threads, parts=work.parts)
        kernel = replace(kernel, files=work.files, alone=True, shared=work.shared)
        if work.extra:
            buffers = (*kernel.buffers, procedure.operands + procedure.results + temporaries)
            parameters = (*kernel.parameters, KernelParameter("char*", "extra"))
            kernel = replace(kernel, parameters=parameters, buffers=buffers)
        yield kernel
        work = work.then


def is_parallel(target: Array, value: Expression) -> bool:
    """Whether no element of the target is read for another one."""
    return all(
        a.memory != target.memory or (a.shape, a.strides, a.offset) == (target.shape, target.strides, target.offset)
        for a in arrays_of(value)
    )


def kernel_of(
    procedure: Procedure,
    name: str,
    iterations: int,
    body: str,
    *used: Expression,
    block: int | None = None,
    parts: int = 1,
) -> CudaKernel:
    """A kernel of this many threads, or this many items with `parts` blocks; `thread` or `item` is the number."""
    memories = sorted({a.memory for value in used for a in arrays_of(value)})
    parameters = tuple(KernelParameter("char*", f"m{memory}") for memory in memories)
    if block is None:
        blocks, threads = launch_size(iterations) if iterations else (0, 1)
        head = (
            f"const long long thread = (long long)blockIdx.x * {threads} + threadIdx.x;\n"
            f"if (thread >= {iterations}) return;"
        )
    else:
        blocks, threads, head = iterations * parts, block, f"const long long item = blockIdx.x / {parts};"
    buffers = tuple(procedure.memories[memory] for memory in memories)
    return CudaKernel(
        name, parameters, f"{head}\n{body}", (), (blocks, 1, 1), (threads, 1, 1), False, buffers, updates=True
    )  # fmt: skip


def indices_of(shape: Sequence[int], number: str) -> list[str]:
    """The index along each dimension of the element with a number."""
    return [f"({number} / {prod(shape[d + 1 :])} % {size})" for d, size in enumerate(shape)]


def assignment(target: Array, value: Expression) -> str:
    indices = indices_of(target.shape, "thread")
    return f"{write_element(target, indices)} = {write_value(value, indices)};"


def finite_kernel(procedure: Procedure, result: Array, a: Array) -> CudaKernel:
    count = prod(a.shape[1:])
    indices = ["item", *indices_of(a.shape[1:], "i")]
    halves = (a.real, a.imag) if a.dtype.kind == "c" else (a,)
    holds = " && ".join(f"isfinite({write_element(half, indices)})" for half in halves)
    body = f"""int all = 1;
for (long long i = threadIdx.x; i < {count}; i += {SHARED}) all &= {holds};
all = __syncthreads_and(all);
if (!threadIdx.x) {write_element(result, ["item"])} = all;"""
    return kernel_of(procedure, "finite", result.size, body, result, a, block=SHARED)


def exchanged_kernel(procedure: Procedure, permutation: Array, pivots: Array) -> CudaKernel:
    """Exchanges follow each other, so a block has the rows' numbers in its memory, if they fit."""
    items, size, rows = permutation.shape[0], permutation.shape[-1], pivots.shape[-1]
    if 4 * (size + rows) > USUAL_SHARED:
        body = "\n".join(exchanges_of(permutation, pivots, "thread"))
        return kernel_of(procedure, "exchanged", items, body, permutation, pivots)
    exchanges = "\n".join(write_exchanges(size, rows, "order[{}]".format, "others[{}]".format))
    body = f"""__shared__ int order[{size}], others[{rows}];
for (int i = threadIdx.x; i < {rows}; i += {WARP}) others[i] = {write_element(pivots, ["item", "i"])};
__syncthreads();
if (!threadIdx.x) {{
{exchanges}
}}
__syncthreads();
for (int i = threadIdx.x; i < {size}; i += {WARP}) {write_element(permutation, ["item", "i"])} = order[i];"""
    return kernel_of(procedure, "exchanged", items, body, permutation, pivots, block=WARP)


def perturbed_kernel(procedure: Procedure, *arrays: Array) -> CudaKernel:
    """A thread solves a system."""
    items, n, columns = arrays[-1].shape
    given = ", ".join(address(a, "thread") for a in arrays)
    kernel = kernel_of(procedure, "perturbed", items, f"matrices::solve_perturbed<{n}, {columns}>({given});", *arrays)
    return replace(kernel, files=tridiagonal.FILES, alone=True)


RUNS: Mapping[Callable[..., Any], Callable[..., CudaKernel]] = {
    finite: finite_kernel,
    exchange_pivots: exchanged_kernel,
    solve_perturbed: perturbed_kernel,
}


def triangle_kernel(procedure: Procedure, call: RoutineCall) -> CudaKernel:
    """laset: numbers off the diagonal, and on it; for all items of a batch."""
    uplo, m, n, outside, diagonal, a, leading = call.arguments
    assert isinstance(a, Array) and isinstance(outside, Array) and isinstance(diagonal, Array)
    step, height = a.strides[0] if a.shape[0] > 1 else 0, int(m)  # type: ignore[arg-type]
    iterations = call.items * height * int(n)  # type: ignore[arg-type]
    condition = {"L": "row >= column", "U": "row <= column"}.get(str(uplo), "true")
    halves = [(x.real, x.imag) if x.dtype.kind == "c" else (x,) for x in (a, outside, diagonal)]
    width, number = len(halves[0]), NUMBERS[halves[0][0].dtype.name]
    writes = "\n".join(
        f"(({number} *)m{a.memory})[{target.offset} + (item * {step}LL + column * {leading}LL + row) * {width}]"
        f" = row == column ? {write_element(on, ['0'])} : {write_element(off, ['0'])};"
        for target, off, on in zip(*halves)
    )
    body = f"""const long long row = thread % {height}, column = thread / {height} % {n};
const long long item = thread / {iterations // call.items};
if (!({condition})) return;
{writes}"""
    return kernel_of(procedure, "triangle", iterations, body, a, outside, diagonal)


def calls_of(procedure: Procedure, call: RoutineCall) -> Iterator[ProcedurePart]:
    """A LAPACK call as calls of NVIDIA's libraries; None if they lack it."""
    name = call.name[1:]
    if name == "laset":
        yield triangle_kernel(procedure, call)
        return
    if name not in (*SIGNATURES, *SINGULAR, "trsm"):
        return
    if name in SINGULAR:
        m, n = call.arguments[1 if name == "gesdd" else 2 :][:2]
        if int(m) < int(n):  # type: ignore[arg-type]  # cuSOLVER decomposes no wide matrices
            return
    arguments: list[int | str | SolverArray] = []
    for argument in call.arguments:
        if argument is None:
            return
        arguments.append(solver_array(procedure, argument) if isinstance(argument, Array) else argument)
    where = None if call.where is None else solver_array(procedure, call.where)
    yield SolverSpec(call.name, call.items, tuple(arguments), where)


def solver_array(procedure: Procedure, a: Array) -> SolverArray:
    step = a.strides[0] if a.ndim and a.shape[0] > 1 else 0
    return procedure.memories[a.memory], a.offset * a.dtype.itemsize, step * a.dtype.itemsize
