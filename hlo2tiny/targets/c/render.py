"""The kernels of regions in C."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping, Sequence

from tinygrad import dtypes, helpers
from tinygrad.dtype import AddrSpace, DType
from tinygrad.helpers import Context
from tinygrad.renderer.cstyle import ClangRenderer
from tinygrad.uop.ops import Ops, PatternMatcher, UOp, UPat

from ... import cache
from ...errors import Error, UnsupportedOp
from ...ir import error_at
from ...plan.lowering import lowering, scheduled
from ...plan.plan import Kernels
from ...tinygrad.expressions import with_loads
from ...tinygrad.kernel import kernel_of, split_at_edges
from ...tinygrad.launch import program_of
from ...tinygrad.render import ARITHMETIC
from .kernels import RenderedKernel, RenderedRegion, shared_turns

REASSOCIATE = "#ifdef __clang__\n#pragma clang fp reassociate(on)\n#endif\n"


class _NoCompiler:
    """Stands where a renderer expects a compiler: all kernels of a program are compiled together."""

    cachekey = None

    def compile_cached(self, source: str) -> bytes:
        return b"-"


def _least(c: UOp, x: UOp) -> str | None:
    """The least integer, which C has no literal for: -2147483648 is a long, and the longer one none at all."""
    suffix = {dtypes.int32: "", dtypes.int64: "l"}[x.dtype]
    return f"(-{x.dtype.max}{suffix}-1{suffix})" if c.val == x.dtype.min else None


class CRenderer(ClangRenderer):  # type: ignore[misc]
    """C for one thread, of which gcc lacks only clang's bit cast."""

    has_threads = False
    string_rewrite = (
        PatternMatcher(
            [
                (UPat.cvar("c").cast((dtypes.int32, dtypes.int64), name="x"), lambda ctx, c, x: _least(c, x)),
                (UPat(Ops.RANGE, name="x"), lambda ctx, x: ctx.loop(x)),
                (UPat(Ops.STORE, name="x"), lambda ctx, x: ctx.sum(x)),
            ]
        )
        + ARITHMETIC
        + ClangRenderer.string_rewrite
    )

    def __init__(self) -> None:
        # As for tinygrad's CPU device, which is not opened for this, nor is a compiler looked for.
        machine = platform.machine().lower()
        architecture = {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)
        target = helpers.DEV.target("CPU", renderer="CLANG", arch=f"{architecture},native")
        super(ClangRenderer, self).__init__(target)
        self.compiler = _NoCompiler()
        self.begins: Mapping[UOp, int] = {}
        self.shared: UOp | None = None
        self.uses = Counter[UOp]()
        self.sums: set[UOp] = set()

    def render(self, uops: list[UOp]) -> str:
        """Nothing: kernels are printed when what is known of them is."""
        return "-"

    def function(self, uops: Sequence[UOp], begins: Mapping[UOp, int], in_parts: bool) -> tuple[str, list[str], str]:
        """The types, the parameters and the statements of a kernel.

        Args:
            uops: its UOps, in order.
            begins: where loops begin that do not at 0.
            in_parts: whether the outermost loop is from `begin` to `end`.
        """
        self.begins, self.shared = begins, next((u for u in uops if u.op is Ops.RANGE), None) if in_parts else None
        self.uses = Counter(s for u in uops for s in u.src)
        self.sums = {u.src[0].buf_uop for u in uops if u.op is Ops.STORE and self.summed(u) is not None}
        _, lines, buffers = self._render(list(uops))
        parameters = [
            f"{self._render_dtype(u.dtype, addrspace=u.addrspace)} restrict {name}" for name, (u, _) in buffers
        ]
        return "".join(f"{line}\n" for line in self._render_defines(uops)), parameters, "\n".join(lines)

    def render_vector_prefix(self, dt: DType, count: int) -> str:
        """A vector as gcc has them too, at any address that suits its elements: users' arrays lie where they lie."""
        name = self._render_dtype(dt, count)
        attributes = f"vector_size({dt.itemsize * count}), aligned({dt.itemsize})"
        return f"typedef {self.render_dtype(dt)} {name} __attribute__(({attributes}));"

    def loop(self, x: UOp) -> str | None:
        if x.dtype is dtypes.void:
            return None
        begin, end = ("begin", "end") if x is self.shared else (self.begins.get(x, 0), self[x.src[0]])
        return f"for ({self.render_dtype(x.dtype)} {self[x]} = {begin}; {self[x]} < {end}; {self[x]}++) {{"

    def summed(self, store: UOp) -> UOp | None:
        """What a statement adds to a register of one float and to nothing else: a term of a sum over a loop."""
        register, value = store.src[0].buf_uop, store.src[1]
        if register.addrspace is not AddrSpace.REG or register.max_numel() != 1 or register.dtype not in SUMMED:
            return None
        if value.op is not Ops.ADD or value.src[0].op is not Ops.LOAD or value.src[0].src[0].buf_uop is not register:
            return None
        return value.src[1] if self.uses[value] == self.uses[value.src[0]] == 1 else None

    def sum(self, store: UOp) -> str | None:
        """Let the compiler reorder the additions of a sum over a loop, and nothing else: so it can use vectors.

        Such a sum starts from -0, which changes no number it is added to.
        """
        place, value = store.src[:2]
        register = place.buf_uop
        if register not in self.sums:
            return None
        access = self.render_access(place)
        if (term := self.summed(store)) is not None:
            added = f"{REASSOCIATE}{access} = {access} + term; }} }}"
            return f"{{ {self.render_dtype(register.dtype)} term = {self[term]}; {{\n{added}"
        return f"{access} = -{self[value]};" if self[value] in ("0.0", "0.0f") else None


