"""Writing a program with shardings as the program that each of several devices runs, through XLA's partitioner."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from os import PathLike
from pathlib import Path

import numpy as np

from ..errors import InputError, about_file, count_text
from ..formats import ProgramFile, read_contents, sidecar
from ..formats.artifact import Artifact
from ..ir import (
    Attribute,
    DenseAttr,
    DialectAttr,
    Function,
    Module,
    Op,
    Region,
    ScalarType,
    StringAttr,
    TensorType,
    Type,
    Value,
)
from ..ir.dtypes import expect_tensor
from ..ir.entry import entry_function, with_main
from ..ir.printer import print_file
from ..ir.rewrite import Rewriter
from ..ir.sharding import Mesh, Sharding, groups_along, parse_shardings, parse_tiles, read_part
from ..ops.attributes import plain
from ..ops.build import stablehlo
from ..program import Program, load
from ..specialise.localise import ANNOTATE, CUT, JOIN, MANUAL, has_manual, meshes_of, tiles_of

# How far results may be from those of the unsharded program, relative to the largest: sums are in another order.
TOLERANCES = {2: 3e-2, 4: 1e-4, 8: 1e-9}


def partition(source: str | PathLike[str], path: str | PathLike[str], devices: int, entry: str | None = None) -> Path:
    """Write a program with shardings, such as one of `jax.jit`, as one with explicit collectives for several devices.

    XLA's partitioner makes it. Before it is written, its results are compared with those of the program itself.

    Args:
        source: the program, whose arguments and results may have shardings on a mesh of that many devices.
        path: the file to write.
        devices: how many there are.
        entry: the function that calls run, if the file has several.

    Returns:
        The path.

    Raises:
        InputError: JAX is not installed, XLA cannot partition the program, the mesh does not fit, or results differ.
    """
    file, target = ProgramFile(source, entry), Path(path)
    artifact = file.read("CPU")
    if artifact.signature.bound and file.folder.resolve() != target.parent.resolve():
        raise InputError(
            f"{path}: the program has weights in files next to it, so write it to the folder {file.folder}"
        )
    module = with_main(artifact.module)
    with about_file(module.source):
        text = print_file(wrap_in_computation(module, devices))
    expect_same(artifact, text, devices)
    sidecar.write(target, text, artifact.signature)
    return target


def wrap_in_computation(module: Module, devices: int) -> Module:
    """A module whose main function is one manual computation, which holds what each device runs."""
    main, meshes = entry_function(module), meshes_of(module)
    names = [name for name, mesh in meshes.items() if mesh.size == devices and mesh.axes]
    tiles = {sharding.mesh.size for op in module.walk() if (sharding := tiles_of(op)) is not None}
    annotated = zip((*main.type.inputs, *main.type.results), (*main.argument_attributes, *main.result_attributes))
    tiles |= {
        sharding.mesh.size
        for type, attributes in annotated
        if (sharding := declared_tiles(type, attributes)) is not None
    }
    if not names and devices not in tiles:
        sizes = ", ".join(f"{axis}={size}" for mesh in meshes.values() for axis, size in mesh.axes)
        found = f"its mesh is {sizes}" if sizes else "it has no mesh"
        if tiles:
            found = f"they are on {count_text(max(tiles), 'device')}"
        raise InputError(f"the program has no shardings on {count_text(devices, 'device')}: {found}", module.source)
    # Values without a sharding stay whole; otherwise the partitioner would choose one.
    name = "sdy.sharding" if names else "mhlo.sharding"
    declared = [
        tuple(
            {name: whole_sharding(type, names[0]) if names else StringAttr("{replicated}"), **own}
            for type, own in zip(types, attributes)
        )
        for types, attributes in (
            (main.type.inputs, main.argument_attributes),
            (main.type.results, main.result_attributes),
        )
    ]
    main = replace(main, argument_attributes=declared[0], result_attributes=declared[1])
    module = replace(module, functions={**module.functions, main.name: main})
    partitioned, channels = run_partitioner(module, devices, "shardy" if names else "gspmd")
    local = read_contents(partitioned, "the partitioned program").module
    inner = entry_function(local)
    if len(inner.type.results) != len(main.type.results) or len(inner.type.inputs) != len(main.type.inputs):
        raise InputError("XLA's partitioner changed the number of arguments or results", module.source)
    local_meshes = meshes_of(local)

    def with_numbers(rewriter: Rewriter, op: Op) -> list[Op] | None:
        """A rewriter's hook: groups along the axes of a mesh become lists of devices; copies are left out."""
        if op.name == "mhlo.copy":
            rewriter.values.update(zip(op.results, rewriter.lookup(op.operands)))
            return []
        groups = op.attributes.get("replica_groups")
        if not isinstance(groups, DialectAttr):
            return None
        handle = plain(op.attributes.get("channel_handle")) or {}
        written = channels.get(str(handle.get("handle", 0)))
        rows = np.array(groups_along(str(groups), local_meshes) if written is None else read_groups(written))
        listed = DenseAttr(TensorType(rows.shape, ScalarType("i64")), rows)
        return [rewriter.clone(op, attributes={**op.attributes, "replica_groups": listed})]

    def rewritten(region: Region) -> Region:
        return Rewriter(hook=with_numbers).region(region)

    body = rewritten(inner.code)
    if names:
        ops, results = shardys_computation(main, inner, body, names[0], meshes)
    else:
        ops, results = gspmds_computation(main, inner, body)
    functions: dict[str, Function] = {
        name: replace(function, body=None if function.body is None else rewritten(function.body), visibility="private")
        for name, function in local.functions.items()
        if function is not inner
    }
    end = replace(main.code.ops[-1], operands=results)
    functions[main.name] = replace(main, body=Region(main.code.arguments, (*ops, end)))
    return replace(module, functions=functions)


