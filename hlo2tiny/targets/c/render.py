"""The kernels of regions in C."""

from __future__ import annotations

import platform
from typing import Any

from tinygrad import dtypes, helpers
from tinygrad.codegen import to_program
from tinygrad.dtype import DType
from tinygrad.helpers import Context
from tinygrad.renderer import cstyle
from tinygrad.uop.ops import Ops, PatternMatcher, UPat

from ... import cache
from ...errors import Error, UnsupportedOp
from ...ir import error_at
from ...plan.lowering import lowering, scheduled
from ...plan.plan import Kernels
from ...rules import values
from ...tinygrad.expressions import with_loads
from .driver import Kernel, RenderedRegion

# tinygrad's C renderers print a + (b + c) without its parentheses, which is another sum.
cstyle.strip_parens = lambda text: text


class _NoCompiler:
    """Stands where a renderer expects a compiler: all kernels of a program are compiled together."""

    cachekey = None

    def compile_cached(self, source: str) -> bytes:
        return b"-"


def _least(ctx: Any, c: Any, x: Any) -> str | None:
    """The least integer, which C has no literal for: -2147483648 is a long, and the longer one none at all."""
    suffix = {dtypes.int32: "", dtypes.int64: "l"}[x.dtype]
    return f"(-{x.dtype.max}{suffix}-1{suffix})" if c.val == x.dtype.min else None


class _PlainRenderer(cstyle.ClangRenderer):  # type: ignore[misc]
    """C for one thread, of which gcc lacks only clang's bit cast."""

    has_threads = False
    string_rewrite = (
        PatternMatcher([(UPat.cvar("c").cast((dtypes.int32, dtypes.int64), name="x"), _least)])
        + cstyle.ClangRenderer.string_rewrite
    )

    def __init__(self) -> None:
        # As for tinygrad's CPU device, which is not opened for this, nor is a compiler looked for.
        machine = platform.machine().lower()
        architecture = {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)
        target = helpers.DEV.target("CPU", renderer="CLANG", arch=f"{architecture},native")
        super(cstyle.ClangRenderer, self).__init__(target)
        self.compiler = _NoCompiler()

    def render_vector_prefix(self, dt: DType, count: int) -> str:
        """A vector as gcc has them too, at any address that suits its elements: users' arrays lie where they lie."""
        name = self._render_dtype(dt, count)
        attributes = f"vector_size({dt.itemsize * count}), aligned({dt.itemsize})"
        return f"typedef {self.render_dtype(dt)} {name} __attribute__(({attributes}));"


_rendered: dict[tuple[str, bool], RenderedRegion] = {}


def render_region(step: Kernels, device: str) -> RenderedRegion:
    """The kernels of a region in C, rendered once in a process for each structure."""
    with lowering(device, calls_c=True):
        key = (step.key, values.wide.get())
        if key not in _rendered:
            name = cache.key("region", step.key, str(values.wide.get()))
            stored = cache.read(name)
            if stored is not None:
                _rendered[key] = RenderedRegion.from_text(stored.decode())
                return _rendered[key]
            try:
                _rendered[key] = _render(step, device)
                cache.write(name, _rendered[key].to_text().encode())
            except Error:
                raise
            except Exception as error:
                message = f"tinygrad could not build the kernels of the region that starts here: {error}"
                raise error_at(step.ops[0], message, UnsupportedOp) from error
        return _rendered[key]


def _render(step: Kernels, device: str) -> RenderedRegion:
    schedule = scheduled(step, device)
    renderer = _PlainRenderer()
    calls = []
    # Without tinygrad's own optimisations, which hinder the C compiler's.
    with Context(NOOPT=1, TUPLE_ORDER=0):
        for call in schedule.linear.src:
            if call.src[0].op is not Ops.SINK:
                raise NotImplementedError(f"a schedule step of kind {call.src[0].op}")
            kernel = with_loads(call.src[0])
            calls.append(call.replace(src=(to_program(kernel, renderer), *call.src[1:])))
    taken, temporaries = schedule.numbered(calls)
    sources = [next(str(s.arg) for s in call.src[0].src if s.op is Ops.SOURCE) for call in calls]
    return RenderedRegion(
        tuple(Kernel(source, buffers) for source, buffers in zip(sources, taken)),
        tuple(size * dtype.itemsize for size, dtype in schedule.outputs),
        tuple(size * dtype.itemsize for size, dtype in temporaries),
    )
