"""Text → Module: Lark's LALR parser builds the graph during the parse, with no tree in between.

Here are the actions for the pretty forms of ops; graph.py has those for what all ops share.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from lark import Token

from .. import ir
from ..errors import FAULTS, VerifyError, explain_fault
from ..ir.strings import unquote
from ..machine.forking import in_child, lock, without_collection
from ..ops import Schema, Trait, schema_of
from ..ops.attributes import STRING, Kind
from . import pretty
from .expected import unsupported
from .graph import OPERAND, GraphReader, OpParts, StatedTypes, Values, ValueTypes
from .pretty import Attributes
from .reader import I1, I64
from .source import ProgramPath, contents, cut_payloads

UNKNOWN = Schema("")
# A branch's target: label, values that it passes, their types.
Successor = tuple[Token, Values, ValueTypes]


def parse(path_or_text: ProgramPath) -> ir.Module:
    """Read a StableHLO module.

    Args:
        path_or_text: the path of an .mlir file; or its text, as a string with a newline or a brace in it, or as bytes.

    Raises:
        InputError: there is no such file, or it cannot be read.
        ParseError: it is not MLIR text; with the location.
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


class _Builder(GraphReader):
    """The actions for the pretty forms of ops."""

    clauses, scan_head, clause = GraphReader.in_list, GraphReader.in_list, GraphReader.in_tuple

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
        name, operands, attributes, signature = children
        return self._body(name, operands, attributes or {}, (), self._signature_after(name, signature))

    def plain_before(self, children: list[Any]) -> OpParts:
        name, attributes, operands, signature = children
        full = pretty.op_name(name)
        if (schema := schema_of(full)) is not None and not schema.traits & Trait.ATTRIBUTES_FIRST:
            self._fail(f"{full}: the attributes must follow the operands", name)
        return self.plain([name, operands, attributes, signature])

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
        self._add_token(name, "%<$>", sharding, f"takes no {sharding}", attributes)
        return self._body(name, operands, attributes, (), signature)

    def collective(self, children: list[Any]) -> OpParts:
        name, axes, operands, clauses, (attributes, signature) = children
        self._add_token(name, "$%", axes, f"expected an operand, found {axes}", attributes)
        self._clauses(name, clauses, attributes)
        return self._body(name, operands, attributes, (), signature)

    def _add_token(self, name: Token, outline: str, token: Token, otherwise: str, attributes: Attributes) -> None:
        """Add the attribute that a token stands for in forms of an outline; `otherwise` is the error about others."""
        full, schema = self._schema(name)
        if schema.pretty.outline != outline:
            self._fail(f"{full}: {otherwise}", token)
        key = schema.pretty.names[0]
        attributes[key] = schema.written[key].encode(str(token))

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