def shardys_computation(
    main: Function, inner: Function, body: Region, mesh: str, meshes: Mapping[str, Mesh]
) -> tuple[Sequence[Op], tuple[Value, ...]]:
    """The op that runs a body on shards of main's arguments, and its results."""
    declared = main.argument_attributes, main.result_attributes
    given = shardings_text(main.type.inputs, declared[0], inner.type.inputs, mesh, meshes)
    returned = shardings_text(main.type.results, declared[1], inner.type.results, mesh, meshes)
    axes = ", ".join(f'"{axis}"' for axis, _ in meshes[mesh].axes)
    attributes = {
        "in_shardings": DialectAttr("sdy", "sharding_per_value", {}, given),
        "out_shardings": DialectAttr("sdy", "sharding_per_value", {}, returned),
        "manual_axes": DialectAttr("sdy", "", {}, f"manual_axes{{{axes}}}"),
    }
    *ops, last = body.ops
    body = Region(body.arguments, (*ops, replace(last, name="sdy.return")))
    results = tuple(Value("", type) for type in main.type.results)
    return [Op(MANUAL, main.code.arguments, results, attributes, (body,), main.location)], results


def gspmds_computation(main: Function, inner: Function, body: Region) -> tuple[Sequence[Op], tuple[Value, ...]]:
    """A body between GSPMD's custom calls, which make shards of main's arguments and the reverse, and its results."""
    ops: list[Op] = []

    def call(target: str, value: Value, type: Type, sharding: Attribute) -> Value:
        attributes = {"call_target_name": StringAttr(target.removeprefix("@")), "mhlo.sharding": sharding}
        ops.append(stablehlo.custom_call.op((value,), (Value("", type),), main.location, (), **attributes))
        return ops[-1].results[0]

    expect_shards(main.type.inputs, main.argument_attributes, inner.type.inputs)
    expect_shards(main.type.results, main.result_attributes, inner.type.results)
    rewriter = Rewriter()
    for value, attributes, argument in zip(main.code.arguments, main.argument_attributes, body.arguments):
        held = call(ANNOTATE, value, value.type, attributes["mhlo.sharding"])
        rewriter.values[argument] = call(CUT, held, argument.type, StringAttr("{manual}"))
    *inside, last = body.ops
    ops += rewriter.ops(inside)
    returned = zip(rewriter.lookup(last.operands), main.type.results, main.result_attributes)
    results = tuple([call(JOIN, value, type, attributes["mhlo.sharding"]) for value, type, attributes in returned])
    return ops, results


def expect_shards(types: Sequence[Type], attributes: Sequence[Mapping[str, Attribute]], parts: Sequence[Type]) -> None:
    for number, (type, own, part) in enumerate(zip(types, attributes, parts)):
        whole, found, sharding = expect_tensor(type), expect_tensor(part).shape, declared_tiles(type, own)
        if found != (whole.shape if sharding is None else sharding.shape(whole.shape)):
            shards = f"value {number} of type {whole} has shards of {found}"
            raise InputError(f"{shards}, but its sharding is {plain(own['mhlo.sharding'])}")


def declared_tiles(type: Type, attributes: Mapping[str, Attribute]) -> Sharding | None:
    """The sharding of an argument or result in GSPMD's notation; None if it stays whole."""
    text = attributes.get("mhlo.sharding")
    return parse_tiles(text.value, len(expect_tensor(type).shape)) if isinstance(text, StringAttr) else None


def whole_sharding(type: Type, mesh: str) -> DialectAttr:
    return DialectAttr("sdy", "sharding", {}, f"@{mesh}, [{', '.join(['{}'] * len(expect_tensor(type).shape))}]")


