"""tinygrad's renderers, changed to print arithmetic exactly as written, and the parts of a target's own renderer."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tinygrad import dtypes
from tinygrad.dtype import AddrSpace
from tinygrad.helpers import DEV, Target
from tinygrad.renderer import Renderer
from tinygrad.renderer.cstyle import ClangRenderer, CStyleLanguage, HIPRenderer, MetalRenderer, OpenCLRenderer
from tinygrad.renderer.wgsl import WGSLRenderer
from tinygrad.uop.ops import GroupOp, Ops, PatternMatcher, UOp, UPat

from .dtypes import UNSIGNED
from .kernel import constant_of


def this_processor() -> Target:
    """The target of a renderer for this machine's CPU, the same as that of tinygrad's device, which stays closed."""
    machine = platform.machine().lower()
    architecture = {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)
    return DEV.target("CPU", renderer="CLANG", arch=f"{architecture},native")


def this_gpu(architecture: str) -> Target:
    """The target of a renderer for an NVIDIA GPU, such as sm_90, or compute_90, the oldest of which is that."""
    return Target("CUDA", "CUDA", architecture.replace("compute_", "sm_"))


class KernelParameter(NamedTuple):
    """A parameter of a kernel: its type, its name, and whether the kernel may write to what it points to."""

    type: str
    name: str
    written: bool = True

    @property
    def const(self) -> str:
        return "" if self.written else "const "

    def __str__(self) -> str:
        return f"{self.const}{self.type} {self.name}"


class NoCompiler:
    """Replaces a renderer's compiler, because all kernels of a program are compiled together."""

    cachekey = None

    def compile_cached(self, source: str) -> bytes:
        return b"-"


def print_operation(ctx: Any, x: UOp) -> str:
    *others, last = (ctx[s] for s in x.src)
    if x.op in (Ops.NEG, Ops.SUB) and last.startswith("-"):
        last = f"({last})"  # after another minus it would be C's decrement
    return str(ctx.code_for_op[x.op](*others, last, x.dtype))


# Operations with all their parentheses: tinygrad omits those of a + (b + c), which changes the rounding. Sums start
# from -0, which leaves every number unchanged when added to it.
ARITHMETIC = PatternMatcher(
    [
        (UPat(GroupOp.ALU, name="x"), lambda ctx, x: print_operation(ctx, x)),
        (
            UPat(Ops.STORE, src=(UPat(name="target"), UPat.cvar("c").cast((dtypes.float32, dtypes.float64), name="x"))),
            lambda ctx, target, c, x: ctx.first_value(target, x) if c.val == 0 else None,
        ),
    ]
)


def with_division(operations: Mapping[Ops, Callable[..., str]]) -> dict[Ops, Callable[..., str]]:
    """A target's operations, and its own division.

    Without it tinygrad multiplies by the reciprocal, which rounds twice, and is infinite for subnormal divisors.
    """
    kept = {op: code for op, code in operations.items() if op is not Ops.RECIPROCAL}
    return {**kept, Ops.FDIV: lambda a, b, dtype: f"({a}/{b})"}


# ---------------------------------------------------------------- integers that overflow

# C has no literals for the smallest int and long: 2147483648 has 64 bits, and 2**63 is unsigned.
SMALLEST = PatternMatcher(
    [
        (
            UPat.cvar("c").cast((dtypes.int32, dtypes.int64), name="x"),
            lambda ctx, c, x: f"(-{x.dtype.max}-1)" if c.val == x.dtype.min else None,
        )
    ]
)
SIGNS = {Ops.ADD: "+", Ops.SUB: "-", Ops.NEG: "-", Ops.MUL: "*", Ops.SHL: "<<"}


def print_wrapped(ctx: Expressions, x: UOp) -> str | None:
    """Arithmetic on a program's integers wraps; compilers of GPUs assume that signed ones do not overflow."""
    if not ctx.is_data(x):
        return None
    signed, unsigned = map(ctx.render_dtype, (x.dtype, UNSIGNED[x.dtype]))
    left, right = ("0", *(ctx[source] for source in x.src))[-2:]
    return f"(({signed})(({unsigned})({left}){SIGNS[x.op]}({unsigned})({right})))"


# For languages whose compilers are not told -fwrapv.
WRAPPING = SMALLEST + PatternMatcher([(UPat(tuple(SIGNS), (dtypes.int32, dtypes.int64), name="x"), print_wrapped)])


