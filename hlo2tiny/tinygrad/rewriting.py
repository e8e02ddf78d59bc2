"""Rewriting as tinygrad does it, in less time and without its rules for real numbers; `settings` installs it.

tinygrad tries each pattern of a pass on each node, and compiles it by rewriting a graph of its own. Here a pattern is
tried only where its operation, its dtype and the operations of its sources can match, not again on a node that none of
the same rules matched before, and becomes Python code directly once it has been tried often.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from tinygrad.codegen.decomp import dtype as decompositions
from tinygrad.dtype import DType, dtypes
from tinygrad.schedule.rangeify import pm_gate_substitute
from tinygrad.uop import ops
from tinygrad.uop.ops import GroupOp, Ops, PatternMatcher, RewriteContext, UOp, UPat, recursive_property
from tinygrad.uop.symbolic import fold_bitcast, fold_const_alu, sym, symbolic
from tinygrad.uop.weak import pm_lower_weak

# How often a pattern is interpreted before it is compiled: compiling takes about as long as this many tries.
TRIES = 50
# A pattern with more ways to bind its names is always interpreted.
MOST_WAYS = 16


# What rules are found by: the operation and dtype of a node, and the operations of its sources.
NodeForm = tuple[Ops, DType, tuple[Ops, ...]]


def form_of(node: UOp) -> NodeForm:
    return node.op, node.dtype, tuple([s.op for s in node.src])


class RewriteRule:
    """A pattern and its rewrite. `match` returns what the rewrite makes of a node, None if it leaves the node."""

    __slots__ = ("forms", "function", "match", "pattern", "takes_context", "tries")

    def __init__(self, pattern: UPat, function: Callable[..., Any]) -> None:
        code = function.__code__
        self.pattern, self.function, self.tries = pattern, function, 0
        self.takes_context = "ctx" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.match: Callable[[UOp, Any], Any] = self._interpret
        self.forms: dict[NodeForm, bool] = {}  # whether those that were asked for fit the pattern

    def fits(self, form: NodeForm) -> bool:
        """Whether a node of this form may match."""
        fits = self.forms.get(form)
        if fits is None:
            pattern, (_, dtype, below) = self.pattern, form
            fits = self.forms[form] = (
                (pattern.match_dtype is None or dtype in pattern.match_dtype)
                and pattern.early_reject <= {*below}
                and may_read(pattern, below)
            )
        return fits

    def _interpret(self, node: UOp, ctx: Any) -> Any:
        self.tries += 1
        if self.tries == TRIES + 1 and (match := compile_pattern(self.pattern, self.function, self.takes_context)):
            self.match = match
            return match(node, ctx)
        context = {"ctx": ctx} if self.takes_context else {}
        for bindings in self.pattern.match(node, {}):
            if (result := self.function(**context, **bindings)) is not None:
                return result
        return None


def may_read(pattern: UPat, below: tuple[Ops, ...]) -> bool:
    """Whether sources with these operations may match those of a pattern."""
    if len(below) < pattern.required_len or (pattern.strict_length and len(below) != pattern.required_len):
        return False
    return pattern.src is None or any(all(map(may_be, each, below)) for each in pattern.src)


def may_be(pattern: UPat, op: Ops) -> bool:
    if pattern.is_any:
        return any(may_be(each, op) for each in pattern.src[0])
    return pattern.op is None or op in pattern.op


rule = cache(RewriteRule)  # of a pattern and its rewrite, which many passes share

# ---------------------------------------------------------------- patterns as code


class TooManyWays(Exception):
    """It is better to interpret a pattern."""


def compile_pattern(
    pattern: UPat, function: Callable[..., Any], takes_context: bool
) -> Callable[[UOp, Any], Any] | None:
    """The `match` of a rule as Python code, which tries the same bindings in the same order; None if they are many."""
    values: dict[str, Any] = {"function": function}
    try:
        lines = list(KernelCode(values, takes_context).of([(pattern, "node")], {}, 1))
    except TooManyWays:
        return None
    exec("\n".join(["def match(node, ctx):", *lines, " return None"]), values)
    match: Callable[[UOp, Any], Any] = values["match"]
    return match


class KernelCode:
    """Prints the code of a pattern; `values` collects the constants that it compares with."""

    def __init__(self, values: dict[str, Any], takes_context: bool) -> None:
        self.values, self.takes_context, self.ways, self.variables = values, takes_context, 0, 0

    def value(self, value: Any) -> str:
        name = f"value{len(self.values)}"
        self.values[name] = value
        return name

    def of(self, pending: Sequence[tuple[UPat, str]], names: dict[str, str], depth: int) -> Iterator[str]:
        """Yield the code that matches the pending patterns with the nodes in variables, and then calls the rewrite."""
        indent = " " * depth
        if not pending:
            self.ways += 1
            if self.ways > MOST_WAYS:
                raise TooManyWays
            arguments = [*(["ctx=ctx"] if self.takes_context else []), *(f"{k}={v}" for k, v in names.items())]
            yield f"{indent}if (result := function({', '.join(arguments)})) is not None: return result"
            return
        (pattern, node), *rest = pending
        if pattern.is_any:
            for alternative in pattern.src[0]:
                yield from self.of([(alternative, node), *rest], names, depth)
            return
        tests = list(self.tests(pattern, node, names))
        if tests:
            yield f"{indent}if {' and '.join(tests)}:"
            indent, depth = indent + " ", depth + 1
        names = names if pattern.name is None else {pattern.name: node, **names}
        if pattern.src is None:
            yield from self.of(rest, names, depth)
            return
        for sources in pattern.src:
            if isinstance(sources, itertools.repeat):
                (each,) = itertools.islice(sources, 1)
                if each.name is not None or each.src is not None or each.is_any:
                    raise TooManyWays
                inner = " and ".join(self.tests(each, "s", {})) or "True"
                yield f"{indent}if all([{inner} for s in {node}.src]):"
                yield from self.of(rest, names, depth + 1)
                continue
            variables = []
            for i, _ in enumerate(sources):
                self.variables += 1
                variables.append(f"n{self.variables}")
                yield f"{indent}{variables[-1]} = {node}.src[{i}]"
            yield from self.of([*zip(sources, variables), *rest], names, depth)

    def tests(self, pattern: UPat, node: str, names: dict[str, str]) -> Iterator[str]:
        """Yield the conditions on a node itself."""
        if pattern.op is not None:
            one = len(pattern.op) == 1
            yield f"{node}.op is {self.value(pattern.op[0])}" if one else f"{node}.op in {self.value(pattern.op)}"
        if pattern.name in names:
            yield f"{names[pattern.name]} is {node}"
        if pattern.match_dtype is not None:
            yield f"{node}.dtype in {self.value(pattern.match_dtype)}"
        if pattern.arg is not None:
            yield f"{self.value(pattern.arg)} == {node}.arg"
        if pattern.match_tag is not None:
            yield f"{node}.tag in {self.value(pattern.match_tag)}"
        if pattern.strict_length or pattern.required_len:
            yield f"len({node}.src) {'==' if pattern.strict_length else '>='} {pattern.required_len}"


# ---------------------------------------------------------------- bitcasts that stay


def is_fence(u: UOp) -> bool:
    """Whether a node only keeps rules from what is behind it, see `expressions`."""
    return u.op is Ops.BITCAST and u.dtype == u.src[0].dtype


def drop_cast(root: UOp) -> UOp | None:
    return root.src[0] if root.op is Ops.CAST and root.dtype == root.src[0].dtype else None


def fold_number(root: UOp, c: UOp) -> UOp | None:
    return None if is_fence(root) else fold_bitcast(root, c)


def join_bitcasts(x: UOp, b: UOp) -> UOp | None:
    inner = b.src[0]
    if is_fence(b):
        return inner
    return None if is_fence(inner) or x.dtype in dtypes.weaks else x.bitcast(b.dtype)


def narrowed(function: Callable[..., UOp | None]) -> Callable[..., UOp | None]:
    """tinygrad's function that computes int64 in 32 bits where numbers fit, but not shifts by more than there are."""

    def in_32_bits(u: UOp, x: UOp, y: UOp) -> UOp | None:
        is_long = u.op in (Ops.SHL, Ops.SHR) and not 0 <= y.vmin <= y.vmax < 32
        return None if is_long else function(u=u, x=x, y=y)

    return in_32_bits


