"""Tracing a JAX function with jax.export. JAX is imported only inside functions, since it need not be installed."""

from __future__ import annotations

import contextlib
import inspect
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from ..errors import InputError
from ..program.bound import is_tensor
from ..records import dataclass
from ..trees import LEAF, NONE, Tree

SHAPE = re.compile(r"\s*(?:(\w+)\s*\[(.*)\]|(.*))\s*", re.DOTALL)


@dataclass(frozen=True, eq=False)
class Passed:
    """An argument of a call of a function."""

    name: str  # of the function's parameter
    place: int | str  # the argument's position, or its keyword
    leaves: Sequence[Any]  # those that are not arrays are `Static`
    structure: Any  # JAX's structure of the leaves

    def tree(self) -> Tree:
        return tree_of(self.structure.unflatten(self.leaves))

    def named_arrays(self) -> list[tuple[str, Any]]:
        """The arrays with their names: params['w']."""
        arrays = [leaf for leaf in self.leaves if not isinstance(leaf, Static)]
        return list(zip(self.tree().paths(self.name), arrays))


@dataclass(frozen=True)
class Static:
    """A value that is not an array, such as an activation function: it becomes part of the program."""

    value: Any

    def __str__(self) -> str:
        module, name = getattr(self.value, "__module__", ""), getattr(self.value, "__qualname__", "")
        return f"{module}.{name}" if name else repr(self.value)


@dataclass(frozen=True, eq=False)
class Traced:
    """A function as a program."""

    text: str  # StableHLO
    kept: Sequence[int]  # for each of main's arguments, the number of the array among all arrays of the call
    types: Sequence[Any]  # JAX's types of the call's arrays: shapes with symbolic dimensions, dtypes, weak types
    results: Sequence[Any]  # JAX's types of the results
    outputs: Tree  # the structure of the results
    structure: Any  # JAX's structure of the results


def jax_module() -> Any:
    """JAX; raises InputError if JAX is not installed."""
    try:
        import jax
        import jax.export  # noqa: F401
    except ImportError as error:
        raise InputError(f"this needs JAX: pip install 'hlo2tiny[jax]' ({error})") from error
    return jax


def parameter_names(function: Callable[..., Any], count: int) -> list[str]:
    """The names of a function's first `count` positional arguments: x, y, args[0], …"""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    names: list[str] = []
    for parameter in parameters:
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}[{i}]" for i in range(count - len(names))]
    return names + [f"args[{i}]" for i in range(len(names), count)]


def select(numbers: int | Iterable[int], names: str | Iterable[str], all_names: Sequence[str]) -> set[str]:
    """The names of the arguments that are selected by position or by name; as in JAX, either covers both."""
    numbers = [numbers] if isinstance(numbers, int) else numbers
    selected = {names} if isinstance(names, str) else set(names)
    return selected | {all_names[number] for number in numbers if -len(all_names) <= number < len(all_names)}


def pair_arguments(
    names: Sequence[str], args: Sequence[Any], kwargs: Mapping[str, Any], static: Collection[str]
) -> list[Passed]:
    """The arguments of a call that are not static, with their leaves."""
    flatten = jax_module().tree_util.tree_flatten
    places: list[tuple[str, int | str, Any]] = [(name, i, value) for i, (name, value) in enumerate(zip(names, args))]
    places += [(name, name, kwargs[name]) for name in sorted(kwargs)]  # in JAX's order
    arguments = []
    for name, place, value in places:
        if name not in static:
            leaves, structure = flatten(value)
            arguments.append(Passed(name, place, [x if is_array(x) else Static(x) for x in leaves], structure))
    return arguments


def is_array(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex)) or (hasattr(value, "shape") and hasattr(value, "dtype"))


