"""tinygrad's renderers, changed to print arithmetic exactly as written, and the parts of a target's own renderer."""

from __future__ import annotations

import platform

from tinygrad import dtypes as dtypes
from tinygrad.dtype import AddrSpace as AddrSpace
from tinygrad.dtype import DType as DType
from tinygrad.helpers import DEV
from tinygrad.helpers import Target as Target
from tinygrad.renderer import Renderer
from tinygrad.renderer.cstyle import ClangRenderer as ClangRenderer
from tinygrad.renderer.cstyle import CStyleLanguage as CStyleLanguage
from tinygrad.renderer.cstyle import CUDARenderer as CUDARenderer
from tinygrad.renderer.wgsl import WGSLRenderer as WGSLRenderer
from tinygrad.renderer.wgsl import is_packed as is_packed
from tinygrad.uop.ops import AxisType as AxisType
from tinygrad.uop.ops import GroupOp as GroupOp
from tinygrad.uop.ops import Ops as Ops
from tinygrad.uop.ops import PatternMatcher as PatternMatcher
from tinygrad.uop.ops import UOp as UOp
from tinygrad.uop.ops import UPat as UPat


def this_processor() -> Target:
    """The target of a renderer for this machine's CPU, the same as tinygrad's device has, which stays closed."""
    machine = platform.machine().lower()
    architecture = {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)
    return DEV.target("CPU", renderer="CLANG", arch=f"{architecture},native")


def this_gpu(architecture: str) -> Target:
    """The target of a renderer for an NVIDIA GPU, such as sm_90."""
    return Target("CUDA", "CUDA", architecture)


def thread_sizes(program: UOp) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """The blocks of a program's grid, and the threads of a block, along each dimension."""
    blocks, threads = program.arg.launch_dims({})
    one = (1, 1, 1)
    return (*blocks, *one)[:3], (*(threads or one), *one)[:3]


# Operations with all their parentheses: tinygrad omits those of a + (b + c), which changes the rounding.
ARITHMETIC = PatternMatcher(
    [(UPat(GroupOp.ALU, name="x"), lambda ctx, x: str(ctx.code_for_op[x.op](*(ctx[s] for s in x.src), x.dtype)))]
)

_exact: dict[type[CStyleLanguage], type[CStyleLanguage]] = {}


def exact_renderer(renderer: Renderer) -> Renderer:
    """A renderer that prints sums in the order in which they are computed, and everything else like the given one."""
    if not isinstance(renderer, CStyleLanguage):
        return renderer
    language = type(renderer)
    if language not in _exact:
        patterns = {"string_rewrite": ARITHMETIC + language.string_rewrite}
        _exact[language] = type(f"Exact{language.__name__}", (language,), patterns)
    exact = object.__new__(_exact[language])
    vars(exact).update(vars(renderer))
    return exact
