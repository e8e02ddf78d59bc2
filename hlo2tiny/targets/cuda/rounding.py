"""Copies of attention's operands that are rounded to TF32, for warps that multiply together."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ...plan.heads import Heads, Strides
from ...records import dataclass
from ...templates import fill
from .arranging import ALIGNED, distance
from .kernels import THREADS, CudaKernel, KernelParameter, aligned, constants_text, read_code

# The tile of a block. Columns of a copy are a multiple of so many numbers, as of the keys that warps multiply together.
TILE_ROWS, TILE_COLUMNS = 128, 32
# The terms of a product, within which each lane has two neighbouring ones.
TERMS = 8


@dataclass(frozen=True)
class Rounding:
    """What to copy of attention's queries (0), keys (1) or values (2), whose rows are queries or keys.

    Rows of columns have an order in which, of each `span`, every fourth part belongs to a lane of the second product.
    """

    heads: Heads
    operand: int
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
    def lengths(self) -> tuple[int, int]:
        """Those of a row and of a column in the copies."""
        return aligned(self.columns, ALIGNED), aligned(self.rows, TILE_ROWS)

    @property
    def bytes(self) -> tuple[int, int]:
        """Those of the copy by rows and of that by columns."""
        row, column = self.lengths
        return 4 * self.items * self.rows * row, 4 * self.items * self.columns * column

    def strides_of(self, by_columns: bool) -> Strides:
        """The strides of a copy."""
        sizes, length = self.heads.sizes, self.lengths[by_columns]
        step, number = (1, length) if by_columns else (length, 1)
        made, apart = list[int](), self.bytes[by_columns] // 4
        for size, stride in zip(sizes[: self.outer], self.strides):
            apart //= size if stride else 1
            made.append(apart if stride else 0)
        shared = sizes[self.outer :]
        along = [0 if self.operand else step * prod(shared[i + 1 :]) for i in range(len(shared))]
        return (*made, *along, step if self.operand else 0, number)

    def kernel(self, begins: Sequence[str], parameters: Sequence[KernelParameter], by: tuple[bool, bool]) -> CudaKernel:
        """The kernel whose arguments are the operand, further ones, where statements move it to, and wanted copies."""
        sizes, rank, (row_length, column_length) = self.heads.sizes, len(self.heads.sizes), self.lengths
        chosen = [(n, s) for n, s in zip(sizes[: self.outer], self.strides) if s]
        start = f"source += {distance('item', *([*each] for each in zip(*chosen)))};" if chosen else ""
        along = distance("row", sizes[self.outer :], self.strides[self.outer : rank])
        place = f"row * {self.strides[rank]}ll" if self.operand else along
        constants = {
            "TILE_ROWS": TILE_ROWS, "TILE_COLUMNS": TILE_COLUMNS, "ROWS": self.rows, "COLUMNS": self.columns,
            "ROW_LENGTH": row_length, "COLUMN_LENGTH": column_length, "SPAN": self.span, "THREADS": THREADS,
        }  # fmt: skip
        names = [name for name, wanted in zip(("rows", "columns"), by) if wanted]
        text = [
            constants_text(
                {
                    "int": constants,
                    "long long": {"STEP": self.strides[-1]},
                    "bool": {"BY_ROWS": by[0], "BY_COLUMNS": by[1]},
                }
            ),
            *(f"float *const {name} = 0;" for name in ("rows", "columns") if name not in names),
            fill(read_code("rounding.cu"), {"starts": "\n".join([start, *begins]), "place": place}),
        ]
        given = (
            KernelParameter("float* __restrict__", "source", False),
            *parameters,
            *(KernelParameter("float* __restrict__", name) for name in names),
        )
        tiles = -(-self.rows // TILE_ROWS) * -(-aligned(self.columns, ALIGNED) // TILE_COLUMNS)
        moved = 4 * self.items * self.rows * self.columns + sum(n for n, wanted in zip(self.bytes, by) if wanted)
        return CudaKernel(
            "round", given, "\n".join(text), (), (self.items * tiles, 1, 1), (THREADS, 1, 1), False,
            tuple(range(len(given))), bytes=moved, alone=True,
        )  # fmt: skip
