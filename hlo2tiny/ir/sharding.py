"""Meshes of devices, and which part of a value each device holds.

A mesh numbers its devices along axes. A sharding says along which axes each dimension of a value is cut; along the
other axes, devices hold the same. Shardy writes both as text: <["x"=2, "y"=4]> and <@mesh, [{"x"}, {"y"}]>. GSPMD, its
predecessor, writes into how many parts each dimension is cut, and which devices hold them:
{devices=[2,4]<=[8]}.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from ..errors import UnsupportedOp, VerifyError
from ..records import dataclass
from .types import TensorType

AXIS = re.compile(r'"([^"]*)"(?::\((\d{1,9})\)(\d{1,9}))?')
SIZE = re.compile(r'"([^"]*)"\s*=\s*(\d{1,9})')
DEVICE_IDS = re.compile(r"device_ids\s*=\s*\[([\d,\s]*)\]")
SHARDING = re.compile(
    r'\s*(?:@"?([\w.$-]+)"?|mesh<(.*?)>)\s*,\s*\[((?:\s*\{[^}]*\}(?:p\d+)?\s*,?)*)\s*\]'
    r"(?:\s*,\s*replicated\s*=\s*\{[^}]*\})?(?:\s*,\s*unreduced\s*=\s*(\w*)\s*\{([^}]*)\})?"
)
# How the terms of an unreduced value are combined, by Shardy's name for it.
REDUCTIONS = {"": "add", "sum": "add", "max": "maximum", "min": "minimum"}
DIMENSION = re.compile(r"\{([^}]*)\}")
NUMBERS = r"(\d{1,9}(?:,\d{1,9})*)"
TILES = re.compile(rf"\{{\s*devices=\[{NUMBERS}\]\s*(?:<=\[{NUMBERS}\](?:T\({NUMBERS}\))?|{NUMBERS})(?=[\s}}])")
GROUPS_MESH = re.compile(r'\bmesh(?:_name)? = @"?([\w.$-]+)')
GROUPS_AXIS = re.compile(
    r'\bname = "(?P<axis>[^"]*)"(?:,\s*size = (?P<size>\d{1,9}))?'
    r"(?:,\s*sub_axis_info = \((?P<before>\d{1,9})\)(?P<part>\d{1,9}))?"
)
MOST_DEVICES = 1 << 16

Index = tuple[slice | int, ...]


@dataclass(frozen=True)
class Mesh:
    """The names and sizes of a mesh's axes, and the numbers of its devices, with the last axis changing fastest.

    The axes of a mesh that is not `named` are those of one sharding, and have numbers.
    """

    axes: tuple[tuple[str, int], ...]
    devices: tuple[int, ...]
    named: bool = True

    @property
    def size(self) -> int:
        return len(self.devices)

    @cached_property
    def coordinates(self) -> Mapping[int, Mapping[str, int]]:
        """For each device, its coordinate along each axis."""
        found = {}
        for number, device in enumerate(self.devices):
            places = {}
            for name, size in reversed(self.axes):
                number, places[name] = divmod(number, size)
            found[device] = places
        return found

    def number(self, device: int, parts: Sequence[AxisPart]) -> int:
        """A device's number along some axes, the outermost first."""
        number = 0
        for part in parts:
            number = number * part.size + part.digit(self.coordinates[device])
        return number

    def groups(self, parts: Sequence[AxisPart]) -> tuple[tuple[int, ...], ...]:
        """The devices that differ along these axes only, in order."""
        groups: dict[object, list[int]] = {}
        for device in range(self.size):
            places = dict(self.coordinates[device])
            for part in parts:
                places[part.name] -= part.digit(places) * part.step
            groups.setdefault(tuple(places.items()), []).append(device)
        return tuple(tuple(sorted(group, key=lambda n: self.number(n, parts))) for group in groups.values())


def parse_mesh(text: str) -> Mesh:
    """A mesh from Shardy's text for it.

    Raises:
        VerifyError: an axis is empty, or has the name of another one.
        UnsupportedOp: it has too many devices, or their numbers do not fit.
    """
    axes = tuple((name, int(size)) for name, size in SIZE.findall(text))
    if 0 in dict(axes).values() or len(dict(axes)) < len(axes):
        listed = ", ".join(f"{name} of size {size}" for name, size in axes)
        raise VerifyError(f"a mesh of {listed}: the names of axes must differ, and their sizes be positive")
    count = expect_count(prod(size for _, size in axes))
    given = DEVICE_IDS.search(text)
    devices = tuple(int(n) for n in re.findall(r"\d{1,9}", given[1])) if given else tuple(range(count))
    if len(devices) != count or (axes and sorted(devices) != list(range(count))):
        raise UnsupportedOp(
            f"a mesh of {count} devices with the numbers {list(devices)[:16]}, expected 0 to {count - 1}"
        )
    return Mesh(axes, devices)