# ---------------------------------------------------------------- floats are not real numbers

NO_FLOATS = (*dtypes.ints, dtypes.bool, dtypes.weakint)
# Operations on floats that only have the rules of constants. Integers share patterns of XOR and OR with them.
ALGEBRA = {Ops.ADD, Ops.MUL, Ops.RECIPROCAL, Ops.REDUCE, Ops.XOR, Ops.OR}


def fold_constants(a: UOp) -> UOp | None:
    """The result of an operation on constants: NaN differs from itself, and x · (1/c) is x / c if 1/c is exact."""
    numbers = [c.val for s in a.src for c in s.toposort() if c.op is Ops.CONST and isinstance(c.val, float)]
    if a.op is Ops.FDIV or (a.op is Ops.RECIPROCAL and not all(map(has_exact_reciprocal, numbers))):
        return None
    if a.op in GroupOp.Comparison and any(map(math.isnan, numbers)):
        return a.const_like(a.op is Ops.CMPNE) if a.src[0].op is Ops.CONST is a.src[1].op else None
    return fold_const_alu(a)


def has_exact_reciprocal(x: float) -> bool:
    """Whether x is 0, infinite, NaN or a power of 2 whose reciprocal is normal in every type."""
    significand, exponent = math.frexp(abs(x))
    return not math.isfinite(x) or x == 0 or (significand == 0.5 and abs(exponent) < 14)


