"""`hlo2tiny convert`: writing a program of any format as text, with weights inside it or in a file."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BinarySource, InputError, printable_name
from ..formats import HEAD, folder_of, is_plain_text, read, safetensors, sidecar
from ..formats.artifact import Artifact, Signature, Stored
from ..ir import DenseAttr, Function, Module, Op, Region, TensorType, TokenType, Value, walk
from ..ir.dtypes import expect_tensor, numpy_dtype
from ..ir.entry import MAIN, entry_function, named_functions, reachable, with_main
from ..ir.printer import print_file
from ..ir.rewrite import Rewriter
from ..ops import Trait, has
from ..ops.build import stablehlo
from ..output import expect_writable, written
from ..program.arguments import name_arguments
from ..program.calling import calling_of, weights_by_name, weights_mismatch
from ..program.interface import argument_names
from ..program.training import Request
from ..specialise.quantisation import quantise
from .derivation import ShapesOf, derive_artifact, request_of
from .inputs import gather_inputs, known_shapes, load_with_progress
from .terminal import show, show_sizes, waiting

# With `split`, constants of fewer bytes stay in the text.
LARGE = 1 << 12


def convert(
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    bake: str | PathLike[str] | bool = False,
    split: str | PathLike[str] | None = None,
    entry: str | None = None,
    quantize: str | None = None,
    group: int | None = None,
    request: Request | None = None,
    shapes_of: ShapesOf = lambda arguments, names: [],
) -> list[Path]:
    """Write a program as text, which is called in the same way. Of several platforms, the CPU's variant is written.

    Args:
        source: a program in any format that `load` takes.
        target: the text to write, such as model.mlir. Next to it, model.mlir.json says how to call it, and
            model.safetensors has the weights that the source has in files.
        bake: a .safetensors file with weights by argument name, which become constants; True for the source's own
            weights.
        split: a .safetensors file to write in the folder of the text, to which large constants are moved.
        entry: the function that calls run, if the file has several; the text has the functions that it needs.
        quantize: "int8" or "int4": the weights of matrix products become narrow numbers with scales.
        group: how many numbers share a scale; None: a whole column in int8, and 64 in int4 where that divides it.
        request: write the program of a gradient or of a training step instead; the parameters that had values in files
            then are in model.safetensors, by name.
        shapes_of: for a request, the shapes of the arguments if the file leaves some open.

    Returns:
        The files written.

    Raises:
        InputError: a file cannot be read or written, or the weights are not the program's.
        Error: the source is not a program, as for `load`.
    """
    text_path = Path(target)
    expect_writable(text_path)
    weights_path = text_path.with_suffix(".safetensors") if split is None else Path(split)
    if weights_path.parent.resolve() != text_path.parent.resolve():
        raise InputError(f"{weights_path}: the weights file must be in the same folder as {text_path}")
    if split is not None:
        expect_writable(weights_path)
    if weights_path == text_path:
        raise InputError(f"{text_path}: the text and the weights need different files")
    artifact = embed_weights(source, entry) if bake is True else read(source, "CPU", entry)
    if not isinstance(bake, bool):
        artifact = bake_weights(artifact, weights_of(artifact, bake))
    arrays, parameters = own_weights(artifact, source, entry), dict[str, np.ndarray]()
    if request is not None:
        derived = derive_artifact(artifact, arrays, request, shapes_of)
        artifact, arrays, parameters = derived.artifact, derived.arrays, derived.parameters
    apart = split is not None
    if quantize is not None:
        # Weights are quantised as constants, which go back into a file if they were in one.
        artifact, apart, arrays = bake_weights(artifact, arrays), apart or bool(arrays), {}
        artifact = replace(artifact, module=quantise(artifact.module, quantize, group))
    if apart:
        artifact, constants = without_constants(artifact, LARGE)
        arrays |= constants
    names = unlike(tensor_names(artifact)[number] for number in arrays)
    stored = artifact.signature.bound
    bound = {
        number: Stored(weights_path.name, name, number not in stored or stored[number].weight)
        for number, name in zip(arrays, names)
    }
    signature = replace(artifact.signature, bound=bound)
    text = text_of(artifact.module)
    needs_sidecar = signature.to_json() != Signature().to_json()
    if needs_sidecar:
        sidecar.expect_ours(text_path)
    if stored_arrays := {**dict(zip(names, arrays.values())), **parameters}:
        safetensors.write(weights_path, stored_arrays)
    files = [text_path, *([weights_path] if stored_arrays else [])]
    if needs_sidecar:
        sidecar.write(text_path, text, signature)
        return [*files, sidecar.path_of(str(text_path))]
    sidecar.remove(text_path)
    with written(text_path) as file:
        file.write(text)
    return files


def embed_weights(source: str | PathLike[str], entry: str | None, device: str = "CPU") -> Artifact:
    """A program with its own weights as constants; of several platforms, the device's variant is taken."""
    artifact = read(source, device, entry)
    return bake_weights(artifact, own_weights(artifact, source, entry))