def expect_count(count: int) -> int:
    if not 0 < count <= MOST_DEVICES:
        raise UnsupportedOp(f"a mesh of {count} devices, expected 1 to {MOST_DEVICES}")
    return count


@dataclass(frozen=True)
class AxisPart:
    """An axis, or a part of one: of each device's coordinate along it, the digit `place // step % size`."""

    name: str
    size: int
    step: int = 1

    def digit(self, places: Mapping[str, int]) -> int:
        return places[self.name] // self.step % self.size


@dataclass(frozen=True)
class Sharding:
    """For each dimension, the axes along which it is cut, the outermost first.

    Along the axes of `unreduced`, devices hold the terms of a reduction that is still to be made, an op of StableHLO.
    """

    mesh: Mesh
    dimensions: tuple[tuple[AxisPart, ...], ...]
    unreduced: tuple[AxisPart, ...] = ()
    reduction: str = "add"

    @property
    def counts(self) -> tuple[int, ...]:
        """Into how many parts each dimension is cut."""
        return tuple(prod(part.size for part in parts) for parts in self.dimensions)

    @property
    def axes(self) -> tuple[str, ...]:
        """For each dimension, the names of its axes, or into how many parts it is cut if they have no names."""
        if self.mesh.named:
            return tuple("+".join(part.name for part in parts) for parts in self.dimensions)
        return tuple(f"{count} parts" if count > 1 else "" for count in self.counts)

    def along(self, axes: Collection[str]) -> Sharding:
        """The sharding along some axes only."""
        *dimensions, unreduced = (
            tuple(p for p in parts if p.name in axes) for parts in (*self.dimensions, self.unreduced)
        )
        return replace(self, dimensions=tuple(dimensions), unreduced=unreduced)

    def cutting(self, whole: Sequence[int | None], part: Sequence[int | None]) -> Sharding:
        """The sharding of those dimensions that are smaller in a part than in the whole.

        Raises:
            UnsupportedOp: a dimension is smaller by another factor than the sharding says.
        """
        if len(whole) != len(self.dimensions) or len(part) != len(whole):
            raise UnsupportedOp(f"a sharding of {len(self.dimensions)} dimensions, for a value of rank {len(whole)}")
        kept = []
        for d, (size, piece, parts, count) in enumerate(zip(whole, part, self.dimensions, self.counts)):
            if size is None or piece is None or (size != piece and piece * count != size):
                sizes = " and ".join("?" if n is None else str(n) for n in (size, piece))
                raise UnsupportedOp(f"dimension {d} has the sizes {sizes}, but its sharding cuts it into {count} parts")
            kept.append(() if size == piece else parts)
        return replace(self, dimensions=tuple(kept))

    @cached_property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """For each device, in the order of their numbers, the number of the part of each dimension that it holds."""
        devices = range(self.mesh.size)
        return tuple(tuple(self.mesh.number(device, parts) for parts in self.dimensions) for device in devices)

    @cached_property
    def terms(self) -> tuple[int, ...]:
        """For each device, the number of its term of the reduction that is still to be made; () if there is none."""
        count = prod(part.size for part in self.unreduced)
        return tuple(self.mesh.number(n, self.unreduced) for n in range(self.mesh.size)) if count > 1 else ()

    @property
    def is_whole(self) -> bool:
        """Whether all devices hold the whole."""
        return prod(self.counts) == 1 and not self.terms

    def shape(self, whole: Sequence[int | None]) -> tuple[int, ...]:
        """The shape of each part of a value.

        Raises:
            UnsupportedOp: the value has another rank, an open dimension is cut, or a size is not divisible.
        """
        if len(whole) != len(self.dimensions):
            raise UnsupportedOp(f"a sharding of {len(self.dimensions)} dimensions, for a value of rank {len(whole)}")
        sizes = []
        for d, (size, count, name) in enumerate(zip(whole, self.counts, self.axes)):
            axis = f"axis {name!r} of {count} devices" if self.mesh.named else f"a sharding over {count} devices"
            if size is None:
                raise UnsupportedOp(f"dimension {d} is open, but {axis} cuts it; export it with a size")
            if size % count:
                raise UnsupportedOp(f"dimension {d} has the size {size}, which {axis} does not divide")
            sizes.append(size // count)
        return tuple(sizes)


def parse_shardings(text: str, meshes: Mapping[str, Mesh]) -> list[Sharding]:
    """All shardings in Shardy's text for one or a list of them.

    Raises:
        UnsupportedOp: one cannot be read, or names a mesh or axis that does not exist.
    """
    found, at = [], 0
    text = text.strip()
    bare = text.removeprefix("[").removesuffix("]") if text.startswith("[") else text
    while at < len(bare):
        begin = re.compile(r"[\s,<]*").match(bare, at)
        at = begin.end() if begin else at
        if at == len(bare):
            break
        match = SHARDING.match(bare, at)
        if match is None:
            raise UnsupportedOp(f"the sharding {bare[at : at + 60]!r} cannot be read")
        found.append(_sharding(match, meshes))
        end = bare.find(">", match.end())
        at = len(bare) if end < 0 else end + 1
    return found


def _sharding(match: re.Match[str], meshes: Mapping[str, Mesh]) -> Sharding:
    name, inline, listed, reduction, unreduced = match.groups()
    if inline is None and name not in meshes:
        raise UnsupportedOp(f"there is no mesh @{name} in this module")
    mesh = parse_mesh(inline) if inline is not None else meshes[name]
    dimensions = []
    for dimension in DIMENSION.findall(listed):
        dimensions.append(tuple(read_part(mesh, *found) for found in AXIS.findall(dimension)))
    terms = tuple(read_part(mesh, *found) for found in AXIS.findall(unreduced or ""))
    parts = sorted((part for row in (*dimensions, terms) for part in row), key=lambda part: (part.name, part.step))
    for one, other in pairwise(parts):
        if one.name == other.name and other.step < one.step * one.size:
            raise UnsupportedOp(f"a sharding cuts along axis {one.name!r} twice")
    if reduction and reduction not in REDUCTIONS:
        raise UnsupportedOp(
            f"a sharding is unreduced={reduction}, expected one of {', '.join(filter(None, REDUCTIONS))}"
        )
    return Sharding(mesh, tuple(dimensions), terms, REDUCTIONS[reduction or ""])


def read_part(mesh: Mesh, axis: str, before: str | None, size: str | None) -> AxisPart:
    """An axis of a mesh, or its part (before)size: `before` is into how many parts larger digits cut it."""
    sizes = dict(mesh.axes)
    if axis not in sizes:
        raise UnsupportedOp(f"the mesh has no axis {axis!r}; it has {', '.join(sizes)}")
    whole = sizes[axis]
    if not size or not before:
        return AxisPart(axis, whole)
    part = AxisPart(axis, int(size), whole // max(1, int(before) * int(size)))
    if int(before) * int(size) * part.step != whole:
        raise UnsupportedOp(f"axis {axis!r} of size {whole} has no part :({before}){size}")
    return part


def parse_tiles(text: str, rank: int) -> Sharding | None:
    """A sharding from GSPMD's text for it; None if the devices hold the whole, or what is already a shard.

    The last dimensions of the devices, after those of the value, number the devices that hold the same part.

    Raises:
        UnsupportedOp: it cannot be read, or its devices do not fit.
    """
    bare = text.strip()
    if bare.startswith(("{replicated", "{manual", "{maximal", "{unknown")) or bare in ("{}", ""):
        return None
    match = TILES.match(bare)
    if match is None or "unreduced" in bare:
        raise UnsupportedOp(f"the sharding {text[:60]!r} cannot be read")
    sizes, reshaped, order, listed = (
        None if part is None else [int(n) for n in part.split(",")] for part in match.groups()
    )
    assert sizes is not None
    count = prod(sizes)
    fits = 0 < count <= MOST_DEVICES and rank <= len(sizes) and (reshaped is None or prod(reshaped) == count)
    if fits and order is not None and reshaped is not None:
        fits = sorted(order) == list(range(len(reshaped)))
    if not fits or (listed is not None and sorted(listed) != list(range(count))):
        raise UnsupportedOp(f"the sharding {text[:60]!r} does not number {count} devices along {rank} dimensions")
    numbers = np.arange(count).reshape(reshaped or [count]).transpose(order) if listed is None else np.array(listed)
    axes = tuple((str(d), size) for d, size in enumerate(sizes))
    mesh = Mesh(axes, tuple(numbers.ravel().tolist()), named=False)
    return Sharding(mesh, tuple((AxisPart(name, size),) if size > 1 else () for name, size in axes[:rank]))


def groups_along(text: str, meshes: Mapping[str, Mesh]) -> tuple[tuple[int, ...], ...]:
    """The groups of devices along some axes, from the text of #stablehlo.replica_group_mesh_axes<…>.

    Raises:
        UnsupportedOp: there is no such mesh or axis, or no such part of it.
    """
    named, found = GROUPS_MESH.search(text), list(GROUPS_AXIS.finditer(text))
    sizes = {match["axis"]: int(match["size"]) for match in found if match["size"]}
    if named is not None and named[1] in meshes:
        mesh = meshes[named[1]]
    elif named is None and sizes and "device_ids" not in text:
        mesh = Mesh(tuple(sizes.items()), tuple(range(expect_count(prod(sizes.values())))))
    else:
        raise UnsupportedOp(f"the groups {text[:80]!r} cannot be read")
    parts = [read_part(mesh, match["axis"], match["before"], match["part"]) for match in found if not match["size"]]
    return mesh.groups(parts)


@dataclass(frozen=True, eq=False)
class Placement:
    """How an argument or result of a program is distributed over its partitions.

    Attributes:
        type: the type of the whole.
        indices: for each process, what it holds, as an index into the whole.
        axes: for each dimension, the names of the mesh's axes along which it is cut, or ''; () if all hold the whole.
        terms: for each process, the number of its term of a reduction that is still to be made; () if there is none.
        reduction: the op of StableHLO that combines the terms.
    """

    type: TensorType
    indices: tuple[Index, ...]
    axes: tuple[str, ...] = ()
    terms: tuple[int, ...] = ()
    reduction: str = "add"

    @cached_property
    def part(self) -> TensorType:
        """The type of what each process holds."""
        first = self.indices[0]
        cut = [i.stop - i.start for i in first if isinstance(i, slice)]
        return replace(self.type, shape=(*cut, *self.type.shape[len(first) :]))

    @property
    def by_rows(self) -> bool:
        """Whether each process holds a row of the whole, which has one dimension more."""
        return bool(self.axes) and isinstance(self.indices[0][0], int)

    def shard(self, type: TensorType) -> TensorType:
        """The type of each part of a sharded Tensor of the whole type; it keeps a dimension of which all hold a row."""
        part = self.part if type == self.type else replace(self, type=type).part
        return replace(part, shape=(1, *part.shape)) if self.by_rows else part

    def with_part(self, part: TensorType) -> Placement:
        """The same placement of a value of which each process holds this; its type may have been open."""
        if self.axes and not self.by_rows:
            return self
        return replace(self, type=replace(part, shape=(len(self.indices), *part.shape)) if self.by_rows else part)

    @cached_property
    def owned(self) -> tuple[bool, ...]:
        """Whether each process is the first that holds its part."""
        return _are_first(map(_hashable, self.indices))

    @cached_property
    def counted(self) -> tuple[bool, ...]:
        """Whether each process is the first that holds its part, or its term of a reduction."""
        return _are_first(zip(map(_hashable, self.indices), self.terms)) if self.terms else self.owned

    @cached_property
    def dimension(self) -> int | None:
        """The one dimension that is cut, if the processes hold its parts in order; None if all hold the whole.

        -1: another sharding.
        """
        first = self.indices[0]
        if self.terms:
            return -1
        if not self.axes:
            return None
        cut = [d for d, axes in enumerate(self.axes) if axes]
        if len(cut) != 1 or not all(self.owned):
            return -1
        begins = [i.start if isinstance(i := index[cut[0]], slice) else i for index in self.indices]
        return cut[0] if first and begins == sorted(begins) else -1


def _are_first(values: Iterable[object]) -> tuple[bool, ...]:
    """Whether each value is not among those before it."""
    first: dict[object, int] = {}
    return tuple([first.setdefault(value, n) == n for n, value in enumerate(values)])


def _hashable(index: Index) -> Any:
    return tuple((i.start, i.stop) if isinstance(i, slice) else i for i in index)