SUMMED = (dtypes.float32, dtypes.float64)

_rendered: dict[str, RenderedRegion] = {}


def render_region(step: Kernels, device: str) -> RenderedRegion:
    """The kernels of a region in C, rendered once in a process for each structure."""
    with lowering(device):
        if step.key not in _rendered:
            name = cache.key("region", step.key)
            stored = cache.read(name)
            if stored is not None:
                _rendered[step.key] = RenderedRegion.from_text(stored.decode())
                return _rendered[step.key]
            try:
                _rendered[step.key] = _render(step, device)
                cache.write(name, _rendered[step.key].to_text().encode())
            except Error:
                raise
            except Exception as error:
                message = f"tinygrad could not build the kernels of the region that starts here: {error}"
                raise error_at(step.ops[0], message, UnsupportedOp) from error
        return _rendered[step.key]


def _render(step: Kernels, device: str) -> RenderedRegion:
    schedule = scheduled(step, device, calls_c=True)
    renderer = CRenderer()
    # Without tinygrad's own optimisations, which hinder the C compiler's.
    with Context(NOOPT=1, TUPLE_ORDER=0):
        calls = []
        for call in schedule.linear.src:
            if call.src[0].op is not Ops.SINK:
                raise NotImplementedError(f"a schedule step of kind {call.src[0].op}")
            calls.append(call.replace(src=(program_of(with_loads(call.src[0]), renderer), *call.src[1:])))
    taken, temporaries = schedule.numbered(calls)
    return RenderedRegion(
        tuple(_printed(renderer, call.src[0], buffers) for call, buffers in zip(calls, taken)),
        tuple(size * dtype.itemsize for size, dtype in schedule.outputs),
        tuple(size * dtype.itemsize for size, dtype in temporaries),
    )


def _printed(renderer: CRenderer, program: UOp, buffers: tuple[int, ...]) -> RenderedKernel:
    uops = next(s.src for s in program.src if s.op is Ops.LINEAR)
    kernel = kernel_of(program.arg.function_name, uops, buffers)
    shared = shared_turns(kernel) > 0
    types, parameters, body = renderer.function(*split_at_edges(uops, keep_outer=shared), shared)
    return RenderedKernel(kernel, types, tuple(parameters), body)
