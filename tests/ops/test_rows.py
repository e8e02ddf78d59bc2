"""A row alone makes an op known to what reads, checks and prints files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

import hlo2tiny
from hlo2tiny.errors import ParseError
from hlo2tiny.formats.bytecode.properties import variants
from hlo2tiny.ir import DenseArrayAttr, DialectAttr, IntegerAttr, ScalarType, TensorType
from hlo2tiny.ir.dimensions import Shape
from hlo2tiny.ops import OPS, Violation, find_violation
from hlo2tiny.ops.attributes import BOOLEAN, I64, INTEGERS, Kind, enumeration, make_number_kind, optional
from hlo2tiny.ops.definition import op
from hlo2tiny.ops.foreign import FOREIGN, without_defaults
from hlo2tiny.ops.forms import form_of
from hlo2tiny.syntax import pretty

NAME = "chlo.shuffle"


def shuffle(x: TensorType, *, distance: int, axes: Sequence[int], mode: str, wraps: bool) -> list[Shape]:
    if distance < 1:
        raise Violation(f"distance is {distance}, expected a positive number")
    return [x.shape]


@pytest.fixture
def row() -> Iterator[None]:
    op(
        NAME,
        "T -> T",
        "if",
        attributes={
            "distance": I64,
            "axes": INTEGERS,
            "mode": optional(enumeration("fft_type"), "FFT"),
            "wraps": optional(BOOLEAN, True, since="9.9.0"),
        },
        form="%, along = $axes, distance = $distance, mode = $mode, wraps = $wraps",
        shapes=shuffle,
    )
    yield
    del OPS[NAME]


def module(line: str) -> str:
    return f"func.func @main(%a: tensor<4x2xf32>) -> tensor<4x2xf32> {{\n  {line}\n  return %r : tensor<4x2xf32>\n}}\n"


PRETTY = module(f"%r = {NAME} %a, along = [1, 0], distance = 3, mode = IFFT, wraps = false : tensor<4x2xf32>")
GENERIC = module(
    f'%r = "{NAME}"(%a) <{{axes = array<i64: 1, 0>, distance = 3 : i64, mode = #stablehlo<fft_type IFFT>,'
    " wraps = false}> : (tensor<4x2xf32>) -> tensor<4x2xf32>"
)


def only_op(text: str) -> hlo2tiny.ir.Op:
    return next(op for op in hlo2tiny.parse(text).walk() if op.name == NAME)


@pytest.mark.usefixtures("row")
def test_both_forms_are_read_and_printed() -> None:
    found = only_op(PRETTY)
    assert found.attributes == {
        "axes": DenseArrayAttr(ScalarType("i64"), (1, 0)),
        "distance": IntegerAttr(3, ScalarType("i64")),
        "mode": DialectAttr("stablehlo", "fft_type", {}, "IFFT"),
        "wraps": only_op(GENERIC).attributes["wraps"],
    }
    printed = str(hlo2tiny.parse(PRETTY))
    assert printed == str(hlo2tiny.parse(GENERIC)) == str(hlo2tiny.parse(printed))
    assert "axes = array<i64: 1, 0>, distance = 3 : i64, mode = #stablehlo<fft_type IFFT>, wraps = false" in printed


@pytest.mark.usefixtures("row")
def test_it_is_checked() -> None:
    found = only_op(PRETTY)
    assert find_violation(found, NAME, found.attributes) == ""
    for text, message in [
        (PRETTY.replace("distance = 3", "distance = 0"), "distance is 0, expected a positive number"),
        (PRETTY.replace(", distance = 3", ""), "lacks the attribute 'distance', an integer of 64 bits"),
        (PRETTY.replace("IFFT", "DCT"), "the attribute 'mode' is not one of FFT, IFFT, RFFT, IRFFT: found DCT"),
        (GENERIC.replace("axes", "lanes"), "lacks the attribute 'axes', a list of integers"),
    ]:
        found = only_op(text)
        assert find_violation(found, NAME, found.attributes) == message
    with pytest.raises(ParseError, match=f"{NAME}: takes no 'sizes ='; it takes along, distance, mode, wraps"):
        hlo2tiny.parse(PRETTY.replace("along", "sizes"))


@pytest.mark.usefixtures("row")
def test_bytecode_and_older_text() -> None:
    listed = [[(each.name, each.optional) for each in variant] for variant in variants(NAME) or []]
    today = [("axes", False), ("distance", False), ("mode", True), ("wraps", True)]
    assert listed == [today, today[:3]]
    older = only_op(
        GENERIC.replace("array<i64: 1, 0>", "dense<[1, 0]> : tensor<2xi64>").replace("<{", "{").replace("}>", "}")
    )
    assert older.attributes == only_op(PRETTY).attributes
    plain = only_op(PRETTY.replace("IFFT", "FFT").replace("false", "true"))
    assert list(without_defaults(NAME, plain.attributes)) == ["axes", "distance"]


def test_without_the_row_nothing_is_known() -> None:
    with pytest.raises(ParseError, match=f"{NAME}: takes no 'along ='"):
        hlo2tiny.parse(PRETTY)
    assert variants(NAME) is None
    with pytest.raises(hlo2tiny.Error, match="no rule for this op"):
        hlo2tiny.load(GENERIC, device="CPU")


def test_forms_name_attributes_that_the_rows_have() -> None:
    for name, schema in {**OPS, **FOREIGN}.items():
        form = form_of(schema.form)
        named = {*form.names, *(part for clause in form.clauses.values() for part in clause.parts.values())}
        named |= {attribute for clause in form.clauses.values() for attribute, _ in clause.names}
        # The padding of a dynamic_conv is an operand today.
        assert named <= schema.written.keys(), name
        assert form.types in pretty.TYPES, name


KINDS: dict[Kind, object] = {
    I64: 3,
    INTEGERS: (1, 2),
    BOOLEAN: False,
    enumeration("precision"): "HIGH",
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.text)
def test_what_is_encoded_is_decoded(kind: Kind) -> None:
    assert kind.decode(kind.encode(KINDS[kind])) == KINDS[kind]
    with pytest.raises(ValueError, match="expected"):
        kind.encode(0.5)


def test_numbered_words() -> None:
    kind = make_number_kind("colour", "i32", "red", "green")
    assert kind.encode("green") == IntegerAttr(1, ScalarType("i32"))
    with pytest.raises(ValueError, match="found blue, expected a colour: red, green"):
        kind.encode("blue")
