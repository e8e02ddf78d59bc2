"""Gradients and training steps of programs, as programs: `gradient`, `training_step` and `hlo2tiny convert --grad`.

Names that a caller gives are resolved here, and how the new program is called follows from how the old one is called.
The ops come from derivatives/.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from difflib import get_close_matches
from math import isfinite
from typing import TYPE_CHECKING

from ..errors import InputError, printable_name
from ..ir import Attribute, ComplexType, Function, IntegerAttr, Module, StringAttr, TensorType, Value
from ..ir.dtypes import expect_tensor
from ..ir.entry import entry_function, with_entry, with_main
from ..ir.rewrite import Rewriter
from ..ops.build import I32, Builder, Term
from ..records import dataclass
from ..trees import LEAF, Tree
from .arguments import Argument, arguments_of
from .calling import LISTED, ArgumentPart, Calling, PathStep, Steps, parts_by_name
from .interface import DONATION, result_names

if TYPE_CHECKING:
    from ..derivatives.optimisers import Optimiser
    from .program import Program

CURE = "let the function return a loss, one number, and export it again"
Names = str | int | Sequence[str | int]


@dataclass(frozen=True)
class Request:
    """What is asked for: see `gradient` and, where there is an optimiser, `training_step`."""

    of: str | int | None = None
    with_respect_to: Names | None = None
    optimiser: str | None = None
    learning_rate: float | None = None
    hyperparameters: Mapping[str, float] = field(default_factory=dict)

    @property
    def has_several(self) -> bool:
        """Whether several arguments are named, so that a tuple has one part for each."""
        return not isinstance(self.with_respect_to, str | int | None)


@dataclass(frozen=True, eq=False)
class Derived:
    """A program derived from another one.

    Attributes:
        calling: how it is called.
        origins: for each argument of its main function, the number of the old one that it is; None: it is new.
    """

    module: Module
    calling: Calling
    origins: Sequence[int | None]


def gradient(
    program: Program,
    *,
    of: str | int | None = None,
    with_respect_to: Names | None = None,
    shapes: Sequence[tuple[int, ...]] | None = None,
) -> Program:
    """The program that computes what a program computes, and the gradient of one of its results.

    It takes the arguments of the program, and keeps those that are bound. Like `jax.value_and_grad`, it returns a pair:
    the results, and the gradients in the structure of the argument, or a tuple of these if `with_respect_to` has
    several names. If the file does not record structures, it returns the results and then the gradients, one by one.
    Each gradient has the shape and dtype of its argument; that of a complex number is JAX's.

    Args:
        program: a loaded program, whose results include a number: the loss.
        of: the name or the number of the result; None: the only scalar.
        with_respect_to: the arguments, by name or position: whole ones, such as params, or one array,
            `params['w']`. None: the weights, if any are bound, else the first argument.
        shapes: the shapes of the arguments, one for each of `inputs`, if the file leaves some open.

    Examples:
        >>> import hlo2tiny, numpy as np
        >>> text = '''func.func @main(%w: tensor<f32> loc("w"), %x: tensor<f32> loc("x")) -> tensor<f32> {
        ...   %y = stablehlo.multiply %w, %x : tensor<f32>
        ...   %z = stablehlo.multiply %y, %y : tensor<f32>
        ...   return %z : tensor<f32>
        ... }'''
        >>> slope = hlo2tiny.gradient(hlo2tiny.load(text, device="CPU"), with_respect_to="w")
        >>> print(*slope.outputs, sep="\\n")
        (unnamed): float32[]
        gradient.w: float32[]
        >>> slope.numpy(np.float32(2), np.float32(3))
        (array(36., dtype=float32), array(36., dtype=float32))

    Raises:
        InputError: there is no such result or argument, the result is not a real number, an argument is not of floats
            or complex numbers, shapes are open, or the program is for several devices.
        UnsupportedOp: an op on the way has no gradient: a custom call, or a loop whose trip count is known only at run
            time.
    """
    return program.derived(shapes, Request(of, with_respect_to))


def training_step(
    program: Program,
    optimiser: str = "adamw",
    *,
    of: str | int | None = None,
    with_respect_to: Names | None = None,
    learning_rate: float | None = None,
    shapes: Sequence[tuple[int, ...]] | None = None,
    **hyperparameters: float,
) -> Program:
    """The program that trains another one: it computes the loss of a batch, and updates the parameters.

    It takes the parameters, the optimiser's state, the other arguments and the learning rate, a float32. It returns the
    parameters, the state and what the program returned. Parameters and state are donated, and each call's are the first
    results of the one before. The state starts as zeros: see `Program.inputs` for the shapes.

    Args:
        program: a loaded program, whose results include a number: the loss.
        optimiser: "sgd", "momentum" (`momentum`: 0.9) or "adamw" (`beta1`: 0.9, `beta2`: 0.999, `epsilon`: 1e-8,
            `weight_decay`: 1e-4). The state is absent; a dict of velocity; or a dict of mean, square and step; all but
            step have the structure of the parameters.
        of: the loss, as in `gradient`.
        with_respect_to: the parameters, as in `gradient`. Bound ones become arguments.
        learning_rate: a constant instead of the last argument.
        shapes: as in `gradient`.
        hyperparameters: other values for the optimiser's hyperparameters.

    Examples:
        >>> import hlo2tiny, numpy as np
        >>> text = '''func.func @main(%w: tensor<f32> loc("w")) -> tensor<f32> {
        ...   %y = stablehlo.multiply %w, %w : tensor<f32>
        ...   return %y : tensor<f32>
        ... }'''
        >>> step = hlo2tiny.training_step(hlo2tiny.load(text, device="CPU"), "momentum", learning_rate=0.25)
        >>> print(*step.inputs, sep="\\n")
        w: float32[]
        state['velocity']['w']: float32[]
        >>> w, *state = np.float32(4), np.float32(0)
        >>> for _ in range(3):
        ...     w, *state, loss = step.numpy(w, *state)
        >>> round(float(loss), 4)
        0.64

    Raises:
        InputError: as for `gradient`; or there is no such optimiser or hyperparameter.
        UnsupportedOp: as for `gradient`.
    """
    return program.derived(shapes, Request(of, with_respect_to, optimiser, learning_rate, hyperparameters))


def derive(module: Module, calling: Calling, request: Request) -> Derived:
    """The program of a request: see `gradient` and `training_step`.

    Args:
        module: a verified module without tuples and tokens, in which all shapes are known.
        calling: how it is called.
    """
    module = with_names(module, calling.names)
    entry = entry_function(module)
    arguments = arguments_of(calling.names, [expect_tensor(type) for type in entry.type.inputs], ())
    parts = choose_parts(calling, entry.type.inputs, arguments, request.with_respect_to)
    of = choose_result(module, request.of)
    derived = (with_gradient if request.optimiser is None else with_step)(module, calling, parts, of, request)
    return replace(derived, module=with_main(with_entry(derived.module, entry.name)))


# ---------------------------------------------------------------- what the caller names


def choose_result(module: Module, chosen: str | int | None) -> int:
    """The number of the result to differentiate."""
    entry = entry_function(module)
    names, types = result_names(entry), [expect_tensor(type) for type in entry.type.results]
    results = arguments_of(names, types, ())
    listed = "".join(f"\n  {i}: {result}" for i, result in enumerate(results))
    if chosen is None:
        numbers = [i for i, type in enumerate(types) if type.shape == () and is_real(type)]
        if len(numbers) != 1:
            found = "several results are numbers; say which one" if numbers else f"no result is a number; {CURE}"
            raise InputError(f"only a number has a gradient, and {found}:{listed}")
        return numbers[0]
    plain = {str(i): i for i in range(len(names))} | {name: i for i, name in enumerate(names) if name}
    number = plain.get(str(chosen))
    if number is None:
        raise InputError(f"there is no result {chosen!r:.60}; the program returns:{listed}")
    if types[number].shape != () or not is_real(types[number]):
        raise InputError(f"result {results[number]} is not a real number, and only these have a gradient; {CURE}")
    return number


def is_real(type: TensorType) -> bool:
    from ..derivatives import is_differentiable

    return is_differentiable(type) and not isinstance(type.element, ComplexType)


def choose_parts(
    calling: Calling, types: Sequence[object], arguments: Sequence[Argument], chosen: Names | None
) -> list[ArgumentPart]:
    """The arguments of calls, bound ones, or leaves of these, to differentiate with respect to."""
    from ..derivatives import is_differentiable

    differentiable = [is_differentiable(expect_tensor(type)) for type in types]  # type: ignore[arg-type]
    bound = [i for i in range(len(arguments)) if i not in calling.free]
    if chosen is None:
        weights = [i for i in bound if differentiable[i]]
        parts = list(parts_by_name(calling.names, weights) if weights else calling.parts[:1])
    else:
        known = [*calling.parts, *parts_by_name(calling.names, bound)]
        names = [chosen] if isinstance(chosen, str | int) else list(chosen)
        parts = [find_part(calling, known, name) for name in names]
    numbers = [number for part in parts for number in part.used]
    for number in numbers:
        if not differentiable[number]:
            cure = "name others with with_respect_to"
            raise InputError(f"{arguments[number]} has no gradient, which only floats and complex numbers have; {cure}")
    if len({*numbers}) != len(numbers):
        raise InputError(f"with_respect_to names {arguments[max(numbers, key=numbers.count)]} twice")
    if not numbers:
        raise InputError("the program has no arguments to differentiate with respect to")
    return parts


def find_part(calling: Calling, known: Sequence[ArgumentPart], name: str | int) -> ArgumentPart:
    """The argument of a call, or the leaf of one, with a name, or at a position."""
    if isinstance(name, int) and 0 <= name < len(calling.parts):
        return calling.parts[name]
    named = [part for part in known if part.name == name]
    named = named or [
        ArgumentPart(str(name), LEAF, (i,), paths=((),)) for i, n in enumerate(calling.names) if n == name
    ]
    if len(named) == 1 and name != "":
        return named[0]
    if named:
        raise InputError(f"{len(named)} arguments have the name {printable_name(str(name))}; use their positions")
    names = [*dict.fromkeys(n for n in (*(part.name for part in known), *calling.names) if n)]
    near = get_close_matches(str(name), names, 1)
    hint = f" (did you mean {printable_name(near[0])}?)" if near else ""
    listed = ", ".join(map(printable_name, names[:LISTED])) + ", …" * (len(names) > LISTED)
    raise InputError(f"there is no argument {name!r:.60}{hint}; there are: {listed}")


# ---------------------------------------------------------------- structures


def tree_of(part: ArgumentPart) -> Tree | None:
    """The structure of an argument; None if there is none for the leaves of it that the program uses."""
    if part.tree is None:
        return tree_of_paths(part.paths)
    return part.tree if len(part.used) == len(part.positions) else None


def tree_of_paths(paths: Sequence[Steps]) -> Tree | None:
    """The structure of leaves at these paths, in this order; None if there is none."""
    if [*paths] == [()]:
        return LEAF
    if () in paths or not paths:
        return None
    inside: dict[PathStep, list[Steps]] = {}
    last: PathStep | None = None
    for first, *rest in paths:
        if first != last and first in inside:
            return None
        inside.setdefault(last := first, []).append(tuple(rest))
    children = [tree_of_paths(rest) for rest in inside.values()]
    kind, *others = {kind for kind, _ in inside}
    keys = tuple(step for _, step in inside)
    if others or None in children or (kind == "index" and keys != tuple(range(len(keys)))):
        return None
    trees = tuple(child for child in children if child is not None)
    return Tree("list", trees) if kind == "index" else Tree("dict" if kind == "key" else "named", trees, keys)


def trees_of(calling: Calling, parts: Sequence[ArgumentPart]) -> list[Tree] | None:
    """The structure of each of some arguments, if the file records structures, and all have one."""
    trees = [tree for part in parts if (tree := tree_of(part)) is not None]
    wanted = {number for part in parts for number in part.used}
    cut = any(part not in parts and wanted.intersection(part.used) for part in calling.parts)
    return trees if calling.inputs is not None and len(trees) == len(parts) and not cut else None


def joined(trees: Sequence[Tree], several: bool) -> Tree:
    """The structure of an argument, or a tuple of those of several."""
    return Tree("tuple", tuple(trees)) if several or len(trees) > 1 else trees[0]


def results_tree(calling: Calling, count: int) -> Tree:
    if calling.outputs is not None:
        return calling.outputs
    return LEAF if count == 1 else Tree("tuple", (LEAF,) * count)


def label_of(number: int, calling: Calling) -> str:
    return calling.names[number] or f"in{number}"


# ---------------------------------------------------------------- the programs


def with_gradient(
    module: Module, calling: Calling, parts: Sequence[ArgumentPart], of: int, request: Request
) -> Derived:
    from ..derivatives import differentiate

    entry = entry_function(module)
    wanted = [number for part in parts for number in part.used]
    builder, arguments, values, gradients = differentiate(module, entry.name, of, wanted)
    # JAX's gradient of a complex number is the conjugate of ours.
    results = [*values, *(each.conj() for each in gradients)]
    infos = [*entry.result_attributes, *(result_info(f"gradient.{label_of(n, calling)}") for n in wanted)]
    new = with_function(module, arguments, builder, results, kept_attributes(entry), infos)
    trees, outputs = trees_of(calling, parts), None
    if trees is not None:
        slopes = joined(trees, request.has_several)
        outputs = Tree("tuple", (results_tree(calling, len(values)), slopes))
    return Derived(new, replace(calling, outputs=outputs), range(len(arguments)))


def with_step(module: Module, calling: Calling, parts: Sequence[ArgumentPart], of: int, request: Request) -> Derived:
    from ..derivatives import differentiate
    from ..derivatives.optimisers import OPTIMISERS, RATE, state_types, updated

    optimiser = OPTIMISERS.get(str(request.optimiser))
    if optimiser is None:
        raise InputError(f"there is no optimiser {request.optimiser!r:.60}; there are {', '.join(OPTIMISERS)}")
    numbers = {**optimiser.numbers, **request.hyperparameters}
    expect_numbers(str(request.optimiser), optimiser.numbers, numbers, request.learning_rate)
    entry = entry_function(module)
    wanted = [number for part in parts for number in part.used]
    builder, arguments, values, gradients = differentiate(module, entry.name, of, wanted)
    parameters = [arguments[number] for number in wanted]
    types = [expect_tensor(p.type) for p in parameters]
    if complexes := [number for number, type in zip(wanted, types) if isinstance(type.element, ComplexType)]:
        raise InputError(f"{label_of(complexes[0], calling)} is complex, and optimisers are for real parameters")

    trees = trees_of(calling, parts)
    labels = tuple(label_of(number, calling) for number in wanted)
    state_tree = tree_of_state(optimiser, labels, trees, request.has_several)
    names = list(state_tree.paths("state"))
    state = [new_value(type, name, entry) for type, name in zip(state_types(optimiser, types), names, strict=True)]
    constant = request.learning_rate
    rates = [] if constant is not None else [new_value(RATE, "learning_rate", entry)]
    changed, kept = updated(
        optimiser,
        [builder.term(v) for v in parameters],
        gradients,
        [builder.term(v) for v in state],
        builder.term(rates[0]) if constant is None else constant,
        numbers,
    )

    # What is donated comes first, in the order of the results that take its memory.
    donated = len(wanted) + len(state)
    others = [number for number in range(len(arguments)) if number not in wanted]
    origins: list[int | None] = [*wanted, *[None] * len(state), *others, *[None] * len(rates)]
    attributes = kept_attributes(entry)
    taken = [{} if number is None else attributes[number] for number in origins]
    taken[:donated] = [{**each, DONATION[0]: IntegerAttr(i, I32)} for i, each in enumerate(taken[:donated])]
    infos = [*map(result_info, (*labels, *names)), *entry.result_attributes]
    inputs = [*parameters, *state, *(arguments[number] for number in others), *rates]
    derived = with_function(module, inputs, builder, [*changed, *kept, *values], taken, infos)

    all_names = [*labels, *names, *(calling.names[number] for number in others), *["learning_rate"] * len(rates)]
    bound = {number for number in others if number not in calling.free}
    free = tuple(i for i, number in enumerate(origins) if number not in bound)
    new = Calling(all_names, free, fixed=calling.fixed)
    if trees is not None:
        positions = {number: i for i, number in enumerate(origins) if number is not None}
        passed = [replace(part, tree=tree, keyword=False) for part, tree in zip(parts, trees)]
        left = [part for part in calling.parts if not any(part is chosen for chosen in parts)]
        moved = [
            replace(part, positions=[None if n is None else positions[n] for n in part.positions])
            for part in (*passed, *left)
        ]
        moved[len(parts) : len(parts)] = [ArgumentPart("state", state_tree, range(len(wanted), donated))] * bool(state)
        moved += [ArgumentPart("learning_rate", LEAF, [len(origins) - 1])] * len(rates)
        outputs = Tree("tuple", (*trees, *[state_tree] * bool(state), results_tree(calling, len(values))))
        new = replace(new, outputs=outputs).passing(moved)
    return Derived(derived, new, origins)


def expect_numbers(optimiser: str, known: Mapping[str, float], given: Mapping[str, float], rate: float | None) -> None:
    for name, number in {**given, **({} if rate is None else {"learning_rate": rate})}.items():
        if name not in known and name != "learning_rate":
            listed = ", ".join(("learning_rate", *known))
            raise InputError(f"{optimiser} has no hyperparameter {name!r:.60}; it has {listed}")
        if not isinstance(number, int | float) or not isfinite(number):
            raise InputError(f"{name} is {number!r:.60}, expected a number")
        if name.startswith("beta") and not 0 < number < 1:
            raise InputError(f"{name} is {number}, expected a number between 0 and 1")


def tree_of_state(optimiser: Optimiser, labels: Sequence[str], trees: Sequence[Tree] | None, several: bool) -> Tree:
    """The structure of what an optimiser keeps: for each kind that of the parameters, and the number of steps."""
    kind = Tree("dict", (LEAF,) * len(labels), tuple(labels)) if trees is None else joined(trees, several)
    counts = ("step",) if optimiser.counts else ()
    return Tree("dict", (*[kind] * len(optimiser.kept), *[LEAF] * len(counts)), (*optimiser.kept, *counts))


def new_value(type: TensorType, name: str, entry: Function) -> Value:
    return Value("", type, entry.location.named(name))


def result_info(name: str) -> Mapping[str, Attribute]:
    return {"jax.result_info": StringAttr(name)}


def kept_attributes(entry: Function) -> list[dict[str, Attribute]]:
    """What the file says about each argument, except for donation, since the results are different."""
    return [{k: v for k, v in each.items() if k not in DONATION} for each in entry.argument_attributes]


def with_names(module: Module, names: Sequence[str]) -> Module:
    """A module whose main function's arguments have these names."""
    entry = entry_function(module)
    old = entry.code.arguments
    new = [
        v
        if not name or (v.location is not None and v.location.name == name)
        else replace(v, location=entry.location.named(name))
        for v, name in zip(old, names, strict=True)
    ]
    body = replace(entry.code, arguments=tuple(new), ops=tuple(Rewriter(dict(zip(old, new))).ops(entry.code.ops)))
    return replace(module, functions={**module.functions, entry.name: replace(entry, body=body)})


def with_function(
    module: Module,
    arguments: Sequence[Value],
    builder: Builder,
    results: Sequence[Term],
    *attributes: Sequence[Mapping[str, Attribute]],
) -> Module:
    """A module whose main function returns terms of a builder; `attributes` are the arguments' and the results'."""
    from ..derivatives.tape import function_of

    function = function_of(entry_function(module), arguments, builder, results, attributes)
    return replace(module, functions={**module.functions, function.name: function})
