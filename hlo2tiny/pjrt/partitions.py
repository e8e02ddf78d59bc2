"""Programs of several devices: what each of them runs, and how a client learns how results are sharded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..formats import ProgramFile
from ..from_jax.partitioning import wrap_in_computation
from ..ir import ArrayAttr, Attribute, BoolAttr, Module, Op, StringAttr, UnitAttr
from ..ir.entry import entry_function
from ..ir.printer import print_module
from ..ir.rewrite import Rewriter
from ..ir.sharding import Placement
from ..machine import cache
from ..ops import Trait, has
from ..specialise.localise import has_manual, meshes_of, tiles_of

UNIT = "use_global_device_ids"


def partitioned(code: bytes, count: int) -> bytes | None:
    """A program that says what each of this many devices runs; None if each runs the whole by itself.

    Raises:
        Error: the program is damaged, or XLA's partitioner, which does the work, refuses it.
    """
    module = ProgramFile(code).read().module
    if has_manual(module) or any(has(op, Trait.COLLECTIVE) for op in module.walk()):
        return code
    main = entry_function(module)
    declared = (*main.argument_attributes, *main.result_attributes)
    if (
        not meshes_of(module)
        and not any("mhlo.sharding" in n for n in declared)
        and not any(map(tiles_of, module.walk()))
    ):
        return None
    name = cache.key("pjrt partitioned", str(count), code.decode("latin-1"))
    stored = cache.read(name)
    if stored is None:
        stored = print_module(wrap_in_computation(module, count)).encode("utf-8", "surrogateescape")
        cache.write(name, stored)
    return stored


def described(module: Module, inputs: Sequence[Placement], outputs: Sequence[Placement]) -> bytes:
    """What each device runs, with the shardings of arguments and results in XLA's notation, in which clients ask."""
    attributes: dict[str, Attribute] = {
        "mhlo.spmd_parameters_shardings": ArrayAttr(tuple(StringAttr(tiles_text(p)) for p in inputs)),
        "mhlo.spmd_output_sharding": StringAttr(f"{{{', '.join(map(tiles_text, outputs))}}}"),
    }
    if len(outputs) == 1:
        attributes["mhlo.spmd_output_sharding"] = StringAttr(tiles_text(outputs[0]))
    plain = {
        name: replace(
            f,
            argument_attributes=({},) * len(f.type.inputs),
            result_attributes=({},) * len(f.type.results),
            body=None if f.body is None else Rewriter(hook=with_units).region(f.body),
        )
        for name, f in module.functions.items()
    }
    bare = replace(module, functions=plain, symbols=(), attributes={**module.attributes, **attributes})
    return print_module(bare).encode("utf-8", "surrogateescape")


def with_units(rewriter: Rewriter, op: Op) -> list[Op] | None:
    """A rewriter's hook: a flag as MLIR reads it, which is either present or absent."""
    if UNIT not in op.attributes:
        return None
    others = {key: value for key, value in op.attributes.items() if key != UNIT}
    flag: dict[str, Attribute] = {UNIT: UnitAttr()} if op.attributes[UNIT] != BoolAttr(False) else {}
    return [rewriter.clone(op, attributes={**others, **flag})]


def tiles_text(placement: Placement) -> str:
    """A placement as XLA writes it: {devices=[2,1]0,1}.

    Examples:
        >>> from hlo2tiny.ir import ScalarType, TensorType
        >>> halves = tuple((slice(0, 2), slice(i, i + 1)) for i in (1, 1, 0, 0))
        >>> tiles_text(Placement(TensorType((2, 2), ScalarType("f32")), halves, ("", "x")))
        '{devices=[1,2,2]2,3,0,1 last_tile_dim_replicate}'
    """
    if not placement.axes or placement.by_rows:
        return "{replicated}"
    counts = [
        whole // piece if whole and piece else 1 for whole, piece in zip(placement.type.shape, placement.part.shape)
    ]
    begins = [tuple(i.start if isinstance(i, slice) else i for i in index) for index in placement.indices]
    order = sorted(range(len(begins)), key=lambda device: (begins[device], device))
    same = len(begins) // len(set(begins))
    if same == len(begins):
        return "{replicated}"
    tiles = ",".join(map(str, [*counts, same] if same > 1 else counts))
    return f"{{devices=[{tiles}]{','.join(map(str, order))}{' last_tile_dim_replicate' if same > 1 else ''}}}"
