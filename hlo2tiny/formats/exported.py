"""Files of `jax.export.Exported.serialize()`: flatbuffers around a module, read without JAX.

The schema is jax/_src/export/serialization.fbs, whose versions (1 to 12 so far) have added fields and never moved one.
The calling convention is that of https://docs.jax.dev/en/latest/export/export.html, versions 6 to 10: main takes the
platform's number if there are several platforms, tokens for the ordered effects, and the function's arguments that it
reads.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from ..errors import ParseError, UnsupportedOp, VerifyError
from ..ir import Function, IntegerAttr, Module, TensorType, TokenType, Type
from ..trees import LEAF, NONE, Tree
from ..versions import __version__
from .artifact import Artifact, Signature
from .bytecode import read_bytecode
from .flatbuffer import FlatBuffer, FlatTable
from .platforms import for_platform, platform_number

BYTECODE = b"ML\xefR"
# The numbers of the fields read here, table by table.
FUNCTION_NAME, IN_TREE, IN_AVALS, OUT_TREE, OUT_AVALS, DEVICES_SHORT, PLATFORMS = 1, 2, 3, 4, 5, 6, 9
MODULE, CONVENTION, KEPT, DEVICES, UNIQUE_AVALS, IN_AVAL_NUMBERS, OUT_AVAL_NUMBERS = 13, 14, 15, 18, 19, 22, 23
JAX_VERSION = 26
KIND, CHILDREN, NAMES, CUSTOM_NAME, CUSTOM_DATA = range(5)  # PyTreeDef
SHAPE = 1  # AbstractValue
CONVENTIONS = range(6, 11)
LONGEST_CUSTOM_DATA = 1 << 20


def is_exported(data: bytes) -> bool:
    """Whether a file was written by jax.export; it may be damaged after its header."""
    try:
        root = FlatBuffer(data, "").root()
        at = root.target(MODULE, "")
        return bool(at) and data[at + 4 : at + 8] == BYTECODE
    except ParseError:
        return False


def read_exported(data: bytes, path: str, device: str | None = None) -> Artifact:
    """Read an exported function, for one device if it was exported for several platforms.

    Raises:
        ParseError: the file is damaged, or its calling convention is unknown.
        UnsupportedOp: it was exported for several devices that each take a part of the arguments.
    """
    buffer = FlatBuffer(data, path)
    buffer.expect_whole()
    root = buffer.root()
    name = root.string(FUNCTION_NAME, "the function's name")
    convention = root.number(CONVENTION, "H", "calling_convention_version")
    if convention not in CONVENTIONS:
        cure = "export the function with jax.export of jax 0.4.22 or later"
        if convention > CONVENTIONS[-1]:
            jax = root.string(JAX_VERSION, "the version of jax")
            cure = (
                f"update hlo2tiny, which is {__version__}{f', for a file of jax {jax}' if jax else ''}; or export the"
            )
            cure += f" function with JAX_EXPORT_CALLING_CONVENTION_VERSION={CONVENTIONS[-1]}"
        root.fail(f"calling convention version {convention}, expected {CONVENTIONS[0]} to {CONVENTIONS[-1]}; {cure}")
    devices = root.number(DEVICES, "I", "nr_devices") or root.number(DEVICES_SHORT, "h", "nr_devices")
    inputs, outputs = (tree_of(root, field, what) for field, what in ((IN_TREE, "in_tree"), (OUT_TREE, "out_tree")))
    if [child.kind for child in inputs.children] != ["tuple", "dict"]:
        root.fail("in_tree does not hold positional and keyword arguments")
    platforms = list(root.strings(PLATFORMS, "platforms"))
    kept = root.numbers(KEPT, np.uint16, "module_kept_var_idx")
    if kept != sorted(set(kept)) or (kept and kept[-1] >= inputs.leaves):
        root.fail(f"module_kept_var_idx is {kept}, expected increasing numbers below {inputs.leaves}")
    what = "mlir_module_serialized"
    module = whole = read_bytecode(root.bytes(MODULE, what), path, root.target(MODULE, what) + 4)
    main = main_of(module)
    replicas = module.attributes.get("mhlo.num_replicas")
    if devices > 1 and isinstance(replicas, IntegerAttr) and replicas.value > 1:
        # Partitions of one program compute what one device would, unless an op says otherwise; replicas do not.
        raise UnsupportedOp(
            f"{name} was exported by pmap for {devices} devices, each with a part of the arguments, but hlo2tiny runs"
            " on one: export it with jit",
            root.buffer.source,
            root.at,
        )
    several = len(platforms) > 1
    arrays = [t for t in main.type.inputs if not isinstance(t, TokenType)]
    results = [t for t in main.type.results if not isinstance(t, TokenType)]
    if len(arrays) != several + len(kept) or len(results) != outputs.leaves:
        root.fail(
            f"main takes {len(arrays)} arrays and returns {len(results)}, but the file says that it takes"
            f" {several + len(kept)} ({len(platforms)} platforms, {len(kept)} arguments that are read) and returns"
            f" {outputs.leaves}"
        )
    if several:
        module = for_platform(module, main, platform_number(device, platforms))
        arrays = arrays[1:]
    names = leaf_names(inputs)
    dimensions: Sequence[Sequence[str]] = ()
    output_dimensions: Sequence[Sequence[str]] = ()
    if any(isinstance(type, TensorType) and None in type.shape for type in arrays):
        shapes = argument_shapes(root, IN_AVALS, IN_AVAL_NUMBERS, inputs.leaves)
        dimensions = fitting([shapes[leaf] for leaf in kept] if shapes else [], arrays)
        output_dimensions = fitting(argument_shapes(root, OUT_AVALS, OUT_AVAL_NUMBERS, outputs.leaves), results)
    names = [names[leaf] for leaf in kept]
    signature = Signature(inputs, outputs, {}, kept, names, dimensions, output_dimensions)
    return Artifact(module, signature, whole if several else None)


def main_of(module: Module) -> Function:
    main = module.functions.get("main")
    if main is None or main.body is None:
        raise VerifyError("the module has no function @main", module.source)
    return main


# ---------------------------------------------------------------- structures


def tree_of(root: FlatTable, field: int, what: str) -> Tree:
    table = root.table(field, what)
    if table is None:
        root.fail(f"there is no {what}")
    return tree(table)


def tree(table: FlatTable) -> Tree:
    """The structure of a PyTreeDef table."""
    kind = table.number(KIND, "b", "kind")
    children = tuple(tree(child) for child in table.tables(CHILDREN, table.what))
    if kind == 0 and not children:
        return LEAF
    if kind == 1 and not children:
        return NONE
    try:
        if kind in (2, 3):
            return Tree("tuple" if kind == 2 else "list", children)
        if kind == 4:
            return Tree("dict", children, tuple(table.strings(NAMES, "a key")))
        if kind == 5:
            name = table.string(CUSTOM_NAME, "a class's name")
            parts = fields(table, len(children))
            if parts is None:
                return Tree("custom", children, (), name)
            if name == "collections.OrderedDict":
                return Tree("dict", children, tuple(parts))
            return Tree("named", children, tuple(parts), name)
    except ValueError as error:
        table.fail(str(error))
    table.fail(f"a node of kind {kind} with {len(children)} children fits no structure")


def fields(table: FlatTable, count: int) -> Sequence[str] | None:
    """The names of a custom node's parts, as jax.export writes them for namedtuples; None if there are none."""
    data = table.bytes(CUSTOM_DATA, "the data of a class")
    if not data or len(data) > LONGEST_CUSTOM_DATA:
        return None
    try:
        names = json.loads(bytes(data))
    except (ValueError, RecursionError):
        return None
    valid = isinstance(names, list) and len(names) == count and all(isinstance(name, str) for name in names)
    return names if valid and len(set(names)) == count else None