@cache
def without_floats(pattern: UPat) -> UPat:
    """A pattern that does not match floats if it takes them for real numbers: of these, x · 0 is 0 and x / x is 1."""
    if pattern not in ALGEBRAIC:
        return pattern
    _, (op, _, *others) = pattern.__reduce__()
    return UPat(op, NO_FLOATS, *others)


def is_algebraic(pattern: UPat) -> bool:
    """Whether a pattern is for sums, products or reciprocals of any type; a product with 1 is one of floats, too."""
    is_one = pattern.op == (Ops.MUL,) and any(s.op == (Ops.CONST,) and s.arg == 1 for s in pattern.src[0])
    return pattern.match_dtype is None and {*pattern.op} <= ALGEBRA and not is_one


ALGEBRAIC = {pattern for pattern, _ in sym.patterns if is_algebraic(pattern)}


def own_rules() -> Iterator[tuple[Callable[..., Any], Callable[..., Any]]]:
    """tinygrad's functions that would drop a fence or bits, and ours."""
    yield fold_const_alu, fold_constants
    for pattern, function in symbolic.patterns:
        if set(pattern.op) == GroupOp.Binary and pattern.name == "u":
            yield function, narrowed(function)
        if pattern.op == (Ops.CAST, Ops.BITCAST) and pattern.src is None:
            yield function, drop_cast
        elif pattern.op == (Ops.BITCAST,):
            yield function, fold_number if function is fold_bitcast else join_bitcasts


OWN = dict(own_rules())


def index_in_32_bits(x: UOp) -> UOp | None:
    """An index of 64 bits as one of 32, where there are no others: tinygrad would leave it, with halves as operands."""
    memory, *indices = x.src
    narrow = [i.cast(dtypes.int32) if i.dtype in (dtypes.int64, dtypes.uint64) else i for i in indices]
    return None if narrow == indices else UOp(x.op, src=(memory, *narrow), arg=x.arg, tag=x.tag)


# Replaces tinygrad's rules for 64-bit numbers.
LONG = PatternMatcher([(UPat((Ops.INDEX, Ops.SHRINK), name="x"), index_in_32_bits)]) + decompositions.pm_long_decomp

# ---------------------------------------------------------------- replacements for tinygrad's functions


class FittingRules(tuple[RewriteRule, ...]):
    """The rules of a matcher that may match nodes of a form; matchers with the same ones share them.

    Args:
        unmatched: nodes that none of them matches, as far as that is known for any context.
    """

    unmatched: set[UOp] | None

    def rewrite(self, node: UOp, ctx: Any) -> UOp | None:
        """What the first rule that matches makes of a node."""
        unmatched = self.unmatched
        if unmatched is None or node not in unmatched:
            for each in self:
                if (new := each.match(node, ctx)) is not None and new is not node:
                    return new
            if unmatched is not None and self:
                if not unmatched:
                    _remembering.append(unmatched)
                unmatched.add(node)
        return None


