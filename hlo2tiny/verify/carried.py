"""Ops that a compiler carried through StableHLO as custom calls, such as @mhlo.scan, with functions as regions."""

from __future__ import annotations

from dataclasses import replace

from ..errors import UnsupportedOp, VerifyError
from ..ir import ArrayAttr, DictAttr, Module, Op, Region, SymbolAttr, about
from ..ir.rewrite import Rewriter, clone_region, rewrite_functions
from ..ops import OPS, Trait, has
from ..ops.build import stablehlo
from ..rules.registry import rule_name


def with_regions(module: Module) -> Module:
    """A module whose carried ops are ops.

    Raises:
        UnsupportedOp: a region's function is not in the module.
        VerifyError: the op has another number of regions.
    """
    if not any(map(is_carried, module.walk())):
        return module

    active: list[str] = []  # the functions whose bodies are being rewritten as regions

    def replaced(rewriter: Rewriter, op: Op) -> list[Op] | None:
        """A rewriter's hook."""
        if not is_carried(op):
            return None
        row, symbols = OPS[rule_name(op)], called(op)
        with about(op):
            regions, count = called_bodies(module, op), len(row.regions)
            if len(regions) != count:
                raise VerifyError(
                    f"has {len(regions)} called_computations, expected {count}, the regions of {row.name}"
                )
            if again := [symbol for symbol in symbols if symbol in active]:
                raise VerifyError(f"@{again[0]} calls itself; StableHLO has no recursion")
        attributes = op.attributes.get("mhlo.attributes")
        items = attributes.items if isinstance(attributes, DictAttr) else {}
        active.extend(symbols)
        ops = [rewriter.clone(replace(op, name=row.name, attributes=items, regions=regions))]
        del active[len(active) - len(symbols) :]
        return ops

    return rewrite_functions(module, replaced)


def is_carried(op: Op) -> bool:
    return has(op, Trait.CUSTOM) and (row := OPS.get(rule_name(op))) is not None and bool(row.regions)


def called(op: Op) -> list[str]:
    """The names of the functions that a custom call calls."""
    symbols = op.attributes.get("called_computations")
    items = symbols.items if isinstance(symbols, ArrayAttr) else ()
    return [symbol.names[-1] for symbol in items if isinstance(symbol, SymbolAttr)]


def called_bodies(module: Module, op: Op) -> tuple[Region, ...]:
    """The bodies of the functions that a custom call names, as regions of an op."""
    regions = []
    for symbol in called(op):
        function = module.functions.get(symbol)
        if function is None or function.body is None:
            raise UnsupportedOp(f"there is no function @{symbol} in this module")
        body = clone_region(function.body)
        if not body.ops or not has(body.ops[-1], Trait.TERMINATOR):
            raise VerifyError(f"the body of @{symbol} does not end with a return")
        *ops, last = body.ops
        regions.append(replace(body, ops=(*ops, stablehlo.return_.op(last.operands, (), last.location))))
    return tuple(regions)