def shardings_text(
    types: Sequence[Type],
    attributes: Sequence[Mapping[str, Attribute]],
    local: Sequence[Type],
    mesh: str,
    meshes: Mapping[str, Mesh],
) -> str:
    """The shardings of arguments or results, in Shardy's text for a list of them."""
    listed = []
    for number, (type, own, part) in enumerate(zip(types, attributes, local)):
        whole, found = expect_tensor(type), expect_tensor(part).shape
        declared = own["sdy.sharding"]
        assert isinstance(declared, DialectAttr)
        (sharding,) = parse_shardings(declared.text, meshes)
        if sharding.is_whole:
            declared = whole_sharding(type, mesh)
            (sharding,) = parse_shardings(declared.text, meshes)
        if sharding.shape(whole.shape) != found:
            shards = f"value {number} of type {whole} has shards of {found}"
            raise InputError(f"{shards}, but its sharding is <{declared.text}>")
        listed.append(f"<{declared.text}>")
    return f"[{', '.join(listed)}]"


HLO_MESH = re.compile(r"mesh\[(?P<axes>.*?)\](?:, device_ids=\((?P<devices>[^{]*)\))?\s*\{(?P<along>.*)\}")
HLO_AXIS = re.compile(r"'([^']*)'(?:=(\d+))?(?::\((\d+)\)(\d+))?")


def read_groups(text: str) -> Sequence[Sequence[int]]:
    """Groups of devices in XLA's text: mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'a':(2)2}."""
    match = HLO_MESH.fullmatch(text)
    if match is None:
        raise InputError(f"XLA's partitioner wrote groups that cannot be read: {text[:120]}")
    axes = tuple((axis, int(size)) for axis, size, *_ in HLO_AXIS.findall(match["axes"]))
    count = prod(size for _, size in axes)
    lists = [[int(n) for n in part.split(",")] for part in re.findall(r"\d+(?:,\d+)*", match["devices"] or "")]
    if not lists:
        numbers = np.arange(count)
    elif "[" in match["devices"]:
        sizes, *order = lists
        numbers = np.arange(count).reshape(sizes).transpose(*order)
    else:
        numbers = np.array(lists[0])
    mesh = Mesh(axes, tuple(numbers.ravel().tolist()))
    parts = tuple(read_part(mesh, axis, before, size) for axis, _, before, size in HLO_AXIS.findall(match["along"]))
    return mesh.groups(parts)


def run_partitioner(module: Module, devices: int, notation: str) -> tuple[bytes, dict[str, str]]:
    """What each device runs, as MLIR bytecode, and the groups of its collectives by channel, as XLA writes them."""
    from .tracing import jax_module

    jax_module()
    command = [sys.executable, "-m", "hlo2tiny.from_jax.partitioner", str(devices), notation]
    text = print_file(module)
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"status {done.returncode}"]
        raise InputError(f"XLA cannot partition the program: {lines[-1][:500]}", module.source)
    groups, _, partitioned = done.stdout.partition(b"\n")
    return partitioned, json.loads(groups)


def expect_same(artifact: Artifact, text: bytes, devices: int) -> None:
    """Compare a partitioned program with the program itself on made-up arguments.

    Raises:
        InputError: a result differs.
    """
    names = tuple(f"CPU:{i}" for i in range(devices))
    whole = Program(artifact.module, "CPU") if not has_manual(artifact.module) else load(str(artifact.module), names)
    generator = np.random.RandomState(0)
    arrays = [made_up(a.shape, a.dtype, generator) for a in whole.inputs]
    ours = load(text, names).numpy_one_by_one(arrays)
    for number, (found, expected) in enumerate(zip(ours, whole.numpy_one_by_one(arrays))):
        same = np.array_equal(found, expected)
        if not same and expected.dtype.kind in "fcV" and found.shape == expected.shape:
            wide = np.complex128 if expected.dtype.kind == "c" else np.float64
            a, b = found.astype(wide), expected.astype(wide)
            size = expected.dtype.itemsize // (2 if expected.dtype.kind == "c" else 1)
            scale = np.abs(b[np.isfinite(b)]).max(initial=0.0)
            close = np.isclose(a, b, rtol=0, atol=TOLERANCES.get(size, 0.5) * scale, equal_nan=True)
            same = bool(close.all())
        if not same:
            raise InputError(
                f"result {number} of the partitioned program differs from the program's own; nothing is written"
            )


def made_up(shape: tuple[int | None, ...], dtype: np.dtype, generator: np.random.RandomState) -> np.ndarray:
    """Small random numbers of a dtype."""
    sizes = [size for size in shape if size is not None]
    if len(sizes) < len(shape):
        raise InputError("the program has open dimensions; export it with sizes to write it for several devices")
    if dtype.kind in "biu" or "int" in dtype.name:
        return generator.randint(0, 2, sizes).astype(dtype)
    values = generator.standard_normal(sizes)
    return np.asarray(values + 1j * generator.standard_normal(sizes) if dtype.kind == "c" else values).astype(dtype)
