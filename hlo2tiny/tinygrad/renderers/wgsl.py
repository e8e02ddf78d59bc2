"""WGSL for WebGPU.

A text is complete except for the declarations of its buffers, and for their names, each after a $: whether a buffer may
only be read, and whether two of them are the same, depends on where a step keeps it.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from tinygrad import dtypes
from tinygrad.dtype import AddrSpace
from tinygrad.helpers import Target
from tinygrad.renderer.wgsl import WGSLRenderer, is_packed
from tinygrad.uop.ops import Ops, PatternMatcher, UOp, UPat

from ..lowered import LoweredKernel
from ..render import ARITHMETIC, Expressions, KernelParameter, with_division
from ..sizes import as_size, is_variable, without_divisions

DEVICE = "WEBGPU"
# As many blocks of one thread are computed by a group where sizes are open.
TOGETHER = 64
# WGSL has no literals for these; a value that is known when a shader is compiled may not be one of them. Chromium turns
# -0.0f into 0.
FUNCTIONS = """fn nan() -> f32 { let bits = 0x7fc00000u; return bitcast<f32>(bits); }
fn inf() -> f32 { let bits = 0x7f800000u; return bitcast<f32>(bits); }
fn minus_zero() -> f32 { let bits = 0x80000000u; return bitcast<f32>(bits); }
"""


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
            # tinygrad prints a negative one as a bitcast of i32, which -4294967295 is not.
            (UPat.cvar("c").cast(dtypes.uint32), lambda ctx, c: f"{c.val & 0xFFFFFFFF}u"),
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
            (UPat(Ops.BUFFER, name="x"), lambda ctx, x: ctx.share(x)),
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


def without_sign(s: UOp) -> UOp | None:
    """The store of a negative number of fewer bits, as one without a sign: tinygrad's mask for its bits would be -1."""
    memory, value, *gate = s.src
    unsigned = {dtypes.int8: dtypes.uint8, dtypes.int16: dtypes.uint16}.get(value.dtype)
    if unsigned is None or not value.vmin == value.vmax < 0:
        return None
    return s.replace(src=(memory, UOp.const(int(value.vmin) % (1 << BITS_OF[unsigned]), unsigned), *gate))


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
    extra_matcher = PatternMatcher([(UPat(Ops.STORE, name="s"), without_sign)]) + WGSLRenderer.extra_matcher

    def __init__(self, is_open: bool = False) -> None:
        super().__init__(Target(DEVICE, "WGSL", ""))
        if is_open:  # all blocks are along one dimension, which a page bends if it has too many
            self.global_max, self.patterns = (1 << 31,), without_divisions
            self.code_for_workitem = {**WGSLRenderer.code_for_workitem, "g": lambda x: "block"}
        self.is_open = is_open
        self.blocks = 1  # how many of the last kernel's blocks a group computes
        self.written: set[UOp] = set()
        self.buffers: tuple[KernelParameter, ...] = ()
        self.shared: list[str] = []

    def function(self, kernel: LoweredKernel) -> tuple[str, tuple[KernelParameter, ...]]:
        """The text of a kernel and its buffers."""
        return self.render(list(kernel.uops)), self.buffers

    def render(self, uops: list[UOp]) -> str:
        self.written = {u.src[0].buf_uop for u in uops if u.op is Ops.STORE}
        self.shared = []
        return str(super().render(uops))

    def share(self, x: UOp) -> str | None:
        """Declare memory that the threads of a group share outside the function."""
        if x.addrspace is not AddrSpace.LOCAL:
            return None
        self.shared.append(str(WGSLRenderer.string_rewrite.rewrite(x, self)))
        return ""

    def __getitem__(self, u: UOp) -> str:
        name = str(super().__getitem__(u))
        is_buffer = u.op in (Ops.PARAM, Ops.AFTER) and u.buf_uop.op is Ops.PARAM and not is_variable(u)
        return f"${name}" if is_buffer else name

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
        sizes = [f"const {name} = i32({as_size(u)});\n" for name, (u, _) in bufs if is_variable(u)]
        bufs = [each for each in bufs if not is_variable(each[1][0])]
        self.buffers = tuple(KernelParameter(self.buf_map(u), name, u in self.written) for name, (u, _) in bufs)
        special = sorted((u for u in uops if u.op is Ops.SPECIAL and u.arg[0] == "l"), key=lambda u: str(u.arg))
        blocks = [u.src[0] for u in uops if u.op is Ops.SPECIAL and u.arg[0] == "g"]
        self.blocks = TOGETHER if self.is_open and blocks and not special else 1
        threads = ", ".join(str(u.src[0].ssimplify()) for u in special) or str(self.blocks)
        head = (
            f"@compute @workgroup_size({threads}) fn main(@builtin(workgroup_id) gindex: vec3<u32>,"
            " @builtin(local_invocation_id) lindex: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {"
        )
        if self.is_open and blocks:
            count = blocks[0].ssimplify()
            group = "i32(gindex.x + gindex.y * groups.x)"
            if self.blocks > 1:
                group = f"{group} * {TOGETHER} + i32(lindex.x)"
            end = count if isinstance(count, int) else as_size(count)
            kernel = [f"  let block = {group};", f"  if (block >= {end}) {{ return; }}", *kernel]
        return "\n".join([FUNCTIONS + "".join(sizes) + "\n".join(self.shared), head, *kernel, "}\n"])
