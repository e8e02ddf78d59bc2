"""Programs of several devices: what each of them runs, and how a client learns how results are sharded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..formats import ProgramFile
from ..from_jax.partitioning import declared_tiles, wrap_in_computation
from ..ir import (
    ArrayAttr,
    Attribute,
    BoolAttr,
    DialectAttr,
    DictAttr,
    IntegerAttr,
    Module,
    Op,
    ScalarType,
    StringAttr,
    UnitAttr,
)
from ..ir.entry import entry_function
from ..ir.printer import print_file
from ..ir.rewrite import Rewriter, rewrite_functions
from ..ir.sharding import Placement
from ..machine import cache
from ..ops import Trait, has
from ..ops.attributes import plain
from ..specialise.localise import has_manual, meshes_of, tiles_of
from ..verify.problems import verify
from ..verify.unwrap import unwrap
from .callbacks import PREFIX

I32 = ScalarType("i32")
UNIT = "use_global_device_ids"
SHARDINGS = ("sdy.sharding", "mhlo.sharding")
LAYOUTS = ("operand_layouts", "result_layouts")
# XLA's name of the op that combines the terms of an unreduced value, if it is not a sum.
KINDS = {"maximum": "MAX", "minimum": "MIN"}
# JAX's own name of a callback on XLA's CPU, with its number: what XLA's partitioner can run on one device only.
XLAS_CALLBACK = "xla_ffi_python_cpu_callback"


def partitioned(code: bytes, replicas: int, partitions: int) -> bytes | None:
    """A program that says what each device runs; None if each runs the whole by itself.

    Raises:
        Error: the program is damaged, or XLA's partitioner, which does the work, refuses it.
    """
    module = given = ProgramFile(code).read().module
    count = replicas * partitions
    if b"token" in code:
        targets = {
            plain(op.attributes["call_target_name"]) for op in module.walk() if "call_target_name" in op.attributes
        }
        verify(module, targets, count)
        module = unwrap(module)
    if has_manual(module) or any(has(op, Trait.COLLECTIVE) for op in module.walk()):
        asked = {"mhlo.num_replicas": replicas, "mhlo.num_partitions": partitions}
        missing = {name: IntegerAttr(n, I32) for name, n in asked.items() if name not in given.attributes}
        return print_file(replace(given, attributes={**given.attributes, **missing})) if missing else code
    main = entry_function(module)
    types = (*main.type.inputs, *main.type.results)
    declared = (*main.argument_attributes, *main.result_attributes)
    # A mesh without axes, as of an eager op, and values that are replicated cut nothing.
    if (
        not any(mesh.axes for mesh in meshes_of(module).values())
        and not any(map(declared_tiles, types, declared))
        and not any(map(tiles_of, module.walk()))
    ):
        return None
    name = cache.key("pjrt partitioned", str(count), code.decode("latin-1"))
    stored = cache.read(name)
    if stored is None:
        names: list[str] = []

        def as_xlas(rewriter: Rewriter, op: Op) -> list[Op] | None:
            target = op.attributes.get("call_target_name")
            if not isinstance(target, StringAttr) or not target.value.startswith(PREFIX):
                return None
            names.append(target.value)
            config = DictAttr({"index": IntegerAttr(len(names) - 1, ScalarType("ui64"))})
            own = {**op.attributes, "call_target_name": StringAttr(XLAS_CALLBACK), "mhlo.backend_config": config}
            listed = own.get("sdy.sharding")
            if isinstance(listed, DialectAttr):  # a token had one, too; all are the same device
                first = re.search(r"<[^<>]*>", listed.text)
                each = [first[0] if first else ""] * max(1, len(op.results))
                own["sdy.sharding"] = replace(listed, text=f"[{', '.join(each)}]")
            return [rewriter.clone(op, attributes=own)]

        def as_ours(rewriter: Rewriter, op: Op) -> list[Op] | None:
            if op.attributes.get("call_target_name") != StringAttr(XLAS_CALLBACK):
                return None
            name = StringAttr(names[int(plain(op.attributes["backend_config"])["index"])])
            others = {key: value for key, value in op.attributes.items() if key not in LAYOUTS}
            return [rewriter.clone(op, attributes={**others, "call_target_name": name, "backend_config": DictAttr({})})]

        local = wrap_in_computation(rewrite_functions(module, as_xlas), count)
        stored = print_file(rewrite_functions(local, as_ours))
        cache.write(name, stored)
    return stored


def described(module: Module, inputs: Sequence[Placement | None], outputs: Sequence[Placement | None]) -> bytes:
    """What each device runs, with the shardings of arguments and results in XLA's notation, in which clients ask."""
    texts = [*map(tiles_text, outputs)]
    attributes: dict[str, Attribute] = {
        "mhlo.spmd_parameters_shardings": ArrayAttr(tuple(StringAttr(tiles_text(p)) for p in inputs)),
        "mhlo.spmd_output_sharding": StringAttr(texts[0] if len(texts) == 1 else f"{{{', '.join(texts)}}}"),
    }
    plain = {
        name: replace(
            f,
            argument_attributes=({},) * len(f.type.inputs),
            result_attributes=({},) * len(f.type.results),
            body=None if f.body is None else Rewriter(hook=bare).region(f.body),
        )
        for name, f in module.functions.items()
    }
    module = replace(module, functions=plain, symbols=(), attributes={**module.attributes, **attributes})
    return print_file(module)