def type_of(value: Any) -> Any:
    """The type with which JAX traces a value."""
    jax = jax_module()
    if isinstance(value, (bool, int, float, complex)):
        return jax.typeof(value)
    if is_tensor(value):
        dtype = jax.dtypes.canonicalize_dtype(tensor_dtypes()[value.dtype])
    elif is_key(value):
        dtype = value.dtype
    else:  # Keras has dtypes as strings
        dtype = jax.dtypes.canonicalize_dtype(jax.numpy.dtype(value.dtype))
    return jax.ShapeDtypeStruct(value.shape, dtype, weak_type=bool(getattr(value, "weak_type", False)))


def is_key(value: Any) -> bool:
    """Whether an array is a typed random key, such as jax.random.key(0)."""
    return str(value.dtype).startswith("key<")


def tensor_value(tensor: Any) -> np.ndarray:
    """A Tensor as an array of the same dtype."""
    from ..tinygrad.device import open_device
    from ..tinygrad.expressions import dtypes

    if isinstance(tensor.device, str):
        open_device(tensor.device)  # finds a compiler even if tinygrad does not
    dtype = tensor_dtypes()[tensor.dtype]
    if dtype.kind != "V":
        return np.asarray(tensor.numpy())
    bits = tensor.bitcast(dtypes.uint8 if dtype.itemsize == 1 else dtypes.uint16).numpy()
    return np.asarray(bits).view(dtype)


@cache
def tensor_dtypes() -> dict[Any, np.dtype]:
    """The dtypes of arrays by those of Tensors."""
    from ..tinygrad.expressions import dtypes

    names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
    return {getattr(dtypes, name): np.dtype(name) for name in names} | {
        dtypes.bfloat16: np.dtype(ml_dtypes.bfloat16),
        dtypes.fp8e4m3: np.dtype(ml_dtypes.float8_e4m3fn),
        dtypes.fp8e5m2: np.dtype(ml_dtypes.float8_e5m2),
    }


def trace(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    arguments: Sequence[Passed],
    platform: str = "cpu",
) -> Traced:
    """Trace a call of a function; values that are not in `arguments` become part of the program.

    Raises:
        InputError: JAX is not installed, or the function calls Python while it runs.
    """
    jax = jax_module()
    hide_frames()
    outputs: list[Tree] = []

    def main(*traced: Any, **named: Any) -> Any:
        actual, keywords = list(args), dict(kwargs)
        for argument, value in zip(arguments, [*traced, *named.values()]):
            if isinstance(argument.place, int):
                actual[argument.place] = with_static(argument, value)
            else:
                keywords[argument.place] = with_static(argument, named[argument.place])
        result = function(*actual, **keywords)
        outputs.append(tree_of(result))
        return result

    def parameter(argument: Passed) -> inspect.Parameter:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        name = as_identifier(argument.name)
        return inspect.Parameter(name, kind if isinstance(argument.place, int) else inspect.Parameter.KEYWORD_ONLY)

    # JAX names main's arguments after its parameters.
    main.__name__ = re.sub(r"\W", "_", getattr(function, "__name__", "") or type(function).__name__)
    main.__signature__ = inspect.Signature(list(map(parameter, arguments)))  # type: ignore[attr-defined]
    types = [a.structure.unflatten(None if isinstance(x, Static) else type_of(x) for x in a.leaves) for a in arguments]
    positional = [t for a, t in zip(arguments, types) if isinstance(a.place, int)]
    keywords = {a.place: t for a, t in zip(arguments, types) if isinstance(a.place, str)}
    # The reader of the program says itself which custom calls it runs; JAX would only accept those that it knows.
    allowed = [jax.export.DisabledSafetyCheck.custom_call("ALL")]
    try:
        export = jax.export.export(jax.jit(main), platforms=(platform,), disabled_checks=allowed)
        exported = export(*positional, **keywords)
    except NotImplementedError as error:
        if "host_callbacks" not in str(error):
            raise
        raise InputError(
            "the function calls Python while it runs, which a program cannot do: remove jax.debug.print,"
            " jax.debug.callback, jax.pure_callback and jax.experimental.io_callback"
        ) from error
    avals = exported.in_avals, exported.out_avals
    return Traced(exported.mlir_module(), exported.module_kept_var_idx, *avals, outputs[-1], exported.out_tree)


