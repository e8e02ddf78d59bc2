"""Where attention's operands begin, and copies of them, with aligned rows or for warps that multiply together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from ...plan.heads import Heads, Offset, Strides
from ...records import dataclass
from ...templates import fill
from .arranging import ALIGNED, distance, pack, strides_of_copy
from .kernels import THREADS, CudaKernel, KernelParameter, aligned, constants_text, read_code

# How the kernel numbers types, and what it calls them.
KINDS = {"f32": 0, "bf16": 1, "f16": 2}
NAMES = {"f32": "float", "bf16": "unsigned short", "f16": "unsigned short", "i1": "unsigned char"}
BYTES = {"f32": 4, "bf16": 2, "f16": 2, "i1": 1}

# The bytes in a row of what warps multiply together, and how many rows follow each other.
ROW_BYTES, TOGETHER = 128, 64
# The terms of a product, within which each lane has two neighbouring ones.
TERMS = 8


def offset_numbers(h: Heads) -> list[tuple[int, Offset]]:
    """The offsets with the numbers of their buffers."""
    return [*enumerate(h.offsets, 3 + sum(c.strides is not None for c in h.changes))]


def operand_offsets(h: Heads, operand: int) -> tuple[list[KernelParameter], list[int]]:
    """The parameters of the offsets of an operand, and the numbers of their buffers."""
    offsets = [(i, *each) for i, each in enumerate(offset_numbers(h)) if each[1].operand == operand]
    return [offset_parameter(f"i{i}", x) for i, _, x in offsets], [n for _, n, _ in offsets]


def offset_parameter(name: str, offset: Offset) -> KernelParameter:
    return KernelParameter(f"{'int' if offset.index == 'i32' else 'long long'}* __restrict__", name, False)


def begin(h: Heads, operand: int, pointer: str) -> list[str]:
    """Move a pointer to where an operand begins."""
    lines = [f"{pointer} += {h.begins[operand]}ll;"] if h.begins[operand] else []
    for number, x in enumerate(h.offsets):
        if x.operand == operand:
            clamped = f"*i{number} < 0 ? 0 : *i{number} > {x.most} ? {x.most} : *i{number}"
            lines.append(f"{pointer} += ({clamped}) * {x.stride}ll;")
    return lines


def copy(h: Heads, operand: int, target: int, rows: int) -> tuple[CudaKernel, Strides, int]:
    """A kernel that copies an operand so that its rows, along a dimension of `Heads` or the keys, are aligned.

    Also returns the copy's strides, and its size in bytes. `target` is the number of its buffer.
    """
    strides, size = (h.queries, h.key, h.values)[operand], h.width if operand == 2 else h.depth
    padded, kind = aligned(size, ALIGNED), h.types[operand]
    shape = [*h.sizes, h.keys]
    batch, apart = (tuple(x for d, x in enumerate(each) if d != rows) for each in (shape, strides[:-1]))
    sizes, whole = (shape[rows], size), (shape[rows], padded)
    made, total = strides_of_copy(batch, apart, whole)
    steps = (strides[rows], strides[-1])
    kernel = pack(batch, apart, steps, sizes, whole, (operand, target), NAMES[kind], BYTES[kind])
    parameters, offsets = operand_offsets(h, operand)
    kernel = replace(
        kernel,
        parameters=(*kernel.parameters, *parameters),
        body="\n".join([*begin(h, operand, "source"), kernel.body]),
        buffers=(*kernel.buffers, *offsets),
    )
    return kernel, (*made[:rows], padded, *made[rows:], 1), total * BYTES[kind]


def read_copies(h: Heads, copies: Mapping[int, Strides]) -> tuple[Heads, list[int]]:
    """The heads with some operands read from copies that have these strides, and the buffers of offsets not read."""
    left = tuple(offset for offset in h.offsets if offset.operand not in copies)
    gone = [n for n, offset in offset_numbers(h) if offset.operand in copies]
    q, k, v = (0 if operand in copies else start for operand, start in enumerate(h.begins))
    queries, key, values = (copies.get(n, s) for n, s in enumerate((h.queries, h.key, h.values)))
    return replace(h, queries=queries, key=key, values=values, offsets=left, begins=(q, k, v)), gone


def is_aligned(h: Heads, operand: int) -> bool:
    """Whether an operand's rows can be copied by 16 bytes."""
    each, strides = 16 // BYTES[h.types[operand]], (h.queries, h.key, h.values)[operand]
    steps = [*strides[:-1], h.begins[operand], *(x.stride for x in h.offsets if x.operand == operand)]
    size = h.width if operand == 2 else h.depth
    return strides[-1] == 1 and not any(n % each for n in (*steps, size))