def bare(rewriter: Rewriter, op: Op) -> list[Op] | None:
    """A rewriter's hook: no shardings, whose meshes are not there, and a flag as MLIR reads it: present or absent."""
    removed = {UNIT, *SHARDINGS}
    if not removed & {*op.attributes}:
        return None
    others = {key: value for key, value in op.attributes.items() if key not in removed}
    flag: dict[str, Attribute] = (
        {UNIT: UnitAttr()} if op.attributes.get(UNIT, BoolAttr(False)) != BoolAttr(False) else {}
    )
    return [rewriter.clone(op, attributes={**others, **flag})]


def tiles_text(placement: Placement | None) -> str:
    """A placement as XLA writes it: {devices=[2,1]0,1}; None is that of a token, and of what all devices have whole.

    Examples:
        >>> from hlo2tiny.ir import ScalarType, TensorType
        >>> halves = tuple((slice(0, 2), slice(i, i + 1)) for i in (1, 1, 0, 0))
        >>> tiles_text(Placement(TensorType((2, 2), ScalarType("f32")), halves, ("", "x")))
        '{devices=[1,2,2]2,3,0,1 last_tile_dims={replicated}}'
        >>> tiles_text(Placement(TensorType((), ScalarType("f32")), ((),) * 2, (), (0, 1), "maximum"))
        '{unreduced metadata={op_type="sdy::reduction_op" op_name="MAX"}}'
    """
    if placement is None or placement.by_rows or not (placement.axes or placement.terms):
        return "{replicated}"
    counts = [
        whole // piece if whole and piece else 1 for whole, piece in zip(placement.type.shape, placement.part.shape)
    ]
    begins = [tuple(i.start if isinstance(i, slice) else i for i in index) for index in placement.indices]
    terms = placement.terms or (0,) * len(begins)
    order = sorted(range(len(begins)), key=lambda device: (begins[device], terms[device], device))
    summands = len(set(terms))
    same = len(begins) // len(set(zip(begins, terms)))
    if same == len(begins):
        return "{replicated}"
    kind = KINDS.get(placement.reduction) if placement.terms else None
    operation = f' metadata={{op_type="sdy::reduction_op" op_name="{kind}"}}' if kind else ""
    if summands == len(begins):
        return f"{{unreduced{operation}}}"
    last = [(summands, "unreduced"), (same, "replicated")]
    kept = [(count, name) for count, name in last if count > 1]
    tiles = ",".join(map(str, [*counts, *(count for count, _ in kept)]))
    kinds = f" last_tile_dims={{{', '.join(name for _, name in kept)}}}" if kept else ""
    return f"{{devices=[{tiles}]{','.join(map(str, order))}{kinds}{operation}}}"