# The sets of unmatched nodes that are not empty.
_remembering = list[set[UOp]]()


def forget_unmatched() -> None:
    """Let go of the nodes that some rules do not match."""
    for unmatched in _remembering:
        unmatched.clear()
    _remembering.clear()


@cache
def fitting_rules(rules: tuple[RewriteRule, ...]) -> FittingRules:
    found = FittingRules(rules)
    found.unmatched = None if any(each.takes_context for each in rules) else set()
    return found


class Rules(dict[Any, FittingRules]):
    """The rules of a matcher that may match a node, by its form."""

    def __init__(self, matcher: PatternMatcher) -> None:
        super().__init__()
        self.by_operation: dict[Ops, list[RewriteRule]] = {}
        for pattern, function in matcher.patterns:
            for op in pattern.op:
                self.by_operation.setdefault(op, []).append(rule(without_floats(pattern), OWN.get(function, function)))

    def __missing__(self, form: NodeForm) -> FittingRules:
        fitting = tuple([each for each in self.by_operation.get(form[0], ()) if each.fits(form)])
        self[form] = found = fitting_rules(fitting)
        return found


_rules: WeakKeyDictionary[PatternMatcher, Rules] = WeakKeyDictionary()


def rules_of(matcher: PatternMatcher) -> Rules:
    rules = _rules.get(matcher)
    if rules is None:
        rules = _rules[matcher] = Rules(matcher)
    return rules


def rewrite(self: PatternMatcher, node: UOp, ctx: Any = None) -> Any:
    """Replaces PatternMatcher.rewrite."""
    return rules_of(self)[form_of(node)].rewrite(node, ctx)


CALLS = (Ops.CALL, Ops.FUNCTION)


def unified_rewrite(self: RewriteContext, root: UOp) -> UOp:
    """Replaces RewriteContext.unified_rewrite."""
    if self.bpm is not None:
        if self.pm is not None:
            return original_rewrite(self, root)
        return root if is_unchanged(root, rules_of(self.bpm)) else rewrite_before_sources(self, root)
    if self.pm is pm_lower_weak and self.ctx is None and not self.enter_calls:
        self.replace = with_dtypes
    if self.pm is not symbolic or self.ctx is not None or self.enter_calls:
        return rewrite_after_sources(self, root)
    if root not in simplified:
        simplified[root] = rewrite_after_sources(self, root)
    return simplified[root]


# What the rules for arithmetic make of graphs, and those that give Python's numbers dtypes of nodes: tinygrad asks for
# it again and again while it lowers a kernel.
simplified: dict[UOp, UOp] = {}
with_dtypes: dict[UOp, UOp] = {}


def simplify(self: UOp, tracked: bool = False) -> UOp:
    """Replaces UOp.simplify, which changes a setting each time."""
    found = simplified.get(self)
    return unified_rewrite(RewriteContext(symbolic, None), self) if found is None else found


def forget_known() -> None:
    """Let go of nodes of which something is known."""
    simplified.clear()
    with_dtypes.clear()
    forget_unmatched()


