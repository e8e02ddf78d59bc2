"""Text → Module: Lark's LALR parser with the graph built during the parse, no tree between.

A value is resolved when its operand is shifted, so everything before it has been reduced and defined.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from typing import Any, NoReturn

from lark import Token

from .. import ir
from ..errors import FAULTS, Source, VerifyError, explain_fault
from ..forking import in_child, lock, without_collection
from ..ir.strings import unquote
from ..ops import Schema, Trait, schema_of
from ..ops.attributes import STRING, Kind
from . import pretty
from .assembly import LATER, assemble, with_values
from .expected import foreign_op, unsupported
from .pretty import Attributes
from .reader import I1, I64, Reader
from .source import Payloads, ProgramPath, contents, cut_payloads

RESULT = re.compile(r"(%[\w$.\-]+)(?:\s*:\s*(\d+))?")
OPERAND = re.compile(r"%[\w$.\-]+(?:#\d+)?")

UNKNOWN = Schema("")
Values = tuple[ir.Value, ...]
ValueTypes = tuple[ir.Type, ...]
Regions = tuple[ir.Region, ...]
# An op without its results and location: name, operands, attributes, regions, result types.
OpParts = tuple[Token, Values, Mapping[str, ir.Attribute], Regions, ValueTypes]
StatedTypes = ir.Type | ValueTypes
# A block's argument: name, type, attributes, location. A branch's target: label, values that it passes, their types.
BlockArgument = tuple[Token, ir.Type, Attributes | None, str | None]
Successor = tuple[Token, Values, ValueTypes]


def parse(path_or_text: ProgramPath) -> ir.Module:
    """Read a StableHLO module.

    Args:
        path_or_text: the path of an .mlir file; or its text, as a string with a newline or a brace in it, or as bytes.

    Raises:
        InputError: there is no such file, or it cannot be read.
        ParseError: it is not MLIR text, with the place.
        VerifyError: a value is undefined, defined twice, or not of the type stated.
    """
    return parse_contents(*contents(path_or_text))


def parse_contents(data: bytes, path: str) -> ir.Module:
    """Read a StableHLO module from the bytes of its text; `path` names it in errors."""
    source, payloads = cut_payloads(data, path)
    with without_collection(), _LOCK:
        return _builder().module_of(source, payloads)


def parse_attribute(text: str) -> ir.Attribute:
    """Read a single attribute, or a type as a TypeAttr; ParseError if it is neither, or refers to an alias."""
    with _LOCK:
        return _builder().attribute_of(text)


_LOCK = lock()


@cache
def _builder() -> _Builder:
    return _Builder()


# In the parent, another thread may have been parsing when the process forked.
in_child(_builder.cache_clear)


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


class _Builder(Reader):
    """The actions for values, operations and regions."""

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
            self._begin(Source("", ""), Payloads([]))  # hold no file after the parse

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

    clauses = scan_head = blocks_after = Reader.in_list
    regions = clause = argument = Reader.in_tuple

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

    def _clauses(self, name: Token, clauses: list[tuple[Token, Any]] | None, attributes: Attributes) -> None:
        """Add the attributes that clauses such as `dims = [0, 1]` stand for."""
        full, schema = self._schema(name)
        known = schema.pretty.clauses
        for token, value in clauses or []:
            key = token[:-1].rstrip()
            if key not in known:
                allowed = f"; it takes {', '.join(known)}" if known else ""
                self._fail(f"{full}: takes no '{key} ='{allowed}", token)
            clause = known[key]
            try:
                if isinstance(value, Token):
                    value = self._clause_value(value, schema.written[clause.names[0][0]] if clause.names else None)
                pretty.add_clause(schema, clause, value, attributes)
            except FAULTS as error:
                self._fail(f"{full}: '{key} =': {explain_fault(error)}", token)

    def _clause_value(self, token: Token, kind: Kind | None) -> Any:
        """The value of a clause: numbers, a word, a string, a list of these, or a structure."""
        match token.type:
            case "INTEGERS":
                return pretty.integers(token)
            case "NUMBER":
                if "x" in token:
                    return int(token, 16)
                return float(token) if re.search(r"[.eE]", token) else int(token)
            case "WORDS":
                return [word.strip() for word in token[1:-1].split(",")]
            case "STRING":
                return unquote(token)
            case "ANGLES" if kind is not None and kind.structure:
                return self._struct("stablehlo", kind.structure, str(token), token, token.start_pos or 0)
        return {"true": True, "false": False}.get(token, str(token))

    def _schema(self, name: Token) -> tuple[str, Schema]:
        """An op's current name, and its row."""
        full = pretty.op_name(name)
        return full, schema_of(full) or UNKNOWN

    def clause_pair(self, children: list[Any]) -> tuple[Token, tuple[list[int], list[int]]]:
        return children[0], (pretty.integers(children[1]), pretty.integers(children[2]))

    def tail(self, children: list[Any]) -> tuple[Attributes, StatedTypes]:
        attributes, signature = children
        return ({} if attributes is None else attributes), signature

    def plain(self, children: list[Any]) -> OpParts:
        name, operands, signature = children
        return self._body(name, operands, {}, (), self._signature_after(name, signature))

    def plain_attributes(self, children: list[Any]) -> OpParts:
        name, operands, attributes, signature = children
        return self._body(name, operands, attributes, (), self._signature_after(name, signature))

    def plain_attributes_before(self, children: list[Any]) -> OpParts:
        name, attributes, operands, signature = children
        full = pretty.op_name(name)
        if (schema := schema_of(full)) is not None and not schema.traits & Trait.ATTRIBUTES_FIRST:
            self._fail(f"{full}: the attributes stand before the operands, expected them behind", name)
        return self.plain_attributes([name, operands, attributes, signature])

    def _signature_after(self, name: Token, signature: StatedTypes) -> StatedTypes:
        """The types after an op. After a return, a function type is the type of the returned value."""
        return (signature,) if isinstance(signature, ir.FunctionType) and name.endswith("return") else signature

    def nullary(self, children: list[Any]) -> OpParts:
        name, (attributes, signature) = children
        return self._body(name, (), attributes, (), signature)

    def clauses_after(self, children: list[Any]) -> OpParts:
        name, operands, clauses, (attributes, signature) = children
        self._clauses(name, clauses, attributes)
        return self._body(name, operands, attributes, (), signature)

    def clauses_only(self, children: list[Any]) -> OpParts:
        name, clauses, (attributes, signature) = children
        self._clauses(name, clauses, attributes)
        return self._body(name, (), attributes, (), signature)

    def indexed(self, children: list[Any]) -> OpParts:
        name, operands, index, (attributes, signature) = children
        _, schema = self._schema(name)
        match schema.pretty.outline:
            case "%[$]":
                if len(values := pretty.integers(index)) != 1 or index.type != "INTEGERS":
                    self._fail(f"{name}: expected one index in brackets", index)
                parts: Sequence[int | list[int]] = values
            case "%[$:$:$]":
                ranges = [[int(n) for n in part.split(":")] for part in index[1:-1].split(",") if part.strip()]
                if any(len(r) not in (2, 3) for r in ranges):
                    self._fail(f"{name}: expected start:limit or start:limit:stride for each dimension", index)
                parts = [[r[0] for r in ranges], [r[1] for r in ranges], [r[2] if len(r) == 3 else 1 for r in ranges]]
            case "%[%]" if not index[1:-1].strip():
                parts = []
            case _:
                self._fail(f"{name}: takes no index in brackets", index)
        for key, value in zip(schema.pretty.names, parts):
            attributes[key] = schema.written[key].encode(value)
        return self._body(name, operands, attributes, (), signature)

    def subscripted(self, children: list[Any]) -> OpParts:
        name, operands, indices, (attributes, signature) = children
        return self._body(name, operands + indices, attributes, (), signature)

    def _flags(self, name: Token, flags: Token | None, attributes: Attributes) -> None:
        """Add the attributes that flags such as overflow<nsw> stand for."""
        _, schema = self._schema(name)
        for word, inside in re.findall(r"(\w+)(?:\s*<([^<>]*)>)?\s*", flags or ""):
            key = schema.flags.get(word)
            if key is None or flags is None:
                self._fail(f"{name}: takes no '{flags.rstrip() if flags else word}'", flags or name)
            attributes[key] = schema.written[key].encode(inside or word)

    def flagged(self, children: list[Any]) -> OpParts:
        name, operands, flags, (attributes, signature) = children
        self._flags(name, flags, attributes)
        return self._body(name, operands, attributes, (), signature)

    def valued(self, children: list[Any]) -> OpParts:
        """An op whose pretty form is the value of its attribute."""
        name, value, *tail = children
        _, schema = self._schema(name)
        attributes, signature = tail[0] if tail else ({}, ())
        if schema.pretty.outline != "$":
            self._fail(f"{name}: expected an operand, found {value}", value)
        (key,) = schema.pretty.names
        try:
            attributes[key] = schema.written[key].encode(self._clause_value(value, None))
        except FAULTS as error:
            self._fail(f"{name}: {explain_fault(error)}", value)
        if not isinstance(attributes[key], ir.Attribute):
            self._fail(f"{name}: expected {schema.written[key].text}, found {value}", value)
        return self._body(name, (), attributes, (), signature)

    def untyped(self, children: list[Any]) -> OpParts:
        name, operands, message, attributes = children
        form = self._schema(name)[1].pretty
        if "%" not in form.outline or (message is not None and not form.names):
            self._fail(f"{name}: takes no {'operands' if message is None else 'message'}", name)
        more = {} if message is None else {form.names[0]: ir.StringAttr(self._unquote(message))}
        return self._body(name, operands, {**(attributes or {}), **more}, (), tuple(v.type for v in operands))

    def assuming_head(self, children: list[Any]) -> tuple[Any, ...]:
        name, operands, results = children
        return name, operands, results if isinstance(results, tuple) else () if results is None else (results,)

    def assuming(self, children: list[Any]) -> OpParts:
        (name, operands, results), region = children
        region = self._add_terminator(region, "shape.assuming_yield", name)
        return self._body(name, operands, {}, (region,), ir.FunctionType((pretty.WITNESS,), results))

    def compare(self, children: list[Any]) -> OpParts:
        name, direction, operands, kind, flags, (attributes, signature) = children
        full, schema = self._schema(name)
        self._flags(name, flags, attributes)
        if not schema.pretty.outline.startswith("$%"):
            self._fail(f"{full}: expected an operand, found {direction}", direction)
        for key, word in zip(schema.pretty.names, (direction, kind)):
            if word is None:
                continue
            try:
                attributes[key] = schema.written[key].encode(str(word))
            except ValueError as error:
                self._fail(f"{full}: {error}", word)
        return self._body(name, operands, attributes, (), signature)

    def constant(self, children: list[Any]) -> OpParts:
        name, attributes, value = children
        type = self._constant_type(name, value)
        return self._body(name, (), {**(attributes or {}), "value": value}, (), ir.FunctionType((), (type,)))

    def constant_generic(self, children: list[Any]) -> OpParts:
        name, properties, (attributes, signature) = children
        if pretty.op_name(name) != "stablehlo.constant":
            self._fail(f"{name}: the generic form needs the name in quotes", name)
        return self._body(name, (), {**properties, **attributes}, (), signature)

    def function_constant(self, children: list[Any]) -> OpParts:
        name, attributes, symbol, type = children
        return self._body(
            name, (), {**(attributes or {}), "value": self._symbol(symbol)}, (), ir.FunctionType((), (type,))
        )

    def call_indirect(self, children: list[Any]) -> OpParts:
        name, callee, operands, (attributes, signature) = children
        if not isinstance(signature, ir.FunctionType):
            self._fail(f"{name}: expected a function type", name)
        type = ir.FunctionType((signature, *signature.inputs), signature.results)
        return self._body(name, callee + (operands or ()), attributes, (), type)

    def compared_constant(self, children: list[Any]) -> OpParts:
        name, operands, value = children
        type = self._constant_type(name, value)
        return self._body(name, operands, {"value": value}, (), ir.FunctionType((type,), ()))

    def _constant_type(self, name: Token, value: ir.Attribute) -> ir.Type:
        if isinstance(value, ir.BoolAttr):
            return I1
        if not isinstance(value, ir.DenseAttr | ir.ElidedAttr | ir.IntegerAttr | ir.FloatAttr):
            self._fail(f"{name}: expected a typed value such as dense<1> : tensor<2xi32>", name)
        return value.type

    def call(self, children: list[Any]) -> OpParts:
        name, symbol, operands, (attributes, signature) = children
        callee = self._symbol(symbol)
        _, schema = self._schema(name)
        key = schema.pretty.names[0] if schema.pretty.outline == "@$(%)" else "callee"
        is_text = key in schema.written and schema.written[key].decode is STRING.decode
        attributes[key] = ir.StringAttr(callee.names[0]) if is_text else callee
        return self._body(name, operands, attributes, (), signature)

    def composite(self, children: list[Any]) -> OpParts:
        name, label, operands, regions, (attributes, signature) = children
        attributes["name"] = ir.StringAttr(self._unquote(label))
        return self._body(name, operands, attributes, regions or (), signature)

    def empty(self, children: list[Any]) -> OpParts:
        name, attributes = children
        return self._body(name, (), attributes or {}, (), ir.FunctionType((), ()))

    def parenthesised(self, children: list[Any]) -> OpParts:
        name, operands, clauses, (attributes, signature) = children
        if not self._schema(name)[1].pretty.parenthesised:
            self._fail(
                f"{name}: takes its operands without parentheses; the generic form needs the name in quotes", name
            )
        self._clauses(name, clauses, attributes)
        return self._body(name, operands, attributes, (), signature)

    convolution = parenthesised

    # ------------------------------------------------------------ pretty forms with regions

    def while_head(self, children: list[Any]) -> tuple[Token, Values, Attributes, ValueTypes]:
        name, *bindings, types, attributes = children
        start = bindings[0].start_pos if bindings else 0
        matches = list(OPERAND.finditer(bindings[0])) if bindings else []
        operands, types = [], types or ()
        for match in matches[1::2]:
            value = self.values.get(match[0])
            if value is None:
                self._fail_undefined(match[0], (start or 0) + match.start())
            operands.append(value)
        if len(types) != len(operands):
            self._fail(f"{name}: has {len(operands)} operands, but {len(types)} types", name, VerifyError)
        names = [Token("VALUE", match[0], start) for match in matches[::2]]
        self.pending = [(name, type, None, None) for name, type in zip(names, types, strict=True)]
        self.loops.append(self.pending)
        return name, tuple(operands), attributes or {}, types

    def do(self, children: list[Any]) -> None:
        self.pending = self.loops.pop()

    def while_loop(self, children: list[Any]) -> OpParts:
        (name, operands, attributes, types), condition, _, body = children
        return self._body(name, operands, attributes, (condition, body), ir.FunctionType(types, types))

    def INITS(self, token: Token) -> Values:  # noqa: N802
        values = self._operands(token)
        return values[::2] + values[1::2]

    def across(self, children: list[Any]) -> ir.DenseArrayAttr:
        return ir.DenseArrayAttr(I64, tuple(pretty.integers(children[0])))

    def reduce_applies(self, children: list[Any]) -> OpParts:
        name, operands, inner, dimensions, (attributes, signature) = children
        location = ir.Location(self.source, inner.start_pos, "", self.labels)
        inputs = [value.type for value in operands[: len(operands) // 2]]
        types = [ir.TensorType((), type.element) if isinstance(type, ir.TensorType) else type for type in inputs]
        arguments = tuple(ir.Value(side, type) for side in ("lhs", "rhs") for type in types)
        result = ir.Value("result", types[0])
        region = ir.Region(
            arguments,
            (
                ir.Op(pretty.op_name(inner), arguments, (result,), {}, (), location),
                ir.Op("stablehlo.return", (result,), (), {}, (), location),
            ),
        )
        return self._body(name, operands, {**attributes, "dimensions": dimensions}, (region,), signature)

    def reduce_head(self, children: list[Any]) -> tuple[Any, ...]:
        name, operands, dimensions, tail, *pairs = children
        if any(len(pair) != 2 for pair in pairs) or len(pairs) != len(operands) // 2:
            self._fail(f"{name}: the reducer needs two arguments for each input", name, VerifyError)
        self.pending = [pair[0] for pair in pairs] + [pair[1] for pair in pairs]
        return name, operands, dimensions, tail

    def reduce(self, children: list[Any]) -> OpParts:
        (name, operands, dimensions, (attributes, signature)), region = children
        return self._body(name, operands, {**attributes, "dimensions": dimensions}, (region,), signature)

    def scan(self, children: list[Any]) -> OpParts:
        (name, inputs, inits, dimension, more), region, signature = children
        inputs, inits = inputs or (), inits or ()
        results = signature.results if isinstance(signature, ir.FunctionType) else ()
        attributes: Attributes = {
            "dimension": ir.IntegerAttr(int(dimension), I64),
            **(more or {}),
            "operandSegmentSizes": ir.DenseArrayAttr(pretty.I32, (len(inputs), len(inits))),
            "resultSegmentSizes": ir.DenseArrayAttr(pretty.I32, (len(results) - len(inits), len(inits))),
        }
        return self._body(name, inputs + inits, attributes, (region,), signature)

    # ------------------------------------------------------------ Shardy

    def mesh(self, children: list[Any]) -> OpParts:
        name, symbol, axes, more = children
        dialect, _, kind = name.partition(".")
        attributes: Attributes = {
            "sym_name": ir.StringAttr(self._symbol(symbol).names[0]),
            kind: self._hash(axes) if axes.type == "HASH" else ir.DialectAttr(dialect, kind, {}, str(axes[1:-1])),
            **(more or {}),
        }
        return self._body(name, (), attributes, (), ir.FunctionType((), ()))

    def sharded(self, children: list[Any]) -> OpParts:
        name, operands, sharding, (attributes, signature) = children
        full, schema = self._schema(name)
        if schema.pretty.outline != "%<$>":
            self._fail(f"{full}: takes no {sharding}", sharding)
        key = schema.pretty.names[0]
        attributes[key] = schema.written[key].encode(str(sharding))
        return self._body(name, operands, attributes, (), signature)

    def collective(self, children: list[Any]) -> OpParts:
        name, axes, operands, clauses, (attributes, signature) = children
        full, schema = self._schema(name)
        if schema.pretty.outline != "$%":
            self._fail(f"{full}: expected an operand, found {axes}", axes)
        key = schema.pretty.names[0]
        attributes[key] = schema.written[key].encode(str(axes))
        self._clauses(name, clauses, attributes)
        return self._body(name, operands, attributes, (), signature)

    def manual_head(self, children: list[Any]) -> tuple[Any, ...]:
        name, operands, inputs, outputs, axes, arguments = children
        self.pending = arguments
        attributes = {
            "in_shardings": ir.DialectAttr("sdy", "sharding_per_value", {}, str(inputs)),
            "out_shardings": ir.DialectAttr("sdy", "sharding_per_value", {}, str(outputs)),
            "manual_axes": ir.DialectAttr("sdy", "", {}, f"manual_axes{axes}"),
        }
        return name, operands, attributes

    def named_head(self, children: list[Any]) -> tuple[Any, ...]:
        name, label, operands, *shardings, arguments = children
        if name != "sdy.named_computation":
            self._fail(unsupported(name), name)
        self.pending = arguments
        attributes: Attributes = {"name": ir.StringAttr(self._unquote(label[1:-1].strip()))}
        for key, text in zip(("in_shardings", "out_shardings"), shardings):
            if text is not None:
                attributes[key] = ir.DialectAttr("sdy", "sharding_per_value", {}, str(text))
        return name, operands, attributes

    def _add_terminator(self, region: ir.Region, terminator: str, place: Token) -> ir.Region:
        """A region with its terminator, which the text leaves out if it returns nothing."""
        if region.ops and region.ops[-1].name == terminator:
            return region
        location = ir.Location(self.source, place.start_pos or 0, "", self.labels)
        return ir.Region(region.arguments, (*region.ops, ir.Op(terminator, (), (), {}, (), location)))

    def manual_computation(self, children: list[Any]) -> OpParts:
        (name, operands, attributes), region, more, signature = children
        region = self._add_terminator(region, "sdy.return", name)
        return self._body(name, operands, {**attributes, **(more or {})}, (region,), signature)

    named_computation = manual_computation

    # ------------------------------------------------------------ branches between blocks

    def successor(self, children: list[Any]) -> tuple[Token, Values, ValueTypes]:
        label, operands, types = children
        return label, operands or (), types or ()

    def _branch(
        self, name: Token, operands: Values, types: ValueTypes, successors: Sequence[Successor], more: Attributes
    ) -> OpParts:
        """A branch, whose operands are its own, followed by the arguments of each block."""
        self.targets = [label for label, _, _ in successors]
        operands += tuple(value for _, values, _ in successors for value in values)
        types += tuple(type for _, _, written in successors for type in written)
        return self._body(name, operands, more, (), ir.FunctionType(types, ()))

    def branch(self, children: list[Any]) -> OpParts:
        name, successor, attributes = children
        return self._branch(name, (), (), [successor], attributes or {})

    def conditional_branch(self, children: list[Any]) -> OpParts:
        name, condition, weights, *successors, attributes = children
        sizes = (len(condition), *(len(values) for _, values, _ in successors))
        more = {**(attributes or {}), "operandSegmentSizes": ir.DenseArrayAttr(pretty.I32, sizes)}
        if weights is not None:
            more["branch_weights"] = ir.DenseArrayAttr(pretty.I32, tuple(pretty.integers(weights)))
        return self._branch(name, condition, (I1,) * len(condition), successors, more)

    def switch(self, children: list[Any]) -> OpParts:
        name, flag, type, default, *cases, attributes = children
        numbers, successors = cases[::2], cases[1::2]
        counts = [len(values) for _, values, _ in (default, *successors)]
        more: Attributes = {
            **(attributes or {}),
            "case_operand_segments": ir.DenseArrayAttr(pretty.I32, tuple(counts[1:])),
            "operandSegmentSizes": ir.DenseArrayAttr(pretty.I32, (len(flag), counts[0], sum(counts[1:]))),
        }
        if numbers:
            text = f"dense<[{', '.join(numbers)}]> : vector<{len(numbers)}x{type}>"
            more["case_values"] = ir.DialectAttr("builtin", "", {}, text)
        return self._branch(name, flag, (type,) * len(flag), [default, *successors], more)

    # ------------------------------------------------------------ generic form, regions

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
        return with_values(region, later) if later else region

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
