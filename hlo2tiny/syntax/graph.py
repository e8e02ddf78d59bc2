"""The actions of the grammar that build the graph: values, operations in generic form, regions, functions, modules.

A value is resolved when its operand is shifted, so everything before it has been reduced and defined.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, NoReturn

from lark import Token

from .. import ir
from ..errors import Source, VerifyError
from ..ir.rewrite import Rewriter
from . import pretty
from .assembly import LATER, assemble
from .expected import foreign_op, unsupported
from .pretty import Attributes
from .reader import Reader
from .source import Payloads

RESULT = re.compile(r"(%[\w$.\-]+)(?:\s*:\s*(\d+))?")
OPERAND = re.compile(r"%[\w$.\-]+(?:#\d+)?")

Values = tuple[ir.Value, ...]
ValueTypes = tuple[ir.Type, ...]
Regions = tuple[ir.Region, ...]
# An op without its results and location: name, operands, attributes, regions, result types.
OpParts = tuple[Token, Values, Mapping[str, ir.Attribute], Regions, ValueTypes]
StatedTypes = ir.Type | ValueTypes
# A block's argument: name, type, attributes, location.
BlockArgument = tuple[Token, ir.Type, Attributes | None, str | None]


class _Scope:
    """A region that is being parsed: its current block, and the blocks before it."""

    __slots__ = ("arguments", "blocks", "defined", "labels", "later", "ops", "outer", "targets")

    def __init__(self, arguments: Values, ops: list[ir.Op], outer: dict[str, ir.Value] | None) -> None:
        self.arguments, self.ops, self.outer = arguments, ops, outer
        self.defined: list[str] = []
        self.blocks: list[tuple[Values, list[ir.Op]]] = []
        self.labels: dict[str, int] = {}  # the numbers of the blocks
        self.targets: dict[ir.Op, Sequence[Token]] = {}  # the labels that branches go to
        self.later: dict[str, tuple[ir.Value, int]] = {}  # values used before their definition, and where


class GraphReader(Reader):
    """The actions for values, for operations in generic form, and for what holds them."""

    def _begin(self, source: Source, payloads: Payloads) -> None:
        super()._begin(source, payloads)
        self.values: dict[str, ir.Value] = {}
        self.scope = _Scope((), [], None)
        self.scopes: list[_Scope] = []
        self.pending: list[BlockArgument] = []  # the arguments of the region that opens next
        self.isolated = False  # whether that region sees no values from outside
        self.loops: list[list[BlockArgument]] = []  # the arguments of the bodies of the loops being parsed
        self.targets: Sequence[Token] = ()  # the labels that the current op branches to

    def module_of(self, source: Source, payloads: Payloads) -> ir.Module:
        """Parse a whole file."""
        self._begin(source, payloads)
        try:
            self._parse(self.text, "file", 0)
            self.check_awaited()
            if not self.scope.ops:
                self._fail("there is no module in this text: it is empty", 0)
            return assemble(self.scope.ops, self.source)
        finally:
            self._begin(Source("", ""), Payloads([]))  # keep no file after the parse

    def attribute_of(self, text: str) -> ir.Attribute:
        """Parse an attribute alone."""
        self._begin(Source("<attribute>", text), Payloads([]))
        try:
            result: ir.Attribute = self._parse(self.text, "attribute", 0)
            return result
        finally:
            self._begin(Source("", ""), Payloads([]))

    # ------------------------------------------------------------ values

    def OPERANDS(self, token: Token) -> Values:  # noqa: N802
        try:
            return tuple([self.values[name] for name in token.split(", ")])
        except KeyError:
            return self._operands(token)

    def _operands(self, token: Token) -> Values:
        """Operands that are not separated by ", ", or not all defined: an error, or the value of a later block."""
        start = token.start_pos or 0
        return tuple([self.values.get(m[0]) or self._later(m[0], start + m.start()) for m in OPERAND.finditer(token)])

    def _later(self, name: str, offset: int) -> ir.Value:
        """A placeholder for a value that a later block may define; an error outside regions of several blocks."""
        for scope in (self.scope, *reversed(self.scopes)):
            if scope.blocks:
                return scope.later.setdefault(name, (ir.Value(name[1:], LATER), offset))[0]
            if scope.outer is not None:
                break
        self._fail_undefined(name, offset)

    def _fail_undefined(self, name: str, offset: int) -> NoReturn:
        base = name.partition("#")[0]
        if base in self.values and base != name:
            self._fail(f"the value {name} is not defined: {base} has fewer results", offset, VerifyError)
        if op := foreign_op(self.text, self.base + offset):  # whose own syntax may define it, as that of loops does
            self._fail(f"{name} is not defined before its use, unless by this op; {unsupported(op)}", offset)
        near = get_close_matches(name, self.values, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        self._fail(f"the value {name} is not defined before its use{hint}", offset, VerifyError)

    def _define(self, name: str, value: ir.Value, offset: int) -> None:
        if name in self.values:
            self._fail(f"the value {name} is already defined", offset, VerifyError)
        self.values[name] = value
        self.scope.defined.append(name)

    def _results(self, token: Token, types: ValueTypes, op: str) -> Values:
        """Define an op's results: %a = …, %a:2 = …, %a, %b = …."""
        single = token[:-1].rstrip()
        if len(types) == 1 and (single[1:].isdecimal() or single[1:].isidentifier()):
            value = ir.Value(single[1:], types[0])
            self._define(single, value, token.start_pos or 0)
            return (value,)
        results: list[ir.Value] = []
        for match in RESULT.finditer(token):
            name, count = match[1], int(match[2] or 1)
            offset = (token.start_pos or 0) + match.start()
            if len(results) + count > len(types):
                break
            for i in range(count):
                value = ir.Value(f"{name[1:]}#{i}" if match[2] else name[1:], types[len(results)])
                results.append(value)
                if i == 0:
                    self._define(name, value, offset)
                if match[2]:
                    self._define(f"{name}#{i}", value, offset)
        else:
            if len(results) == len(types):
                return tuple(results)
        named = sum(int(match[2] or 1) for match in RESULT.finditer(token))
        self._fail(f"{op}: names {named} results, but the op has {len(types)}", token, VerifyError)

    # ------------------------------------------------------------ operations

    def operation(self, children: list[Any]) -> None:
        names, body, label = children
        name, operands, attributes, regions, types = body
        location = ir.Location(self.source, name.start_pos, label or "", self.labels)
        full = str(name)
        if names is not None:
            results = self._results(names, types, full)
        else:
            results = tuple([ir.Value("", type) for type in types]) if types else ()
        self.scope.ops.append(ir.Op(full, operands, results, attributes, regions, location))
        if self.targets:
            self.scope.targets[self.scope.ops[-1]], self.targets = self.targets, ()

    def ops(self, children: list[Any]) -> None:
        return None

    def _body(
        self,
        name: Token,
        operands: Values | None,
        attributes: Attributes,
        regions: Regions,
        signature: StatedTypes,
    ) -> OpParts:
        """An op's body, its operands checked against the stated types."""
        full = pretty.op_name(name)
        operands = operands or ()
        if full != name:
            name = name.update(value=full)
        if type(signature) is ir.FunctionType:
            inputs: Sequence[ir.Type] = signature.inputs
            results = signature.results
        else:
            written = signature if type(signature) is tuple else (signature,)
            try:
                inputs, types = pretty.operand_and_result_types(full, len(operands), written)  # type: ignore[arg-type]
            except ValueError as error:
                self._fail(f"{full}: {error}", name, VerifyError)
            results = tuple(types)
        if len(inputs) != len(operands):
            self._fail(f"{full}: has {len(operands)} operands, but {len(inputs)} operand types", name, VerifyError)
        for i, (operand, declared) in enumerate(zip(operands, inputs)):
            if operand.type is LATER:
                object.__setattr__(operand, "type", declared)
            elif operand.type is not declared and operand.type != declared:
                self._fail(
                    f"{full}: operand {i + 1}, %{operand.name}, is {operand.type}, expected {declared}",
                    name,
                    VerifyError,
                )
        if attributes and not full.startswith("builtin"):
            attributes = pretty.modernise(full, attributes)
        return name, operands, attributes, regions, results

    # ------------------------------------------------------------ generic form, regions

    blocks_after, regions, argument = Reader.in_list, Reader.in_tuple, Reader.in_tuple

    def generic_head(self, children: list[Any]) -> tuple[Any, ...]:
        token, operands, targets, properties = children
        name = token.update(value=self._unquote(token))
        self.isolated = name in ("func.func", "builtin.module")
        return name, operands, properties or {}, targets or ()

    def generic(self, children: list[Any]) -> OpParts:
        (name, operands, attributes, targets), regions, more, signature = children
        for key in more or ():
            if key in attributes:
                self._fail(f"{name}: the attribute '{key}' is given twice", name)
        self.isolated, self.targets = False, targets
        return self._body(name, operands, {**attributes, **(more or {})}, regions or (), signature)

    def region_open(self, children: list[Any]) -> None:
        arguments, self.pending = self.pending, []
        self._enter(arguments)

    def region_labelled(self, children: list[Any]) -> None:
        if self.pending:
            self._fail("this block's arguments are already given before its brace", children[0])
        self._enter(children[1] or [])
        self.scope.labels[str(children[0])] = 0

    def _enter(self, arguments: list[BlockArgument]) -> None:
        self.scopes.append(self.scope)
        outer = None
        if self.isolated:
            outer, self.values, self.isolated = self.values, {}, False
        self.scope = _Scope((), [], outer)
        self.scope.arguments = self._block_arguments(arguments)

    def _block_arguments(self, arguments: list[BlockArgument]) -> Values:
        values = []
        for name, type, _, label in arguments:
            offset = name.start_pos or 0
            value = ir.Value(str(name[1:]), type, ir.Location(self.source, offset, label or "", self.labels))
            self._define(str(name), value, offset)
            values.append(value)
        return tuple(values)

    def next_block(self, children: list[Any]) -> None:
        label, arguments = children
        scope = self.scope
        if str(label) in scope.labels:
            self._fail(f"the block {label} is already defined", label, VerifyError)
        scope.blocks.append((scope.arguments, scope.ops))
        scope.labels[str(label)] = len(scope.blocks)
        scope.arguments, scope.ops = self._block_arguments(arguments or []), []

    def bare_terminator(self, children: list[Any]) -> None:
        name, attributes, label = children
        self.operation([None, self._body(name, (), attributes or {}, (), ir.FunctionType((), ())), label])

    def region(self, children: list[Any]) -> ir.Region:
        scope = self.scope
        later = {}
        for name, (value, offset) in scope.later.items():
            if name not in self.values:
                self._fail_undefined(name, offset)
            later[value] = self.values[name]
            if value.type != self.values[name].type:
                message = f"%{value.name} is {self.values[name].type}, but is used as {value.type}"
                self._fail(message, offset, VerifyError)
        for name in scope.defined:
            del self.values[name]
        if scope.outer is not None:
            self.values = scope.outer
        self.scope = self.scopes.pop()
        if not scope.targets and not scope.blocks:
            return ir.Region(scope.arguments, tuple(scope.ops))
        first, *others = [
            ir.Region(arguments, tuple([self._resolve_targets(op, scope) if op in scope.targets else op for op in ops]))
            for arguments, ops in (*scope.blocks, (scope.arguments, scope.ops))
        ]
        region = replace(first, blocks=tuple(others))
        return Rewriter(later).region(region) if later else region

    def _resolve_targets(self, op: ir.Op, scope: _Scope) -> ir.Op:
        """A branch with the numbers of the blocks that its labels name."""
        for label in scope.targets[op]:
            if str(label) not in scope.labels:
                near = get_close_matches(str(label), scope.labels, 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                self._fail(f"{op.name}: there is no block {label} in this region{hint}", label, VerifyError)
        return replace(op, successors=tuple(scope.labels[str(label)] for label in scope.targets[op]))

    def arguments(self, children: list[Any]) -> list[Any]:
        return [child for child in children if child is not None]

    parameters = arguments

    def unnamed(self, children: list[Any]) -> tuple[ir.Type, Attributes | None]:
        return children[0], children[1]

    def results(self, children: list[Any]) -> list[Any]:
        return [child if isinstance(child, tuple) else (child, None) for child in children if child is not None]

    # ------------------------------------------------------------ functions and modules

    def func_head(self, children: list[Any]) -> tuple[Token, Attributes]:
        visibility, symbol, parameters, results, attributes = children
        named = bool(parameters) and isinstance(parameters[0][0], Token)
        inputs = [p[1:3] if named else p for p in parameters]
        head: Attributes = {
            "sym_name": ir.StringAttr(self._symbol(symbol).names[0]),
            "function_type": ir.TypeAttr(
                ir.FunctionType(tuple(t for t, _ in inputs), tuple(t for t, _ in results or ()))
            ),
        }
        if visibility is not None:
            head["sym_visibility"] = ir.StringAttr(str(visibility))
        for key, entries in (("arg_attrs", inputs), ("res_attrs", results or [])):
            if any(attributes for _, attributes in entries):
                head[key] = ir.ArrayAttr(tuple(ir.DictAttr(attributes or {}) for _, attributes in entries))
        for key, value in (attributes or {}).items():
            if key in head:
                self._fail(f"func.func: the attribute '{key}' is given twice", symbol)
            head[key] = value
        self.pending = parameters if named else []
        self.isolated = True
        return symbol, head

    def func(self, children: list[Any]) -> OpParts:
        (symbol, attributes), region = children
        self.pending, self.isolated = [], False
        regions = (region if region is not None else ir.Region((), ()),)
        return symbol.update(value="func.func"), (), attributes, regions, ()

    def module_head(self, children: list[Any]) -> tuple[Token | None, Attributes]:
        self.isolated = True
        return children[0], children[1] or {}

    def module(self, children: list[Any]) -> OpParts:
        (symbol, attributes), region = children
        if symbol is not None:
            attributes = {"sym_name": ir.StringAttr(self._symbol(symbol).names[0]), **attributes}
        name = symbol.update(value="builtin.module") if symbol is not None else Token("NAME", "builtin.module", 0)
        return name, (), attributes, (region,), ()