def rewrite_after_sources(self: RewriteContext, root: UOp) -> UOp:
    """Nodes are rewritten after their sources, until no rule matches."""
    replace, rules, ctx, limit = self.replace, rules_of(self.pm), self.ctx, ops.REWRITE_STACK_LIMIT
    find, order, stack = replace.get, [root], list[UOp]()
    changing: dict[UOp, list[UOp]] = {}  # what nodes on the stack have become so far
    if not replace and (graph := graph_of(root)) is not None:
        if (first := first_change(graph, root, rules, ctx)) is None:
            return root
        _graphs.pop(root, None)  # the next pass gets another one
        index, node, new = first
        replace.update((unchanged, unchanged) for unchanged in graph.nodes[:index])
        if (result := find(new)) is not None:
            replace[node] = result
        else:
            changing[node] = [node, new]
        order = [*graph.nodes[index:], root]
    for start in order:
        stack.append(start)
        while stack:
            node = stack[-1]
            if node in replace:
                stack.pop()
                continue
            steps = changing.get(node) or [node]
            while True:
                if len(stack) + len(steps) > limit:
                    raise RuntimeError(ENDLESS)
                now = steps[-1]
                if now.op in CALLS and not self.enter_calls and is_opaque(now):
                    replace[now.src[0]] = now.src[0]
                try:
                    below = tuple([replace[s] for s in now.src])
                except KeyError:
                    changing[node] = steps
                    stack += [s for s in now.src[::-1] if s not in replace]
                    break
                if below != now.src:
                    now = UOp(now.op, ops._rebuild_dtype(now, below), below, now.arg, now.tag)
                    steps.append(now)
                if (result := find(now)) is None:
                    new = rules[now.op, now.dtype, tuple([s.op for s in below])].rewrite(now, ctx)
                    if new is None:
                        result = now
                    elif (result := find(new)) is None:
                        steps.append(new)
                        continue
                for each in steps:
                    replace[each] = result
                stack.pop()
                break
    return replace[root]


def rewrite_before_sources(self: RewriteContext, root: UOp) -> UOp:
    """Nodes are rewritten until no rule matches, and then their sources; what these make of a node begins again.

    The order is tinygrad's, since some rules number what they make.
    """
    replace, rules, ctx, limit = self.replace, rules_of(self.bpm), self.ctx, ops.REWRITE_STACK_LIMIT
    find, entered, known = replace.get, {root}, dict[UOp, UOp | None]()
    # A node, what rules have made of it, None at first, and whether it becomes what that becomes.
    stack: list[tuple[UOp, UOp | None, bool]] = [(root, None, False)]
    waiting: dict[UOp, list[tuple[UOp, UOp | None, bool]]] = {}
    while stack:
        if len(stack) > limit:
            raise RuntimeError(ENDLESS)
        node, now, is_linked = stack.pop()
        if node in replace:
            continue
        if now is None:
            now = node
            try:
                for _ in range(limit):
                    if (new := find_rewrite(rules, now, ctx, known)) is None:
                        break
                    now = new
                else:
                    raise RuntimeError(ENDLESS)
            except ops.BottomUpGate:
                replace[node] = now
                stack += waiting.pop(node, ())
                continue
            if now.op in CALLS and not self.enter_calls and is_opaque(now):
                replace[now.src[0]] = now.src[0]
            if not entered.issuperset(now.src):
                stack.append((node, now, False))
                for s in now.src[::-1]:
                    if s not in entered:
                        stack.append((s, None, False))
                        entered.add(s)
                continue
        below = []
        for s in (now,) if is_linked else now.src:
            if (result := find(s)) is None:
                waiting.setdefault(s, []).append((node, now, is_linked))
                break
            below.append(result)
        else:
            if is_linked:
                (now,) = below
            elif (sources := tuple(below)) != now.src:
                new = UOp(now.op, ops._rebuild_dtype(now, sources), sources, now.arg, now.tag)
                stack += (node, new, True), (new, None, False)
                continue
            replace[node] = now
            stack += waiting.pop(node, ())
    return replace[root]


def find_rewrite(rules: Rules, node: UOp, ctx: Any, known: dict[UOp, UOp | None]) -> UOp | None:
    """What the first rule that matches makes of a node, once for each node."""
    if node not in known:
        known[node] = rules[form_of(node)].rewrite(node, ctx)
    return known[node]


ENDLESS = "rewriting this graph does not end"


class NodesBelow(NamedTuple):
    """The nodes of a graph except its root, each after its sources, and the forms that they and the root have."""

    nodes: list[UOp]
    numbers: list[int]  # of each node's form; the last is the root's
    forms: list[NodeForm]


_graphs: WeakKeyDictionary[UOp, NodesBelow] = WeakKeyDictionary()


