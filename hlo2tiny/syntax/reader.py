"""The actions of the grammar for types and attributes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from lark import Token

from .. import ir
from ..ir.attributes import HLO, verbatim
from ..ir.dtypes import bit_width, is_stored, numpy_dtype
from ..ir.numbers import is_float
from ..ir.strings import unquote
from ..ir.structures import STRUCTURES, Field, dim_numbers, struct
from . import dense, pretty
from .text import TextReader, location_attribute_of

MOST_ELEMENTS = 1 << 63  # of a dimension
# The fields of #stablehlo.conv by name, rather than as [b, 0, f]x[0, i, o]->[b, 0, f].
RAW = re.compile(r"<\s*raw\b")
# A scale and its zero point, or nested lists of these.
Scales = tuple[float, int] | list["Scales"]
F64, I1, I64 = ir.ScalarType("f64"), ir.ScalarType("i1"), ir.ScalarType("i64")
# The name of a type inside another one, and not what it has between angle brackets.
TYPE_NAME = re.compile(r"!(?:[A-Za-z_][\w$.\-]*|\d+)(?![\w$.\-<])")


class Reader(TextReader):
    """The actions of the grammar for types and attributes."""

    def TYPE(self, token: Token) -> ir.Type:  # noqa: N802
        type = self.type_texts.get(token)
        if type is None:
            type = self.type_texts[str(token)] = self._type(token)
        return type

    def FUNCTION_TYPE(self, token: Token) -> ir.Type:  # noqa: N802
        type = self.type_texts.get(token)
        if type is None:
            type = self.type_texts[str(token)] = self._parse(str(token), "function_type", token.start_pos or 0)
        return type

    def _type(self, token: Token) -> ir.Type:
        text = str(token)
        if text.startswith("!") and not text.startswith(("!quant.uniform", "!stablehlo.future<", "!mhlo.future<")):
            if text in ("!stablehlo.token", "!mhlo.token"):
                return ir.TokenType()
            if "<" not in text:
                alias = self._alias(text, token)
                if isinstance(alias, ir.TypeAttr):
                    return alias.type
            if "." not in text and "<" not in text:
                self._fail(f"the type alias {text} is not defined", token)
            return ir.OpaqueType(text)
        if text == "none":
            return ir.OpaqueType(text)
        if text.startswith(("vector", "memref")):
            return ir.OpaqueType(TYPE_NAME.sub(lambda match: str(self._type(token.update(value=match[0]))), text))
        result: ir.Type = self._parse(text, "type", token.start_pos or 0)
        return result

    def only(self, children: list[Any]) -> Any:
        return children[0]

    def in_list(self, children: list[Any]) -> list[Any]:
        return children

    def in_tuple(self, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    type_ = one_type = function_signature = attribute = location = only
    scales, types, list_signature = in_list, in_tuple, in_tuple

    def scalar_type(self, children: list[Any]) -> ir.ScalarType:
        return ir.ScalarType(str(children[0]))

    def ranked(self, children: list[Any]) -> ir.TensorType:
        dims, element, encoding = children
        shape = () if dims is None else tuple(None if d.strip() == "?" else int(d) for d in dims.split("x")[:-1])
        if any(d is not None and d >= MOST_ELEMENTS for d in shape):
            self._fail(f"tensor<{dims}…> has a dimension of 2⁶³ or more elements", dims)
        return ir.TensorType(shape, element, encoding)

    def unranked(self, children: list[Any]) -> ir.UnrankedTensorType:
        return ir.UnrankedTensorType(children[0])

    def tuple_type(self, children: list[Any]) -> ir.TupleType:
        return ir.TupleType(() if children == [None] else tuple(children))

    def future_type(self, children: list[Any]) -> ir.FutureType:
        return ir.FutureType(tuple(children[1:]))

    def complex_type(self, children: list[Any]) -> ir.ComplexType:
        return ir.ComplexType(ir.ScalarType(str(children[0])))

    def type_alias(self, children: list[Any]) -> ir.Type:
        return self.TYPE(children[0])

    def scale(self, children: list[Any]) -> tuple[float, int]:
        scale, zero_point = children
        if "x" in scale:
            raise ValueError(f"the scale {scale} is in hexadecimal, expected a decimal number")
        dense.check_float(scale)
        return float(scale), 0 if zero_point is None else int(zero_point, 16 if "x" in zero_point else 10)

    def blocks(self, children: list[Any]) -> tuple[tuple[int, int], ...]:
        numbers = [dense.integer(n) for n in children]
        return tuple(zip(numbers[::2], numbers[1::2], strict=True))

    def quantized(self, children: list[Any]) -> ir.QuantizedType:
        storage, limits, expressed, axis, nested = children
        scales, shape = self._flat(nested)
        blocks = axis if isinstance(axis, tuple) else ()
        low, high = (int(v) for v in limits[1:-1].split(":")) if limits else (None, None)
        return ir.QuantizedType(
            ir.ScalarType("ui" + storage[1:] if storage[0] == "u" else str(storage)),
            ir.ScalarType(str(expressed)),
            tuple(s for s, _ in scales),
            tuple(z for _, z in scales),
            None if axis is None or blocks else dense.integer(axis),
            low,
            high,
            blocks,
            shape if blocks else (),
        )

    def _flat(self, scales: Scales) -> tuple[list[tuple[float, int]], tuple[int, ...]]:
        """Nested lists of scales as one list, and their shape; ValueError if they do not form an array."""
        if isinstance(scales, tuple):
            return [scales], ()
        parts = [self._flat(part) for part in scales]
        if any(shape != parts[0][1] for _, shape in parts):
            raise ValueError("the scales of a quantized type do not form an array")
        return [scale for part, _ in parts for scale in part], (len(parts), *parts[0][1])

    def function_type(self, children: list[Any]) -> ir.FunctionType:
        inputs, results = children
        return ir.FunctionType(
            inputs or (), results if isinstance(results, tuple) else () if results is None else (results,)
        )

    def arrow_signature(self, children: list[Any]) -> ir.FunctionType:
        *inputs, results = children
        return ir.FunctionType(tuple(inputs), results if isinstance(results, tuple) else (results,))

    def cast_signature(self, children: list[Any]) -> ir.FunctionType:
        return ir.FunctionType((children[0],), (children[1],))

    # ------------------------------------------------------------ attributes

    def attributes(self, children: list[Any]) -> dict[str, ir.Attribute]:
        if children == [None]:
            return {}
        attributes: dict[str, ir.Attribute] = {}
        for key, value in children:
            name = unquote(key) if key.type == "STRING" else str(key)
            if name in attributes:
                self._fail(f"the attribute '{name}' is given twice", key)
            attributes[name] = value
        return attributes

    def entry(self, children: list[Any]) -> tuple[Token, ir.Attribute]:
        key, value = children
        return key, ir.UnitAttr() if value is None else value

    def string(self, children: list[Any]) -> ir.StringAttr:
        return ir.StringAttr(self._unquote(children[0]))

    def symbol(self, children: list[Any]) -> ir.SymbolAttr:
        return self._symbol(children[0])

    def type_attribute(self, children: list[Any]) -> ir.TypeAttr:
        return ir.TypeAttr(children[0])

    def unit(self, children: list[Any]) -> ir.UnitAttr:
        return ir.UnitAttr()

    def array(self, children: list[Any]) -> ir.ArrayAttr:
        return ir.ArrayAttr(() if children == [None] else tuple(children))

    def dictionary(self, children: list[Any]) -> ir.DictAttr:
        return ir.DictAttr(children[0])

    def integers(self, children: list[Any]) -> ir.ArrayAttr:
        return ir.ArrayAttr(tuple(ir.IntegerAttr(value, I64) for value in pretty.integers(children[0])))

    def true(self, children: list[Any]) -> ir.BoolAttr:
        return ir.BoolAttr(True)

    def false(self, children: list[Any]) -> ir.BoolAttr:
        return ir.BoolAttr(False)

    def number(self, children: list[Any]) -> ir.Attribute:
        token, type = children
        text = str(token)
        decimal = "x" not in text and any(c in text for c in ".eE")
        try:
            if type is None:
                type = F64 if decimal else I64
            if not isinstance(type, ir.ScalarType):
                raise ValueError(f"a number cannot have the type {type}")
            if is_float(type):
                return ir.FloatAttr(self._float(text, type), type)
            if decimal:
                raise ValueError(f"a floating-point number cannot have the type {type.name}")
            value = dense.integer(text)
            dense.check_range([value], type)
            if type == I1:
                return ir.BoolAttr(bool(value))
            if type.name[0] not in "u" and value >> (bit_width(type) - 1) == 1:
                value -= 1 << bit_width(type)  # a signless hexadecimal number whose sign bit is set
            return ir.IntegerAttr(value, type)
        except ValueError as error:
            self._fail(str(error), token)

    def _float(self, text: str, type: ir.ScalarType) -> float:
        dense.check_float(text)
        if "x" in text:
            return float(dense.from_bits(int(text, 16), type))
        return float(dense.round_once(np.array([float(text)]), numpy_dtype(type))[0])

    def dense_array(self, children: list[Any]) -> ir.Attribute:
        token = children[0]
        attribute = self.attribute_texts.get(token)
        if attribute is None:
            attribute = self.attribute_texts[str(token)] = self._dense_array(token)
        return attribute

    def _dense_array(self, token: Token) -> ir.DenseArrayAttr:
        name, colon, body = _inside(token).partition(":")
        type = ir.ScalarType(name.strip())
        if type != I1 and (type.name == "index" or bit_width(type) % 8):
            self._fail(f"array<{name}: …> needs elements of whole bytes, or i1", token)
        if not colon:
            return ir.DenseArrayAttr(type, ())
        words = [word.strip() for word in body.split(",")]
        try:
            if is_float(type):
                return ir.DenseArrayAttr(type, tuple(self._float(word, type) for word in words))
            if type == I1:
                return ir.DenseArrayAttr(type, tuple({"true": True, "false": False}[w] for w in words))
            values = [dense.integer(word) for word in words]
            dense.check_range(values, type)
            return ir.DenseArrayAttr(type, tuple(values))
        except (ValueError, KeyError) as error:
            cure = "" if isinstance(error, KeyError) else f": {error}"
            self._fail(f"this array<{name}: …> holds a value that is not of type {name}{cure}", token)

    def dense(self, children: list[Any]) -> ir.Attribute:
        token, type = children
        body = _inside(token)
        if not isinstance(type, ir.TensorType):
            if isinstance(type, ir.OpaqueType):
                return ir.DialectAttr("builtin", "", {}, f"{token} : {type.text}")
            self._fail(f"dense<…> needs a tensor type, found {type}", token)
        if not is_stored(type.element):
            return ir.DialectAttr("builtin", "", {}, f"{token} : {type}")
        try:
            if body.startswith('"'):
                return dense.of_bytes(self.payloads.decode(body[1:-1]), type)
            return dense.of_text(body, type)
        except ValueError as error:
            self._fail(f"{error}", token)

    def sparse(self, children: list[Any]) -> ir.DenseAttr:
        token, type = children
        if not isinstance(type, ir.TensorType):
            self._fail(f"sparse<…> needs a tensor type, found {type}", token)
        try:
            return ir.DenseAttr(type, dense.parse_sparse(_inside(token), type))
        except ValueError as error:
            self._fail(f"{error}", token)

    def resource(self, children: list[Any]) -> ir.DenseAttr | ir.ElidedAttr:
        token, type = children
        name = _inside(token)
        name = self._unquote(name) if name.startswith('"') else name
        blob = self._blobs(token).get(name)
        if not isinstance(type, ir.TensorType):
            self._fail(f"dense_resource<…> needs a tensor type, found {type}", token)
        if blob is None:
            return ir.ElidedAttr(type, name)
        try:
            return dense.of_bytes(self.payloads.decode(blob, skip=4), type, name)  # skips the alignment
        except ValueError as error:
            self._fail(f"dense_resource<{name}>: {error}", token)

    def _blobs(self, token: Token) -> dict[str, str]:
        """The blobs at the end of the file by name, as hexadecimal strings."""
        if self.blobs is None:
            self.blobs = {}
            at = self.text.rfind("{-#")
            if at >= 0:
                self._parse(self.text[at:], "metadata", at - self.base)
        return self.blobs

    def blob(self, children: list[Any]) -> None:
        key, value = children
        if self.blobs is not None and value.type == "STRING":
            self.blobs[self._unquote(key) if key.type == "STRING" else str(key)] = value[1:-1]

    def hash_attribute(self, children: list[Any]) -> ir.Attribute:
        return self._hash(children[0])

    def location_attribute(self, children: list[Any]) -> ir.Attribute:
        return location_attribute_of(children[0])

    def other_attribute(self, children: list[Any]) -> ir.Attribute:
        return ir.DialectAttr("builtin", "", {}, str(children[0]))

    def _hash(self, token: Token) -> ir.Attribute:
        attribute = self.attribute_texts.get(token)
        if attribute is None:
            attribute = self.attribute_texts[str(token)] = self._dialect_attribute(token)
        return attribute

    def _dialect_attribute(self, token: Token) -> ir.Attribute:
        text = str(token)
        head, angle, _ = text.partition("<")
        dialect, dot, name = head[1:].partition(".")
        if not angle:
            alias = self._alias(text, token)
            if alias is not None:
                return alias
            if not dot:
                self._fail(f"the alias {text} is not defined", token)
            return ir.DialectAttr(dialect, name)
        body = text[len(head) + 1 : -1]
        if dialect in HLO:
            if not dot:
                name, _, body = body.strip().partition(" ") if re.fullmatch(r"\s*\w+ +\w+\s*", body) else ("", "", body)
                if name:
                    return ir.DialectAttr("stablehlo" if dialect == "mhlo" else dialect, name, {}, body.strip())
            elif (dialect, name) == ("mhlo", "ragged_dot"):  # not flat as CHLO's, and no rule reads it
                pass
            elif name in STRUCTURES or name == "type_extensions":  # the older name of bounds
                name = "bounds" if name == "type_extensions" else name
                return self._struct(dialect, name, text[len(head) :], token, (token.start_pos or 0) + len(head))
            elif dialect == "mhlo" and re.fullmatch(r"\w+", body):
                dialect = "stablehlo"
        return verbatim(dialect, name, body)

    def _struct(self, dialect: str, name: str, text: str, token: Token | int, offset: int) -> ir.DialectAttr:
        """An attribute from its fields between angle brackets."""
        try:
            if name == "conv" and not RAW.match(text):
                return dim_numbers(text)
            fields = text.replace("raw", "   ", 1) if name == "conv" else text
            parsed = self._parse(fields, "struct", offset)
            if name == "bounds" and all(key is None for key, _ in parsed):
                parsed = [("bounds", [value for _, value in parsed])]
            elif any(key is None for key, _ in parsed):
                raise ValueError(f"#{dialect}.{name} has a value without a field name")
            elif len({key for key, _ in parsed}) < len(parsed):
                raise ValueError(f"#{dialect}.{name} gives a field twice")
            return struct(dialect, name, {key: field_value(value, STRUCTURES[name].get(key)) for key, value in parsed})
        except ValueError as error:
            self._fail(str(error), token)

    def struct(self, children: list[Any]) -> list[tuple[str | None, Any]]:
        return [] if children == [None] else children

    def field(self, children: list[Any]) -> tuple[str | None, Any]:
        key, value = (None, children[0]) if len(children) == 1 else (str(children[0]), children[1])
        match value.type:
            case "INTEGERS":
                return key, pretty.integers(value)
            case "UNKNOWNS":
                return key, [None if item.strip() == "?" else int(item) for item in value[1:-1].split(",")]
            case "UNKNOWN":
                return key, None
            case "NUMBER" if "x" not in value:
                return key, float(value) if any(c in value for c in ".eE") else int(value)
            case "NUMBER":
                return key, value
            case "HASH":
                return key, self._hash(value)
        return key, {"true": True, "false": False}.get(value, str(value))


def _inside(token: str) -> str:
    """The text between the angle brackets."""
    return token[token.index("<") + 1 : -1].strip()


def field_value(value: Any, field: Field | None) -> Any:
    """The value of a structure's field; of a hexadecimal number, which has no type, the float with these bits.

    Raises:
        ValueError: there are more than 64 bits.
    """
    if not isinstance(value, Token):
        return value
    is_float = field is not None and field.type is float
    return float(dense.from_bits(int(value, 16), F64)) if is_float else dense.integer(value)
