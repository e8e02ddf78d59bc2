"""Digests of what ops compute, independent of the names of their values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

from ..ir import ArrayAttr, Attribute, DenseAttr, DictAttr, Op, Value

# Attributes with a prefix are discardable, except for those that rules of custom calls read.
CONFIGURATION = ("mhlo.backend_config", "mhlo.attributes")


def structure(ops: Sequence[Op], reads: Sequence[Value], writes: Sequence[Value]) -> str:
    """A digest of a region's ops, types and attributes, with values renumbered: equal regions have equal digests."""
    numbers: dict[Value, int] = {}
    digest = hashlib.sha256()

    def define(values: Iterable[Value]) -> str:
        for value in values:
            numbers.setdefault(value, len(numbers))
        return ",".join(f"{numbers[v]}:{v.type}" for v in values)

    def visit(op: Op) -> None:
        operands = ",".join(str(numbers[v]) for v in op.operands)
        relevant = ((n, a) for n, a in sorted(op.attributes.items()) if "." not in n or n in CONFIGURATION)
        # repr, as names come from files and may contain anything.
        attributes = repr([(n, attribute_key(a)) for n, a in relevant])
        digest.update(f"{op.name!r}({operands}){attributes}".encode("utf-8", "surrogatepass"))
        for region in op.regions:
            digest.update(f"[{define(region.arguments)}".encode())
            for inner in region.ops:
                visit(inner)
            digest.update(b"]")
        digest.update(f"->{define(op.results)}\n".encode())

    digest.update(define(reads).encode())
    for op in ops:
        visit(op)
    digest.update(",".join(str(numbers[v]) for v in writes).encode())
    return digest.hexdigest()


def attribute_key(attribute: Attribute) -> object:
    """An attribute as nested tuples of text, equal only for equal attributes (numpy's own text abbreviates arrays)."""
    match attribute:
        case DenseAttr(type, data, splat):
            data = data[(0,) * data.ndim] if splat and data.size else data
            return "dense", str(type), splat, np.ascontiguousarray(data).tobytes().hex()
        case ArrayAttr(items):
            return "array", *map(attribute_key, items)
        case DictAttr(items):
            return "dictionary", *((name, attribute_key(items[name])) for name in sorted(items))
    return repr(attribute)