def graph_of(root: UOp) -> NodesBelow | None:
    """A graph that several passes may find unchanged; None if it has calls, whose bodies are rewritten apart."""
    graph = _graphs.get(root)
    if graph is None:
        nodes = list(root.toposort())
        forms: dict[NodeForm, int] = {}
        numbers = [forms.setdefault(form_of(u), len(forms)) for u in nodes]
        graph = _graphs[root] = NodesBelow(nodes[:-1], numbers, list(forms))
    return None if any(op in CALLS for op, _, _ in graph.forms) else graph


def first_change(graph: NodesBelow, root: UOp, rules: Rules, ctx: Any) -> tuple[int, UOp, UOp] | None:
    """The index of the first node that a rule changes, the node, and what it becomes. Many passes change nothing."""
    fitting = [rules[form] for form in graph.forms]
    if not any(fitting):
        return None
    for index, number in enumerate(graph.numbers):
        if fitting[number]:
            node = graph.nodes[index] if index < len(graph.nodes) else root
            if (new := fitting[number].rewrite(node, ctx)) is not None:
                return index, node, new
    return None


def is_unchanged(root: UOp, rules: Rules) -> bool:
    """Whether no rule changes a graph, if that can be known without a context, which rules may change."""

    def needs_context(form: NodeForm) -> bool:
        return any(each.takes_context for each in rules[form])

    # A substitution, which has a rule for all nodes, need not go through all of a graph.
    if needs_context(form_of(root)):
        return False
    graph = graph_of(root)
    if graph is None or any(map(needs_context, graph.forms)):
        return False
    try:
        return first_change(graph, root, rules, None) is None
    except ops.BottomUpGate:
        return False


def walk_rewrite(self: RewriteContext, root: UOp) -> UOp:
    """Replaces RewriteContext.walk_rewrite: nodes are rewritten once, after their sources."""
    graph = graph_of(root) if self.bpm is None else None
    if graph is None:
        return original_walk(self, root)
    rules, replaced = rules_of(self.pm), dict[UOp, UOp]()
    fitting = [rules[form] for form in graph.forms]
    for node, number in zip(itertools.chain(graph.nodes, (root,)), graph.numbers):
        now, rules_here = node, fitting[number]
        if not replaced.keys().isdisjoint(node.src):
            sources = tuple([replaced.get(s, s) for s in node.src])
            now = UOp(node.op, ops._rebuild_dtype(node, sources), sources, node.arg, node.tag)
            rules_here = rules[form_of(now)]
        new = rules_here.rewrite(now, self.ctx)
        now = now if new is None else new
        if now is not node:
            replaced[node] = now
    return replaced.get(root, root)


original_walk = RewriteContext.walk_rewrite


def split_l2i(ctx: dict[Any, Any], op: Ops, dtype: DType, *sources: UOp) -> Any:
    """Replaces tinygrad's function: an operation on 64-bit numbers as operations on their halves.

    For each operation, tinygrad rewrites again everything that the operands are computed from. Here `ctx` keeps it.
    """
    key = op, dtype, sources
    if key not in ctx:
        ctx[key] = decompositions.l2i(op, dtype, *(halves_of(source, ctx) for source in sources))
    return ctx[key]


def halves_of(root: UOp, ctx: dict[Any, Any]) -> UOp:
    """What tinygrad's patterns for 64-bit numbers make of a node: each is rewritten before its sources."""
    done = ctx.setdefault("halves", {})
    rewritten: dict[UOp, UOp] = {}  # nodes whose sources are not done
    rebuilt: dict[UOp, UOp] = {}  # the same with sources that are
    stack = [root]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        if node in rebuilt:
            done[node] = done[rebuilt[node]]
            continue
        if node not in rewritten:
            now = node
            while (then := rewrite(LONG, now, ctx)) is not None:
                now = then
            rewritten[node] = now
        now = rewritten[node]
        if pending := [s for s in now.src if s not in done]:
            stack += pending[::-1]
            continue
        below = tuple([done[s] for s in now.src])
        if below == now.src:
            done[node] = now
            continue
        rebuilt[node] = UOp(now.op, ops._rebuild_dtype(now, below), below, now.arg, now.tag)
        stack.append(rebuilt[node])
    return done[root]


original_rewrite = RewriteContext.unified_rewrite


