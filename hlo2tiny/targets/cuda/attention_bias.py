"""The gradient of what is added to attention's scores, in a kernel that computes these again."""

from __future__ import annotations

from math import prod

from ...plan.heads import BiasGradient, Gradients
from ...records import dataclass
from ...templates import fill
from .arranging import distance
from .attention import (
    MASKS,
    KeySteps,
    strides_where,
    write_number,
)
from .attention_tiles import (
    LEAST_SHARED,
    SHARED,
    GradientTiling,
    buffers_of,
    place_text,
    read_parameters,
    read_text,
    row_place,
    shares_of,
    tile_bytes,
    tiles_text,
    write_changes,
)
from .kernels import CudaKernel, KernelParameter, constants_text, read_code, shared_text
from .operands import BYTES, KINDS, NAMES, begin


@dataclass(frozen=True)
class BiasTiles:
    """The tiles of a bias, which a block each computes the gradient of, or several that share the scores.

    The rows of `gradients`, queries that share keys, are the dimensions of such along which the bias varies, or those
    along which it does not, if these are more; the others are in the batch.
    """

    gradients: Gradients
    bias: BiasGradient
    tiling: GradientTiling

    @classmethod
    def of(cls, g: Gradients, number: int, tiling: GradientTiling) -> BiasTiles:
        rows = g.rows_of(g.biases[number])
        g = g.in_order([*(d for d in range(len(g.heads.sizes)) if d not in rows), *rows], len(rows))
        return cls(g, g.biases[number], tiling)

    @property
    def batch(self) -> int:
        """How many dimensions come before the rows."""
        return len(self.gradients.heads.sizes) - self.gradients.heads.shared

    @property
    def varies(self) -> tuple[bool, bool]:
        """Whether the bias varies along queries, or along keys."""
        *_, keys = self.bias.strides
        return not self.gradients.heads.shared or self.bias.strides[self.batch] != 0, keys != 0

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The batch, queries and keys of the bias."""
        h, (queries, keys) = self.gradients.heads, self.varies
        batch = prod(n for n, stride in zip(h.sizes[: self.batch], self.bias.strides) if stride)
        return batch, h.rows if queries else 1, h.keys if keys else 1

    @property
    def blocks(self) -> int:
        batch, *sizes = self.sizes
        return batch * prod(-(-n // self.tiling.tile) for n in sizes)

    @property
    def taken(self) -> int:
        """How many tiles of scores belong to one of the bias."""
        h = self.gradients.heads
        return prod(h.sizes) // h.rows * prod(-(-n // self.tiling.tile) for n in (h.rows, h.keys)) // self.blocks

    @property
    def shares(self) -> int:
        return shares_of(self.blocks, self.taken)

    @property
    def skips(self) -> bool:
        """Whether scores are left out that masks replace; of a bias that is added later, these count."""
        h = self.gradients.heads
        return self.tiling.skips(h) and not any(c.kind in MASKS for c in h.changes[: self.bias.before])

    def place(self, batch: str, row: str, key: str) -> str:
        """Where a number of the gradient is."""
        h, strides = self.gradients.heads, self.bias.strides
        varying = [d for d in range(self.batch) if strides[d]]
        start = distance(batch, [h.sizes[d] for d in varying], [strides[d] for d in varying])
        return f"{start} + {distance(row, h.sizes[self.batch :], strides[self.batch : -1])} + {key} * {strides[-1]}ll"

    def kernel(self, exact: bool, arch: str) -> CudaKernel:
        """The kernel, whose arguments are those of the other gradients' kernels, without the queries that count."""
        g, h, tile, outer = self.gradients, self.gradients.heads, self.tiling.tile, self.batch
        changes, (queries, keys), batches = buffers_of(h), self.varies, prod(h.sizes) // h.rows
        stages = 2 if 4 * tile_bytes(g, tile) <= SHARED.get(arch, LEAST_SHARED)[0] else 1
        memory, asked = shared_text(2 * stages * tile_bytes(g, tile), "memory", 1024)
        element = self.bias.element if self.shares == 1 else "f32"
        constants = {
            "TILE": tile, "STAGES": stages, "CHUNKS": 1, "SHARES": self.shares, "NARROW": KINDS[g.element],
            "QUERIES": h.rows, "KEYS": h.keys, "DEPTH": h.depth, "WIDTH": h.width, "TAKEN": self.taken,
            "KIND": KINDS[element],
        }  # fmt: skip
        flags = {
            "EXACT": exact, "SKIPS": self.skips, "ALL_QUERIES": not queries, "ALL_KEYS": not keys, "IN_TILES": False,
        }  # fmt: skip
        strides = {"q": h.queries, "k": h.key, "v": h.values, "cotangents": g.cotangents}
        strides |= {name: each for name, _, each in changes}
        places = [
            place_text(name, f"{distance('batch', h.sizes[:outer], s[:outer])} + {row_place(h, s, name in ('k', 'v'))}")
            for name, s in strides.items()
        ]
        places += [place_text(f"{name}_key", row_place(h, s, True)) for name, _, s in changes]
        # The index in the batch, of those along dimensions where the bias varies, and where it does not.
        steps = strides_where(h.sizes[:outer], [True] * outer)
        batch = [
            distance(
                name,
                *([each[d] for d in range(outer) if bool(self.bias.strides[d]) is varies] for each in (h.sizes, steps)),
            )
            for name, varies in (("item", True), ("number", False))
        ]
        known = KeySteps.of(h, self.tiling.queries)
        at = f"({known.index(known.masks)}) * {known.tiles * known.steps}ll + part * {known.steps} + step"
        written, undone = write_changes(h, self.bias.before)
        whole, rows, columns = self.sizes
        parts = {
            "tiles": [tiles_text(memory)],
            "starts": [line for operand, name in enumerate("qkv") for line in begin(h, operand, name)],
            "batch": [" + ".join(batch)],
            "known": [f"steps[{at}]" if self.skips else "3"],
            "places": places,
            "row_starts": [read_text(name, name, f"{name}_key") for name, *_ in changes],
            "changes": written,
            "derivatives": undone,
            "place": [
                self.place("item", "row", "key")
                if self.shares == 1
                else f"((blockIdx.y * {whole}ll + item) * {rows} + row) * {columns} + key"
            ],
        }
        count = batches * -(-h.rows // tile) * tile
        text = [
            constants_text({"int": constants, "long long": {"COUNT": count}, "bool": flags}),
            f"constexpr float FACTOR = {write_number(self.bias.factor)};",
            fill(read_code("attention_bias.cu"), {name: "\n".join(lines) for name, lines in parts.items()}),
        ]
        parameters = (
            *read_parameters(g, ("steps",) if self.skips else ()),
            KernelParameter(f"{NAMES[element]}* __restrict__", "out"),
        )
        scores, numbers = prod(h.sizes) * h.keys, h.depth + h.width
        moved = BYTES[g.element] * numbers * (prod(h.sizes) + batches * h.keys) + BYTES[element] * prod(self.sizes)
        return CudaKernel(
            "attention_gradients_of_bias", parameters, "\n".join(text), (), (self.blocks, self.shares, 1),
            (2 * tile, 1, 1), False, tuple(range(len(parameters))), 2 * scores * numbers, moved, alone=True,
            shared=asked,
        )  # fmt: skip