@cache
def hide_frames() -> None:
    """Keep this package's lines out of the locations that JAX writes, which should be the user's."""
    with contextlib.suppress(ImportError, AttributeError):
        from jax._src.source_info_util import register_exclusion

        register_exclusion(os.path.dirname(__file__))


def with_static(argument: Passed, value: Any) -> Any:
    """An argument as the function expects it, from one that has None in place of static values."""
    if not any(isinstance(leaf, Static) for leaf in argument.leaves):
        return value
    arrays = argument.structure.flatten_up_to(value)
    return argument.structure.unflatten(
        leaf.value if isinstance(leaf, Static) else array for leaf, array in zip(argument.leaves, arrays)
    )


def as_identifier(name: str) -> str:
    words = re.sub(r"\W+", "_", name).strip("_")
    return words if words.isidentifier() else f"_{words}"


def tree_of(value: Any) -> Tree:
    """The structure of a value, from JAX's registry of pytrees."""
    tree_util = jax_module().tree_util
    if value is None:
        return NONE
    if isinstance(value, Static):
        return Tree("static", (), (), str(value))
    entries, _ = tree_util.tree_flatten_with_path(value, is_leaf=lambda part: part is not value)
    if len(entries) == 1 and not entries[0][0]:
        return LEAF
    children = tuple(tree_of(part) for _, part in entries)
    steps = [path[0] for path, _ in entries]
    name = type(value).__qualname__
    if isinstance(value, tuple):
        return Tree("named", children, value._fields, name) if hasattr(value, "_fields") else Tree("tuple", children)
    if isinstance(value, list) or (steps and all(isinstance(step, tree_util.SequenceKey) for step in steps)):
        return Tree("list", children)
    if isinstance(value, Mapping) or (steps and all(isinstance(step, tree_util.DictKey) for step in steps)):
        return Tree("dict", children, tuple(as_key(step.key) for step in steps))
    if steps and all(isinstance(step, tree_util.GetAttrKey) for step in steps):
        return Tree("named", children, tuple(step.name for step in steps), name)
    return Tree("custom", children, (), name)


def as_key(key: Any) -> Any:
    """A dict's key as a structure has it: keys other than strings, numbers and tuples of these become strings."""
    if isinstance(key, tuple):
        return tuple(map(as_key, key))
    return key if key is None or type(key) in (str, int, float, bool) else str(key)


# ---------------------------------------------------------------- shapes


def with_shapes(values: Any, constraints: Sequence[str]) -> Any:
    """Arguments in which strings, also inside dicts, lists and tuples, have become shapes of arrays.

    Examples of such strings are "b, 28, 28, 1" and "int32[b, 2*t]". Dimensions with the same name are the same
    dimension.

    Raises:
        InputError: a string is not a shape.
    """
    jax = jax_module()
    scope: Any = None

    def shape_leaf(value: Any) -> Any:
        nonlocal scope
        if type(value) in (list, tuple):
            return type(value)(map(shape_leaf, value))
        if type(value) is dict:
            return {key: shape_leaf(part) for key, part in value.items()}
        if not isinstance(value, str):
            return value
        match = SHAPE.fullmatch(value)
        assert match is not None
        name, inner, plain = match.groups()
        try:
            scope = scope or jax.export.SymbolicScope(tuple(constraints))
            shape = jax.export.symbolic_shape(plain if name is None else inner, scope=scope)
            return jax.ShapeDtypeStruct(shape, jax.numpy.dtype(name or "float32"))
        except Exception as error:
            raise InputError(
                f"{value!r} is not a shape such as 'b, 28, 28, 1' or 'int32[b, 2*t]' ({error});"
                " if the function takes a string, name the argument in static_argnames"
            ) from error

    return shape_leaf(values)
