"""The kernels of regions in WGSL.

A text is complete except for the declarations of its buffers: whether a buffer may only be read, and whether two of
them are the same, depends on where a step keeps it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...plan.lowering import schedule_region
from ...plan.plan import Kernels
from ...plan.rendering import Rendered
from ...tinygrad.region import KernelRegion, byte_sizes
from ...tinygrad.render import (
    ARITHMETIC,
    Expressions,
    Ops,
    PatternMatcher,
    Target,
    UOp,
    UPat,
    WGSLRenderer,
    dtypes,
    is_packed,
    with_division,
)

DEVICE = "WEBGPU"
# WGSL has no literals for these; a value that is known when a shader is compiled may not be one of them. Chromium turns
# -0.0f into 0.
FUNCTIONS = """fn nan() -> f32 { let bits = 0x7fc00000u; return bitcast<f32>(bits); }
fn inf() -> f32 { let bits = 0x7f800000u; return bitcast<f32>(bits); }
fn minus_zero() -> f32 { let bits = 0x80000000u; return bitcast<f32>(bits); }
"""


@dataclass(frozen=True)
class Buffer:
    """A buffer of a kernel: its name in the text, the type of its elements, and whether the kernel writes to it."""

    name: str
    type: str
    written: bool


@dataclass(frozen=True)
class ShaderKernel:
    """A kernel in WGSL, the numbers of the region's buffers that it takes, and how many groups run it."""

    text: str
    buffers: tuple[Buffer, ...]
    numbers: tuple[int, ...]
    groups: tuple[int, int, int]

    def shader(self, bindings: Sequence[int], read_only: Sequence[bool]) -> str:
        """The text with declarations.

        Args:
            bindings: for each buffer, the number of its binding; buffers in the same memory have the same one.
            read_only: for each binding, whether its memory may only be read.
        """
        first: dict[int, Buffer] = {}
        names = {}
        for buffer, binding in zip(self.buffers, bindings):
            kept = first.setdefault(binding, buffer)
            atomic = "atomic" in kept.type or "atomic" in buffer.type
            if kept.type != buffer.type and atomic:
                raise NotImplementedError("one buffer is read as words and written as narrow numbers")
            names[buffer.name] = kept.name
        text = re.sub(r"\bdata\w+", lambda name: names.get(name[0], name[0]), self.text)
        lines = [
            f"@group(0) @binding({binding}) var<storage, {'read' if read_only[binding] else 'read_write'}>"
            f" {buffer.name}: array<{buffer.type}>;\n"
            for binding, buffer in first.items()
        ]
        return "".join(lines) + text


class ShaderRegion(KernelRegion[ShaderKernel]):
    """A region's kernels in WGSL."""

    @staticmethod
    def kernel_of(row: dict[str, Any]) -> ShaderKernel:
        x, y, z = row["groups"]
        buffers = tuple(Buffer(**buffer) for buffer in row["buffers"])
        return ShaderKernel(row["text"], buffers, tuple(row["numbers"]), (x, y, z))


def _exact_float(high: str, low: str) -> str:
    """An integer as f32. WGSL does not say how a conversion rounds; halves are exact, and their sum is rounded once."""
    return f"(f32({high}) * 65536.0 + f32({low}))"


def is_minus_zero(value: float) -> bool:
    return value == 0 and math.copysign(1, value) < 0


# How operations are printed, except for narrow integers.
PLAIN = (
    PatternMatcher(
        [
            (
                UPat(Ops.CAST, dtypes.float, src=(UPat.var("x", dtypes.uint32),)),
                lambda ctx, x: _exact_float(f"{ctx[x]} >> 16u", f"{ctx[x]} & 65535u"),
            ),
            (
                UPat(Ops.CAST, dtypes.float, src=(UPat.var("x", dtypes.int32),)),
                lambda ctx, x: _exact_float(f"{ctx[x]} >> 16u", f"{ctx[x]} & 65535"),
            ),
            (UPat.cvar("c").cast(dtypes.int64), lambda ctx, c: str(c.val)),
            (UPat.cvar("c").cast(dtypes.float), lambda ctx, c: ctx.minus_zero() if is_minus_zero(c.val) else None),
            (
                UPat.cvar("c").cast(dtypes.half),
                lambda ctx, c: f"f16({ctx.minus_zero()})" if is_minus_zero(c.val) else None,
            ),
            # Chromium's != is false for NaN, too.
            (
                UPat(Ops.CMPNE, src=(UPat.var("x", dtypes.floats), UPat.var("y"))),
                lambda ctx, x, y: f"(!({ctx[x]}=={ctx[y]}))",
            ),
            (UPat(Ops.NEG, dtypes.uints, src=(UPat.var("x"))), lambda ctx, x: f"(0u - {ctx[x]})"),
        ]
    )
    + ARITHMETIC
    + WGSLRenderer.string_rewrite
)

# WGSL has only 32-bit integers. After these operations, one that stands for fewer bits is cut to them.
BITS_OF = {dtypes.int8: 8, dtypes.uint8: 8, dtypes.int16: 16, dtypes.uint16: 16}
LEAVING = (Ops.ADD, Ops.SUB, Ops.MUL, Ops.NEG, Ops.SHL)