@dataclass(frozen=True)
class Rounding:
    """What to copy of attention's queries (0), keys (1) or values (2), in tiles of so many queries or keys.

    The copies are rounded to TF32, and lie as they are multiplied. Tiles by columns have each column's numbers in an
    order in which, of each `span`, a lane has a fourth; `rounding.cu` says how.
    """

    heads: Heads
    operand: int
    tile: int
    span: int = TERMS

    @property
    def strides(self) -> Strides:
        return (self.heads.queries, self.heads.key, self.heads.values)[self.operand]

    @property
    def outer(self) -> int:
        """The dimensions along which there are different rows, and not more of them."""
        return len(self.heads.sizes) - self.heads.shared

    @property
    def items(self) -> int:
        return prod(n for n, stride in zip(self.heads.sizes[: self.outer], self.strides) if stride)

    @property
    def rows(self) -> int:
        return self.heads.keys if self.operand else self.heads.rows

    @property
    def columns(self) -> int:
        return self.heads.width if self.operand == 2 else self.heads.depth

    @property
    def tiles(self) -> int:
        return -(-self.rows // self.tile)

    @property
    def widths(self) -> tuple[int, int]:
        """The numbers of each row in tiles by rows and by columns."""
        return aligned(self.columns, ROW_BYTES // 4), aligned(self.columns, TOGETHER)

    def layout(self, by_columns: bool) -> tuple[Strides, int]:
        """The strides of a copy, of which those of rows and numbers hold for whole tiles only, and its bytes."""
        sizes, width = self.heads.sizes, self.widths[by_columns]
        made, apart = list[int](), self.tiles * self.tile * width
        for size, stride in reversed([*zip(sizes[: self.outer], self.strides)]):
            made.insert(0, apart if stride else 0)
            apart *= size if stride else 1
        shared = sizes[self.outer :]
        along = [0 if self.operand else width * prod(shared[i + 1 :]) for i in range(len(shared))]
        return (*made, *along, width if self.operand else 0, 1), 4 * apart

    def kernel(self, source: int, target: int, by_columns: bool) -> CudaKernel:
        """The kernel, given the buffers of the operand and of the copy."""
        h, rank, (row, column) = self.heads, len(self.heads.sizes), self.widths
        chosen = [(n, s) for n, s in zip(h.sizes[: self.outer], self.strides) if s]
        start = distance("item", [n for n, _ in chosen], [s for _, s in chosen])
        along = distance("row", h.sizes[self.outer :], self.strides[self.outer : rank])
        constants = {
            "TILE": self.tile, "TILES": self.tiles, "SPAN": self.span, "ROWS": self.rows, "COLUMNS": self.columns,
            "ROW_PARTS": row * 4 // ROW_BYTES, "COLUMN_BLOCKS": column // TOGETHER, "THREADS": THREADS,
        }  # fmt: skip
        places = {
            "starts": "\n".join([f"source += {start};", *begin(h, self.operand, "source")]),
            "place": f"row * {self.strides[rank]}ll" if self.operand else along,
        }
        text = [
            constants_text(
                {"int": constants, "long long": {"STEP": self.strides[-1]}, "bool": {"BY_COLUMNS": by_columns}}
            ),
            fill(read_code("rounding.cu"), places),
        ]
        offsets, numbers = operand_offsets(h, self.operand)
        parameters = (
            KernelParameter("float* __restrict__", "source", False),
            *offsets,
            KernelParameter("float* __restrict__", "copied"),
        )
        groups = (column if by_columns else row) * 4 // ROW_BYTES
        moved = 4 * self.items * self.rows * self.columns + self.layout(by_columns)[1]
        return CudaKernel(
            "round", parameters, "\n".join(text), (), (self.items * self.tiles * groups, 1, 1), (THREADS, 1, 1), False,
            (source, *numbers, target), bytes=moved, alone=True,
        )  # fmt: skip