def data_of(uops: Sequence[UOp]) -> set[UOp]:
    """What depends on elements of arrays, unlike the indices of loops."""
    data: set[UOp] = set()
    for u in uops:
        # An element of a vector is data as the vector is; one of a buffer is only when it has been loaded.
        sources = u.src[:1] if u.op is Ops.INDEX else u.src
        # So is an iota, which a XOR hides from tinygrad; indices of loops take none.
        if u.op in (Ops.LOAD, Ops.XOR) or (u.op in COMPUTING and not data.isdisjoint(sources)):
            data.add(u)
    return data


COMPUTING = {*GroupOp.ALU, Ops.BITCAST, Ops.CAST, Ops.INDEX, Ops.STACK}


# ---------------------------------------------------------------- bits of two numbers

# LLVM up to 22.1.8 takes wrong bits where AVX-512 merges two numbers by a constant mask, (a & m) | (b & ~m), and then
# chooses between the result and one of them (llvm-project #157929). It sees no merge where it does not know what is
# added, a 0: bit 63 of an address.
NO_BITS, MERGING = "no_bits", "__AVX512F__"


def define_no_bits(address: str, opencl: bool, processors: str) -> str:
    """The statements with which a kernel begins that merges numbers, given the name of a pointer.

    `processors` is the macro of those where the compiler must not know. `long` has as many bits as an address,
    on Windows by a macro, so that `long long` would be no type there.
    """
    known = f"const int {NO_BITS} = "
    if opencl:
        return f"{known}(int)((ulong){address} >> 63);"
    return f"#ifdef {processors}\n{known}(int)((unsigned long){address} >> 63);\n#else\n{known}0;\n#endif"


def possible_bits(u: UOp, everything: int) -> int:
    """The bits of an integer that may be set, of all that its type has."""
    if (number := constant_of(u)) is not None:
        return number & everything
    unsigned = dtypes.is_unsigned(u.dtype)
    shift = constant_of(u.src[1]) if u.op in (Ops.SHL, Ops.SHR) else None
    if u.op is Ops.AND:
        return possible_bits(u.src[0], everything) & possible_bits(u.src[1], everything)
    if u.op is Ops.BITCAST and dtypes.is_int(u.src[0].dtype):
        return possible_bits(u.src[0], everything)
    if u.op is Ops.CAST and dtypes.is_unsigned(u.src[0].dtype):
        return int(u.src[0].dtype.max) & everything
    if u.op is Ops.SHL and shift is not None:
        return possible_bits(u.src[0], everything) << shift & everything
    if u.op is Ops.SHR and shift is not None and unsigned:
        return possible_bits(u.src[0], everything) >> shift
    return everything


def is_part(u: UOp) -> bool:
    """Whether an integer has some bits of another one, by a mask, two shifts or two conversions."""
    if u.op is Ops.BITCAST:
        return is_part(u.src[0])
    if u.op is Ops.AND:
        return constant_of(u.src[1]) is not None
    if u.op in (Ops.SHL, Ops.SHR):
        return u.src[0].op in (Ops.SHL, Ops.SHR) and u.src[1] is u.src[0].src[1]
    return bool(u.op is Ops.CAST and u.src[0].op is Ops.CAST and u.src[0].src[0].dtype == u.dtype)


def print_merge(ctx: Expressions, x: UOp) -> str | None:
    if not dtypes.is_int(x.dtype) or x.dtype.itemsize < 4 or not ctx.has_address:
        return None
    everything = 2 ** (8 * x.dtype.itemsize) - 1
    for first, second in (x.src, x.src[::-1]):
        if x.op is Ops.XOR and first.op is Ops.AND and first.src[0].op is Ops.XOR and second in first.src[0].src:
            if constant_of(first.src[1]) is not None:  # (a ^ b) & m ^ b
                return ctx.merge(first, "^", second)
        elif is_part(second):
            bits, others = possible_bits(first, everything), possible_bits(second, everything)
            if bits & others == 0 and bits | others == everything:
                return ctx.merge(first, "|", second)
    return None


MERGES = PatternMatcher([(UPat((Ops.OR, Ops.XOR, Ops.ADD), name="x"), print_merge)])


# Compilers of these languages may round a * b + c once unless the source forbids it. (OpenCL C 3.0, 6.13, "Preprocessor
# Directives and Macros"; the compilers of the others are made of clang.)
AS_WRITTEN = {
    OpenCLRenderer: "#pragma OPENCL FP_CONTRACT OFF",
    MetalRenderer: "#pragma clang fp contract(off)",
    HIPRenderer: "#pragma clang fp contract(off)",
}


# The most operations of one expression. Each is printed with at most three nested pairs of parentheses, and compilers
# accept at least 256.
DEEPEST = 64