def is_opaque(node: UOp) -> bool:
    """Whether a node calls a body that is not rewritten with it."""
    return node.op is Ops.FUNCTION or (node.op is Ops.CALL and node.src[0].op in UOp._OPAQUE_CALL_BODIES)


class RecursiveProperty:
    """In place of tinygrad's: a property of a node, which is computed from its sources'.

    Without a __set__, Python takes what a node has under the property's name, and calls nothing.
    """

    def __init__(self, find: Callable[[UOp], Any]) -> None:
        self.find, self.name = find, find.__name__

    def __get__(self, node: UOp | None, owner: Any = None) -> Any:
        if node is None:
            return self
        name, find, stack, rest = self.name, self.find, list[tuple[UOp, Iterator[UOp]]](), iter(node.src)
        while True:
            for s in rest:
                if name not in s.__dict__:
                    stack.append((node, rest))
                    node, rest = s, iter(s.src)
                    break
            else:
                if name not in node.__dict__:
                    node.__dict__[name] = find(node)
                if not stack:
                    return node.__dict__[name]
                node, rest = stack.pop()


# Those of all nodes, by their names.
PROPERTIES = {
    name: RecursiveProperty(each.fxn) for name, each in vars(UOp).items() if isinstance(each, recursive_property)
}


def toposort(self: UOp, gate: Callable[[UOp], bool] | None = None, enter_calls: bool = True) -> dict[UOp, None]:
    """Replaces UOp.toposort: the nodes of a graph in the same order, each after its sources."""
    if gate is not None or not enter_calls:
        return original_toposort(self, gate, enter_calls)  # type: ignore[no-any-return]
    if graph := _graphs.get(self):
        return dict.fromkeys((*graph.nodes, self))
    # Each node with its sources that are still to come.
    found, stack, node, rest = dict[UOp, None](), list[tuple[UOp, Iterator[UOp]]](), self, iter(self.src)
    while True:
        for s in rest:
            if s not in found:
                stack.append((node, rest))
                node, rest = s, iter(s.src)
                break
        else:
            found[node] = None
            if not stack:
                return found
            node, rest = stack.pop()


original_toposort = UOp.toposort


def substitute(
    self: UOp,
    dvars: Mapping[UOp, UOp],
    name: str | None = None,
    extra_pm: PatternMatcher | None = None,
    walk: bool = False,
    enter_calls: bool = False,
) -> UOp:
    """Replaces UOp.substitute, which finds that one rule for each node, and visits what it makes once more."""
    if walk or enter_calls or extra_pm not in (None, pm_gate_substitute):
        return original_substitute(self, dvars, name, extra_pm, walk, enter_calls)
    known = {old: new for old, new in dvars.items() if old is not new}
    done, stack, limit = dict[UOp, UOp](), [self] * bool(known), ops.REWRITE_STACK_LIMIT
    while stack:
        if len(stack) > limit:
            raise RuntimeError(ENDLESS)
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        if node.op in CALLS and is_opaque(node):
            done[node.src[0]] = node.src[0]
        new = known.get(node)
        if extra_pm is not None and known.keys().isdisjoint(node.ranges):  # outside the loops that are replaced
            done[node] = node
        elif pending := [s for s in (node.src if new is None else (new,)) if s not in done]:
            stack += pending[::-1]
            continue
        elif new is not None:
            done[node] = done[new]
        else:
            below = tuple([done[s] for s in node.src])
            rebuilt = below != node.src
            done[node] = UOp(node.op, ops._rebuild_dtype(node, below), below, node.arg, node.tag) if rebuilt else node
        stack.pop()
    return done.get(self, self)


original_substitute = UOp.substitute


def has_operation(self: UOp, *wanted: Ops) -> bool:
    """Replaces UOp.op_in_backward_slice_with_self, which goes through all nodes that a node is computed from."""
    found = operations.__get__(self)
    return any(found >> op.value & 1 for op in wanted)


def bits_of_operations(node: UOp) -> int:
    """A bit for each operation of a node and of those that it is computed from."""
    found = 1 << int(node.op.value)
    for s in node.src:
        found |= s.__dict__["bits_of_operations"]
    return found


operations = RecursiveProperty(bits_of_operations)