def cut(text: str, type: Any) -> str:
    """The lowest bits of an integer, with the sign of the highest one of them if the type has signs."""
    return f"extractBits({text},0u,{BITS_OF[type]}u)"


def narrow_constant(value: int, type: Any) -> str:
    least = int(type.min)
    bits = (value - least) % (1 << BITS_OF[type]) + least
    return f"{bits}u" if dtypes.is_unsigned(type) else f"i32({bits})"


def print_narrow(ctx: WebRenderer, x: UOp) -> str:
    return cut(str(PLAIN.rewrite(x, ctx)), x.dtype)


NARROW = PatternMatcher(
    [
        (UPat(LEAVING, tuple(BITS_OF), name="x"), print_narrow),
        # The mask with which tinygrad takes the bits that it stores in a word.
        (
            UPat(Ops.AND, (dtypes.int8, dtypes.int16), src=(UPat.var("y"), UPat.cvar("c").cast()), name="x"),
            lambda ctx, x, y, c: f"({ctx[y]}&{c.val})" if c.val == (1 << BITS_OF[x.dtype]) - 1 else None,
        ),
        (
            UPat.cvar("c").cast(tuple(BITS_OF), name="x"),
            lambda ctx, x, c: narrow_constant(int(c.val), x.dtype),
        ),
        (
            UPat(Ops.CAST, tuple(BITS_OF), src=(UPat.var("y", dtypes.ints),), name="x"),
            lambda ctx, x, y: cut(ctx.render_cast(x, ctx[y]), x.dtype),
        ),
    ]
)


class WebRenderer(Expressions, WGSLRenderer):  # type: ignore[misc]
    """WGSL that means what C means: NaN is tested by its bits, integers become floats correctly rounded."""

    infinity = "inf()"
    shared_max = 16384
    # tinygrad replaces 64-bit integers by pairs, except for indices that it does not know to fit 32 bits. They do fit:
    # no buffer has that many elements.
    type_map: ClassVar = {**WGSLRenderer.type_map, dtypes.int64: "i32"}
    # The device's own sine is imprecise for large arguments.
    code_for_op: ClassVar = {
        op: code for op, code in with_division(WGSLRenderer.code_for_op).items() if op is not Ops.SIN
    }
    string_rewrite = NARROW + PLAIN

    def __init__(self) -> None:
        super().__init__(Target(DEVICE, "WGSL", ""))
        self.written: set[UOp] = set()
        self.buffers: tuple[Buffer, ...] = ()

    def render(self, uops: list[UOp]) -> str:
        self.written = {u.src[0].buf_uop for u in uops if u.op is Ops.STORE}
        return str(super().render(uops))

    def minus_zero(self, zero: str = "") -> str:
        return "minus_zero()"

    def buf_map(self, u: UOp) -> str:
        if not is_packed(u):
            return str(self.type_map[u.dtype])
        return "atomic<u32>" if u.buf_uop in self.written else "u32"

    def render_load(self, x: str, u: UOp) -> str:
        return f"atomicLoad(&{x})" if is_packed(u) and u.buf_uop in self.written else x

    def render_kernel(
        self,
        function_name: str,
        kernel: list[str],
        bufs: list[tuple[str, tuple[UOp, bool]]],
        uops: list[UOp],
        prefix: list[str] | None = None,
    ) -> str:
        self.buffers = tuple(Buffer(name, self.buf_map(u), u in self.written) for name, (u, _) in bufs)
        special = sorted((u for u in uops if u.op is Ops.SPECIAL and u.arg[0] == "l"), key=lambda u: str(u.arg))
        sizes = ", ".join(str(u.src[0].ssimplify()) for u in special) or "1"
        shared = [line.strip() for line in kernel if "var<workgroup>" in line]
        lines = [line for line in kernel if "var<workgroup>" not in line]
        head = (
            f"@compute @workgroup_size({sizes}) fn main(@builtin(workgroup_id) gindex: vec3<u32>,"
            " @builtin(local_invocation_id) lindex: vec3<u32>) {"
        )
        return "\n".join([FUNCTIONS + "\n".join(shared), head, *lines, "}\n"])


REGIONS = Rendered("web region", ShaderRegion)


def render_region(step: Kernels) -> ShaderRegion:
    """The kernels of a region in WGSL, rendered once per process and structure.

    Raises:
        UnsupportedOp: WGSL lacks a type that the region computes with.
    """
    return REGIONS.get(step, DEVICE, lambda: _render(step))


def _render(step: Kernels) -> ShaderRegion:
    schedule = schedule_region(step, DEVICE)
    renderer = WebRenderer()
    kernels = []
    calls = list(schedule.programs(renderer))
    numbers, temporaries = schedule.number_buffers(calls)
    for call, buffers in zip(calls, numbers):
        program = call.src[0]
        uops = next(s.src for s in program.src if s.op is Ops.LINEAR)
        text = renderer.render(list(uops))
        x, y, z = (*map(int, program.arg.launch_dims({})[0] or ()), 1, 1, 1)[:3]
        kernels.append(ShaderKernel(text, renderer.buffers, buffers, (x, y, z)))
    return ShaderRegion(tuple(kernels), byte_sizes(schedule.outputs), byte_sizes(temporaries))
