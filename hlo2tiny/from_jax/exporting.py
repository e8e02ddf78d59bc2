"""Writing a JAX function as a file that runs without JAX."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..errors import InputError
from ..formats import safetensors, sidecar
from ..formats.artifact import Signature, Stored
from ..output import expect_writable
from ..program.arguments import expect_no_mask
from ..program.bound import is_tensor
from ..program.calling import calling_of
from ..trees import Tree
from . import modules, tracing
from .partitioning import partition
from .tracing import Passed, Traced, is_array, is_key, jax_module


@modules.wide_for_modules
def export(
    function: Callable[..., Any],
    /,
    *args: Any,
    path: str | PathLike[str],
    weights: Literal["embed", "external"] | None = None,
    weight_argnums: int | Iterable[int] | None = None,
    weight_argnames: str | Iterable[str] = (),
    static_argnums: int | Iterable[int] = (),
    static_argnames: str | Iterable[str] = (),
    constraints: Sequence[str] = (),
    platform: str = "cpu",
    devices: int | None = None,
    **kwargs: Any,
) -> Path:
    """Write a JAX function, or a module of PyTorch, as a program that `load` runs without either.

    A second file, PATH.json, records the structure in which the function takes and returns its arrays.

    Args:
        function: what `jax.jit` takes, or a model that can be called. Arrays that a model holds go into the text, or
            next to it if weights are external. A model may also be a torch.nn.Module, which is exported as it is in
            `eval()` or `train()`, or a program of torch.export, whose own arguments are taken if none are given; these
            need torchax.
        *args: the arguments, in pytrees: arrays of JAX, numpy or PyTorch, Tensors, `jax.ShapeDtypeStruct`s, or strings
            that give a shape, such as "b, 28, 28, 1" (float32) and "int32[b, 2*t]". Named dimensions are open: each
            call decides their sizes. Leaves that are not arrays become part of the program.
        path: the file to write, for example model.mlir.
        weights: where the weights go. None: they are arguments like the others. "embed": they become constants in the
            text. "external": they go into a .safetensors file next to the text, where `load` finds them. A call passes
            the other arguments: `load("model.mlir")(x)`.
        weight_argnums: which arguments are weights, by position; by default the first one.
        weight_argnames: which arguments are weights, by name.
        static_argnums: which arguments are not arrays, by position, as in `jax.jit`; their values go into the program.
        static_argnames: which arguments are not arrays, by name.
        constraints: what is known about the named dimensions: ("b >= 2", "b <= 512").
        platform: the JAX platform for which the function is lowered.
        devices: write the program for this many devices, as `hlo2tiny partition` does. The function has shardings on a
            mesh of as many, which may be a `jax.sharding.AbstractMesh`.
        **kwargs: further arguments by name, like `args`.

    Returns:
        The path.

    Examples:
        >>> import jax.numpy as jnp, hlo2tiny
        >>> def model(params, x):
        ...     return {"y": jnp.tanh(x @ params["w"])}
        >>> params = {"w": np.ones((3, 2), np.float32)}
        >>> path = hlo2tiny.export(model, params, "b, 3", path=folder / "model.mlir", weights="external")
        >>> [file.name for file in sorted(folder.iterdir())]
        ['model.mlir', 'model.mlir.json', 'model.safetensors']
        >>> hlo2tiny.load(path).numpy(np.zeros((1, 3), np.float32))
        {'y': array([[0., 0.]], dtype=float32)}

    Raises:
        InputError: an argument is not what it should be, JAX is not installed, or a file cannot be written.
        Exception: what JAX raises for a function that it cannot trace.
    """
    if weights not in (None, "embed", "external"):
        raise InputError(f"weights={weights!r}, expected None, 'embed' or 'external'")
    file = Path(path)
    expect_writable(path)
    if file == weights_file(file):
        raise InputError(f"{file}: .safetensors is the suffix of weights; name the program model.mlir")
    sidecar.expect_ours(file)
    expect_writable(sidecar.path_of(str(file)))
    chooses = weight_argnums is not None or bool(weight_argnames)
    module, called = modules.is_module(function), function
    if module:
        called, args, kwargs, constraints = modules.call_of(function, args, kwargs, constraints)
    names = tracing.parameter_names(called, len(args))
    static = tracing.select(static_argnums, static_argnames, names)
    places: dict[Any, Any] = dict(enumerate(args)) | kwargs
    labels = {place: names[place] if isinstance(place, int) else place for place in places}
    dynamic = {place: value for place, value in places.items() if labels[place] not in static}
    for place, value in dynamic.items():
        for leaf in jax_module().tree.leaves(value):
            expect_no_mask(leaf, f"a leaf of {labels[place]}")
    places |= zip(dynamic, tracing.with_shapes(without_tensors(list(dynamic.values())), constraints))
    args, kwargs = tuple(places[i] for i in range(len(args))), {name: places[name] for name in kwargs}
    if module:
        function = modules.function_of_module(function, args, kwargs)
    model = not chooses and weights_of_model(function)
    if model and weights == "external":
        name, values, function = model
        args, names = (values, *args), [name, *names]
    arguments = tracing.pair_arguments(names, args, kwargs, static)
    if weights is None or (model and weights == "embed"):
        heavy: set[str] = set()
    elif not chooses:
        if len(arguments) < 2:
            raise InputError(
                "the function has only one argument; pass weight_argnums or weight_argnames if it is weights"
            )
        heavy = {arguments[0].name}
    else:
        numbers = () if weight_argnums is None else weight_argnums
        heavy = tracing.select(numbers, weight_argnames, names)
        if not heavy:
            raise no_argument(str(numbers), names)
    expect_arrays(heavy, arguments)
    if weights == "embed":
        arguments = [argument for argument in arguments if argument.name not in heavy]
    traced = tracing.trace(function, args, kwargs, arguments, platform)
    fixed = {labels[place]: f"{value!r:.200}" for place, value in places.items() if labels[place] in static}
    stored = stored_weights(file, heavy, arguments, traced) if weights == "external" else {}
    text = traced.text.encode("utf-8")
    sidecar.write(file, text, signature_of(arguments, traced, {i: s for i, (s, _) in stored.items()}, fixed))
    if stored:
        safetensors.write(weights_file(file), {s.key: array for s, array in stored.values()})
    if devices is not None:
        try:
            partition(file, file, devices)
        except BaseException:  # what was written is for one device
            sidecar.remove(file)
            file.unlink()
            raise
    return file


def without_tensors(values: Any) -> Any:
    """Arguments with arrays instead of Tensors, tinygrad's and PyTorch's."""
    tree = jax_module().tree
    if not any(is_tensor(leaf) or modules.is_tensor(leaf) for leaf in tree.leaves(values)):
        return values

    def array(leaf: Any) -> Any:
        if is_tensor(leaf):
            return tracing.tensor_value(leaf)
        return modules.array_of(leaf) if modules.is_tensor(leaf) else leaf

    return tree.map(array, values)


def weights_of_model(function: Any) -> tuple[str, Any, Callable[..., Any]] | None:
    """A name for the weights of a callable model, the weights, and a function of the weights and the model's arguments.

    None if the function is not a model, or does not show its weights.
    """
    if isinstance(function, modules.ModuleFunction):
        return "weights", function.weights, function.call
    if hasattr(function, "stateless_call") and hasattr(function, "non_trainable_variables"):  # Keras
        trained, others = function.trainable_variables, function.non_trainable_variables

        def call(variables: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
            parts = [[variables[v.path] for v in part] for part in (trained, others)]
            return function.stateless_call(*parts, *args, **kwargs)[0]

        return "variables", {v.path: v for v in (*trained, *others)}, call
    # Models of equinox and flax.nnx are pytrees themselves.
    if any(is_array(leaf) for leaf in jax_module().tree_util.tree_leaves(function)):
        return "model", function, lambda model, *args, **kwargs: model(*args, **kwargs)
    return None


def expect_arrays(heavy: Collection[str], arguments: Sequence[Passed]) -> None:
    """Check that weights have values."""
    known = {argument.name: argument for argument in arguments}
    for name in heavy:
        if name not in known:
            raise no_argument(repr(name), known)
        for path, leaf in known[name].named_arrays():
            if not isinstance(leaf, (int, float, complex)) and not hasattr(leaf, "__array__") and not is_key(leaf):
                raise InputError(f"{path}: weights need values, but this is only a shape: {leaf}")


def no_argument(name: str, names: Iterable[str]) -> InputError:
    return InputError(f"there is no argument {name} for weights; the function is called with {', '.join(names)}")


def weights_file(path: Path) -> Path:
    return path.with_suffix(".safetensors")


def stored_weights(
    path: Path, heavy: Collection[str], arguments: Sequence[Passed], traced: Traced
) -> dict[int, tuple[Stored, np.ndarray]]:
    """The location in a file and the value of each weight, by the number of main's argument."""
    leaves = [(name, leaf if arg.name in heavy else None) for arg in arguments for name, leaf in arg.named_arrays()]
    weights = {}
    for number, place in enumerate(traced.kept):
        (name, leaf), type = leaves[place], traced.types[place]
        if leaf is not None:
            array = np.asarray(jax_module().random.key_data(leaf) if hasattr(leaf, "dtype") and is_key(leaf) else leaf)
            weights[number] = Stored(weights_file(path).name, name), array if is_key(type) else array.astype(type.dtype)
    return weights