def leaf_names(inputs: Tree) -> list[str]:
    """A name for each leaf of (args, kwargs), such as args[0]['w'] or x."""
    positional, keywords = inputs.children
    names = [f"args{path}" for path in positional.paths()]
    for key, child in zip(keywords.keys, keywords.children):
        names += child.paths(str(key))
    return names


# ---------------------------------------------------------------- shapes


def argument_shapes(root: FlatTable, field: int, number_field: int, count: int) -> list[list[str]]:
    """The dimensions of each argument or result as text; [] if the file does not list them all."""
    numbers = root.numbers(number_field, np.uint32, "numbers of avals")
    tables = root.tables(UNIQUE_AVALS if numbers else field, "avals")
    shapes = [list(table.strings(SHAPE, "a dimension")) for table in tables]
    if numbers and max(numbers) >= len(shapes):
        root.fail(f"there is no aval {max(numbers)}: the file has {len(shapes)}")
    shapes = [shapes[number] for number in numbers] if numbers else shapes
    return shapes if len(shapes) == count else []


def fitting(shapes: Sequence[Sequence[str]], types: Sequence[Type]) -> Sequence[Sequence[str]]:
    """The dimensions as the exporter wrote them; () for one that does not fit its type."""
    if len(shapes) != len(types):
        return ()
    return [s if isinstance(t, TensorType) and len(s) == len(t.shape) else () for s, t in zip(shapes, types)]