def text_for_xla(source: Path, folder: Path) -> Path:
    """A program's text, with its weights and a main function @main: the source itself, or a new file in the folder."""
    artifact = read(source, "CPU")
    plain = not artifact.signature.bound and entry_function(artifact.module).name == MAIN
    if plain and not isinstance(artifact.module.source, BinarySource):
        with open(source, "rb") as file:
            if is_plain_text(file.read(HEAD)):
                return source
    path = folder / f"{source.stem}.mlir"
    path.write_bytes(text_of(with_main(bake_weights(artifact, own_weights(artifact, source)).module)))
    return path


def text_of(module: Module) -> bytes:
    return print_file(module, locations=True)


def own_weights(artifact: Artifact, source: str | PathLike[str], entry: str | None = None) -> dict[int, np.ndarray]:
    """The weights that a program has in files, by the number of the argument."""
    folder = folder_of(source, entry)
    return {number: stored.read(folder) for number, stored in artifact.signature.bound.items()}


def weights_of(artifact: Artifact, path: str | PathLike[str]) -> dict[int, np.ndarray]:
    """The arrays of a .safetensors file, by the number of the argument that each is for."""
    arrays = safetensors.read(path)
    results = len(tensors(entry_function(artifact.module).type.results))
    calling = calling_of(artifact.signature, tensor_names(artifact), results)
    bound = [number for number, stored in artifact.signature.bound.items() if stored.weight]
    numbers, problems = weights_by_name(arrays, calling, bound)
    if problems:
        raise weights_mismatch(path, problems)
    return {number: arrays[key] for key, number in numbers.items()}


def unlike(names: Iterable[str]) -> list[str]:
    """The names, with numbers added to those that are repeated or empty."""
    distinct: dict[str, None] = {}
    for name in names:
        number, unique = 0, name or "weights0"
        while unique in distinct:
            number += 1
            unique = f"{name or 'weights'}{number}"
        distinct[unique] = None
    return list(distinct)


def tensors(types: Sequence[object]) -> list[int]:
    """The positions of the types that are not tokens."""
    return [i for i, type in enumerate(types) if not isinstance(type, TokenType)]


def tensor_names(artifact: Artifact) -> list[str]:
    """The names of main's arguments, except for tokens."""
    main = entry_function(artifact.module)
    names = argument_names(artifact.module, main)
    names = [names[i] for i in tensors(main.type.inputs)]
    others = artifact.signature.names
    return [name or other for name, other in zip(names, others)] if others else names


# ---------------------------------------------------------------- in


def bake_weights(artifact: Artifact, arrays: Mapping[int, np.ndarray]) -> Artifact:
    """The program with arguments replaced by constants.

    Raises:
        InputError: an array does not have its argument's type.
    """
    if not arrays:
        return artifact
    main, signature = entry_function(artifact.module), artifact.signature
    names, indices = tensor_names(artifact), tensors(main.type.inputs)
    constants = []
    for number, array in arrays.items():
        value = main.code.arguments[indices[number]]
        type = expect_tensor(value.type)
        if array.shape != type.shape or array.dtype != numpy_dtype(type.element):
            raise InputError(f"{names[number]} is {array.dtype}{list(array.shape)}, expected {type}")
        location = main.location.named(names[number]) if names[number] else main.location
        constants.append(stablehlo.constant.op((), [value], location, value=DenseAttr(type, array)))
    left = calling_of(signature, names, len(tensors(main.type.results))).without(arrays)
    baked = {indices[number] for number in arrays}
    positions = [i for i in range(len(main.type.inputs)) if i not in baked]
    body = main.code
    main = replace(
        main,
        body=replace(body, arguments=tuple(body.arguments[i] for i in positions), ops=(*constants, *body.ops)),
        type=replace(main.type, inputs=tuple(main.type.inputs[i] for i in positions)),
        argument_attributes=tuple(main.argument_attributes[i] for i in positions),
    )
    others = [number for number in range(len(names)) if number not in arrays]
    signature = replace(
        signature,
        inputs=left.inputs,
        bound={others.index(number): stored for number, stored in signature.bound.items() if number not in arrays},
        kept=None if left.inputs is None else [left.positions.index(n) for n in left.free if n not in arrays],
        names=[signature.names[number] for number in others] if signature.names else (),
        dimensions=[signature.dimensions[number] for number in others] if signature.dimensions else (),
    )
    module = replace(artifact.module, functions={**artifact.module.functions, main.name: main})
    return Artifact(module, signature)


# ---------------------------------------------------------------- out


def without_constants(artifact: Artifact, least: int) -> tuple[Artifact, dict[int, np.ndarray]]:
    """The program with constants of at least `least` bytes replaced by main's arguments, and their values by number."""
    module, signature = artifact.module, artifact.signature
    main = entry_function(module)
    splitter = Splitter(module, least)
    for name in module.functions:
        splitter.collect(name)
    constants = list(splitter.needed[main.name])
    first = len(tensors(main.type.inputs))
    names: Sequence[str] = [*(signature.names or [""] * first), *map(splitter.name, constants)]
    dimensions = [*signature.dimensions, *([()] * len(constants))] if signature.dimensions else ()
    functions = {name: splitter.rewritten(function) for name, function in module.functions.items()}
    arrays = {first + i: array for i, op in enumerate(constants) if (array := splitter.constant(op)) is not None}
    signature = replace(signature, names=names if constants else signature.names, dimensions=dimensions)
    return Artifact(replace(module, functions=functions), signature), arrays