class Expressions(CStyleLanguage):  # type: ignore[misc]
    """Ends expressions at a depth: tinygrad makes one of all operations whose results are read only once."""

    totals: frozenset[UOp] = frozenset()  # the registers to which terms of sums are added
    has_address = True  # whether what is printed has a pointer
    unknown = ""  # the macro of the processors for which a 0 is unknown in the last kernel, or nothing
    uops: Sequence[UOp] = ()  # of the kernel that is printed
    data: Collection[UOp] | None = None  # of these; None: nobody has asked, as C, whose integers wrap, never does

    def is_data(self, x: UOp) -> bool:
        """Whether a value depends on elements of arrays."""
        if self.data is None:
            self.data = data_of(self.uops)
        return x in self.data

    def first_value(self, target: UOp, zero: UOp) -> str | None:
        if target.buf_uop not in self.totals:
            return None
        access = self[target] if isinstance(self, WGSLRenderer) else self.render_access(target)
        return f"{access} = {self.minus_zero(self[zero])};"

    def merge(self, first: UOp, operator: str, second: UOp) -> str:
        self.unknown = self.unknown or MERGING
        return f"(({self[first]}+{NO_BITS}){operator}{self[second]})"

    def minus_zero(self, zero: str) -> str:
        return f"-{zero}"

    def _render(self, uops: list[UOp]) -> Any:
        self.totals, self.unknown = frozenset(totals(uops)), ""
        self.uops, self.data = uops, None
        # A value that is read more often gets a variable.
        name, lines, buffers = super()._render([*uops, UOp(Ops.NOOP, src=tuple(deep_operations(uops)))])
        if self.unknown:
            lines = [define_no_bits(buffers[0][0], isinstance(self, OpenCLRenderer), self.unknown), *lines]
        return name, lines, buffers

    def render_kernel(self, *about: Any, **named: Any) -> str:
        source = str(super().render_kernel(*about, **named))
        pragmas = [pragma for language, pragma in AS_WRITTEN.items() if isinstance(self, language)]
        return "\n".join([*pragmas, source])


def totals(uops: Sequence[UOp]) -> Iterator[UOp]:
    """The registers to which only terms are added once they have their first value."""
    stores = [u for u in uops if u.op is Ops.STORE and u.src[0].buf_uop.addrspace is AddrSpace.REG]
    values: dict[UOp, list[UOp]] = {}
    for store in stores:
        values.setdefault(store.src[0].buf_uop, []).append(store.src[1])
    for register, stored in values.items():
        later = [value for value in stored if value.op is not Ops.CAST or value.src[0].op is not Ops.CONST]
        if later and all(adds_to(register, value) for value in later):
            yield register


def adds_to(register: UOp, value: UOp) -> bool:
    """Whether a value is a register's contents plus terms."""
    while value.op is Ops.ADD:
        if any(s.op is Ops.LOAD and s.src[0].buf_uop is register for s in value.src):
            return True
        value = value.src[0]
    return False


def deep_operations(uops: Sequence[UOp]) -> list[UOp]:
    """The operations at which expressions of the greatest depth end."""
    uses = Counter(s for u in uops for s in u.src)
    depths: dict[UOp, int] = {}
    ends = []
    for u in uops:
        depth = 1 + max([depths.get(s, 0) for s in u.src], default=0)
        if u.op in PRINTED_INSIDE and (uses[u] == 1 or u.op is Ops.INDEX):
            if depth >= DEEPEST and u.op is not Ops.INDEX:
                ends.append(u)
                depth = 0
            depths[u] = depth
    return ends


PRINTED_INSIDE = {*(GroupOp.ALU - {Ops.WHERE}), Ops.CAST, Ops.BITCAST, Ops.STACK, Ops.INDEX, Ops.LOAD}

_exact: dict[type[CStyleLanguage], type[CStyleLanguage]] = {}


def exact_renderer(renderer: Renderer) -> Renderer:
    """A renderer that prints arithmetic as it is written, and everything else like the given one."""
    if not isinstance(renderer, CStyleLanguage):
        return renderer
    language = type(renderer)
    if language not in _exact:
        rules = ARITHMETIC + language.string_rewrite
        if issubclass(language, ClangRenderer | OpenCLRenderer):
            rules = MERGES + rules
        if not issubclass(language, WGSLRenderer):
            rules = (SMALLEST if issubclass(language, ClangRenderer) else WRAPPING) + rules
        printing = {"string_rewrite": rules, "code_for_op": with_division(language.code_for_op)}
        _exact[language] = type(f"Exact{language.__name__}", (Expressions, language), printing)
    exact = object.__new__(_exact[language])
    vars(exact).update(vars(renderer))
    return exact