def signature_of(
    arguments: Sequence[Passed], traced: Traced, bound: Mapping[int, Stored], fixed: Mapping[str, str]
) -> Signature:
    """How the program is called."""
    names = [name for argument in arguments for name, _ in argument.named_arrays()]
    positional = Tree("tuple", tuple(a.tree() for a in arguments if isinstance(a.place, int)))
    keywords = {a.place: a.tree() for a in arguments if isinstance(a.place, str)}
    inputs = Tree("tuple", (positional, Tree("dict", tuple(keywords.values()), tuple(keywords))))
    signature = Signature(inputs, traced.outputs, {}, traced.kept, [names[leaf] for leaf in traced.kept])
    left = calling_of(signature, signature.names, len(traced.results)).without(bound)
    # A typed random key has one dimension fewer than its numbers in the file.
    sizes = [[str(d) for d in t.shape] * (not is_key(t)) for t in (traced.types[leaf] for leaf in traced.kept)]
    result_sizes = [[str(d) for d in t.shape] * (not is_key(t)) for t in traced.results]
    is_open = any(not size.isdigit() for shape in (*sizes, *result_sizes) for size in shape)
    return replace(
        signature,
        inputs=left.inputs,
        bound=bound,
        kept=[left.positions.index(number) for number in left.free],
        dimensions=sizes if is_open else (),
        output_dimensions=result_sizes if is_open else (),
        fixed=fixed,
    )