class Splitter:
    """Turns constants into arguments of functions, which callers pass on."""

    def __init__(self, module: Module, least: int) -> None:
        self.module, self.least = module, least
        # The constants of each function and of the functions that it calls, in order.
        self.needed: dict[str, dict[Op, None]] = {}
        # Functions that keep their constants: those with blocks, those named by an op other than a call, and those
        # that they call.
        kept = [name for op in module.walk() if op.name != "func.call" for name in named_functions([op])]
        kept += [f.name for f in module.functions.values() if f.body is not None and f.body.blocks]
        self.fixed = reachable(module.functions, kept)

    def constant(self, op: Op) -> np.ndarray | None:
        """The value of a large constant; None for other ops."""
        value = op.attributes.get("value")
        if not has(op, Trait.CONSTANT) or not isinstance(value, DenseAttr) or value.splat:
            return None
        large = value.data.nbytes >= self.least and value.data.dtype in safetensors.NAMES
        return value.data if large and isinstance(op.results[0].type, TensorType) else None

    def name(self, op: Op) -> str:
        value = op.attributes["value"]
        return (value.resource if isinstance(value, DenseAttr) else None) or op.location.name or "constant"

    def collect(self, name: str) -> Mapping[Op, None]:
        """The constants that a function needs, which are added to `needed`."""
        if name in self.needed:
            return self.needed[name]
        constants = self.needed[name] = {}  # a function that calls itself cannot run, and needs none
        function = self.module.functions.get(name)
        if function is not None and function.body is not None and name not in self.fixed:
            for op in walk(function.body):
                if self.constant(op) is not None:
                    constants[op] = None
                elif op.name == "func.call":
                    for callee in named_functions([op]):
                        constants.update(self.collect(callee))
        return constants

    def rewritten(self, function: Function) -> Function:
        needed = self.needed[function.name]
        if not needed or function.body is None:
            return function
        new = {op: Value(f"constant{i}", op.results[0].type, op.location) for i, op in enumerate(needed)}

        def rewrite(rewriter: Rewriter, op: Op) -> list[Op] | None:
            if op.name != "func.call":
                return [] if op in new else None
            added = [new[constant] for callee in named_functions([op]) for constant in self.needed.get(callee, ())]
            return [rewriter.clone(op, operands=(*rewriter.lookup(op.operands), *added))]

        rewriter = Rewriter({op.results[0]: value for op, value in new.items()}, rewrite)
        body = Region((*function.body.arguments, *new.values()), tuple(rewriter.ops(function.body.ops)))
        return replace(
            function,
            body=body,
            type=replace(function.type, inputs=tuple(v.type for v in body.arguments)),
            argument_attributes=(*function.argument_attributes, *({} for _ in new)),
        )


def run(options: argparse.Namespace) -> int:
    if options.text.endswith(".safetensors"):
        raise InputError(f"{options.text}: expected the name of the text to write, OUT.mlir")
    if options.quantize is None and options.group is not None:
        raise InputError("--group needs --quantize")
    request = request_of(options)
    bake, quantize = options.bake or False, options.quantize
    if quantize is not None:
        options.weights = bake if isinstance(bake, str) else None
        program = load_with_progress(options.file, options, "CPU")
        inputs = gather_inputs(program.inputs, options)
        expected = program.numpy_one_by_one(inputs)
    with waiting(f"converting {Path(options.file).name}"):
        how = {"split": options.split, "entry": options.entry, "quantize": quantize, "group": options.group}
        how |= {"request": request, "shapes_of": partial(known_shapes, sizes=options.shape)}
        files = convert(Path(options.file), Path(options.text), bake=bake, **how)
    show_sizes(files)
    if quantize is not None:
        options.weights = options.entry = None
        found = load_with_progress(options.text, options, "CPU").numpy_one_by_one(inputs)
        for name, a, b in zip(unlike(name_arguments(program.outputs, "out")), found, expected):
            show(f"{printable_name(name)}: {error_text(a, b)}")
    return 0


def error_text(found: np.ndarray, expected: np.ndarray) -> str:
    """The largest and the mean difference of two arrays, and the largest number."""
    if not expected.size:
        return "empty"
    wide: Any = np.complex128 if expected.dtype.kind == "c" else np.float64
    a, b = found.astype(wide), expected.astype(wide)
    with np.errstate(all="ignore"):
        errors = np.where(a == b, 0, np.abs(a - b))
    return f"largest error {errors.max():.3g}, mean error {errors.mean():.3g}, of numbers up to {np.abs(b).max():.3g}"
