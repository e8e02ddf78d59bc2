"""Bytecode gives the module that text gives: all versions of the format, of VHLO, and what JAX has written since 2023.

The bytecode is made here by MLIR itself, which comes with jaxlib.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jax._src.interpreters.mlir import make_ir_context, module_to_string
from jax._src.lib import _jax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import _chlo_ops_gen, _stablehlo_ops_gen, stablehlo
from mutations import mutated
from rules import test_all_rules  # noqa: F401  (fills CASES)
from rules.cases import CASES, results_of
from rules.mlir import module_text
from rules.numbers import type_of
from test_jax_back_compat import EXPORTS

import hlo2tiny
from corpus import ENTRIES, FOLDER
from hlo2tiny.commands.diff import difference
from hlo2tiny.errors import BinarySource, Error, ParseError, VerifyError
from hlo2tiny.formats.bytecode import builtin, read_bytecode, upgrade
from hlo2tiny.formats.bytecode import stablehlo as encodings
from hlo2tiny.formats.bytecode.file import Entry, File
from hlo2tiny.formats.bytecode.operations import DIALECTS
from hlo2tiny.formats.bytecode.properties import read_properties, variants
from hlo2tiny.ir import (
    ArrayAttr,
    BoolAttr,
    DenseArrayAttr,
    DenseAttr,
    DialectAttr,
    IntegerAttr,
    Module,
    ScalarType,
    StringAttr,
    SymbolAttr,
    TensorType,
)
from hlo2tiny.ir.printer import print_module
from hlo2tiny.ops import OPS
from hlo2tiny.ops.foreign import FOREIGN
from hlo2tiny.syntax.parser import parse_attribute

NEWEST = 6
I64 = ScalarType("i64")
SCAN = ["dimension", "operandSegmentSizes", "resultSegmentSizes"]
FLAGS = ["has_dynamic_root", "channel_handle"]
CURRENT = stablehlo.get_current_version()
# The versions of VHLO that brought something, and with which bytecode's version or an op's changed.
TARGETS = ["0.9.0", "0.12.0", "0.14.0", "0.15.0", *(f"1.{minor}.0" for minor in range(int(CURRENT.split(".")[1]) + 1))]


# The ops of the installed jaxlib.
KNOWN = {
    member.OPERATION_NAME
    for dialect in (_stablehlo_ops_gen, _chlo_ops_gen)
    for member in vars(dialect).values()
    if isinstance(member, type) and hasattr(member, "OPERATION_NAME")
}


def bytecode(text: str, version: int = NEWEST) -> bytes:
    """A module as MLIR's writer has it."""
    with make_ir_context() as context:
        context.allow_unregistered_dialects = True
        file = io.BytesIO()
        ir.Module.parse(text).operation.write_bytecode(file, desired_version=version)
        return file.getvalue()


def artifact(text: str, target: str) -> bytes | None:
    """A portable artifact; None if that version of VHLO lacks something."""
    try:
        data: bytes = _jax.mlir.serialize_portable_artifact(text, target, target == CURRENT)
    except Exception:
        return None
    return data


@lru_cache(4)
def parsed(text: str) -> Module:
    return hlo2tiny.parse(text)


def expect_same(data: bytes, text: str, where: object = "") -> Module:
    found, expected = read_bytecode(data, "x.mlirbc"), parsed(text)
    assert (different := difference(expected, found)) is None, f"{where}: {different}"
    return found


def expect_as_mlir_reads(data: bytes, where: object = "") -> None:
    """An artifact for an old version may have an op's expansion instead of the op."""
    with make_ir_context():
        text = module_to_string(_jax.mlir.deserialize_portable_artifact(data))
    expect_same(data, text, where)


# ---------------------------------------------------------------- the corpus, and JAX's own exports


@pytest.mark.sampled(8, ci=4)
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_corpus(entry: Any) -> None:
    text = entry.path.read_text()
    for version in range(NEWEST + 1):
        found = expect_same(bytecode(text, version), text, version)
    expected = hlo2tiny.parse(text)
    assert (found.name, found.functions.keys()) == (expected.name, expected.functions.keys())
    current = artifact(text, CURRENT)
    assert current is not None
    expect_as_mlir_reads(current, CURRENT)
    if entry.name != "handwritten_generic":  # its constants are moved to where functions begin
        expect_same(current, text, CURRENT)
    for target in ("0.9.0", "1.0.0"):
        if data := artifact(text, target):
            expect_as_mlir_reads(data, target)


@pytest.mark.sampled(8, ci=4)
@pytest.mark.parametrize("target", TARGETS)
def test_versions_of_vhlo(target: str) -> None:
    for name in ("flax_convnet", "lstm", "sort", "gather_scatter", "while_loop", "random_bits", "reduce_window"):
        text = (FOLDER / f"{name}.mlir").read_text()
        data = artifact(text, target)
        if data is not None:
            assert f"StableHLO_v{target}".encode() in data[:40]
            expect_as_mlir_reads(data, name)


@pytest.mark.parametrize("name", EXPORTS)
def test_jax_back_compat(name: str) -> None:
    found = expect_same(EXPORTS[name]["mlir_module_serialized"], EXPORTS[name]["mlir_module_text"])
    with make_ir_context() as context:  # and as text with locations it is MLIR
        context.allow_unregistered_dialects = True
        ir.Module.parse(print_module(found, locations=True))


# ---------------------------------------------------------------- each op, attribute and type


def calls(op: str) -> Iterator[str]:
    """Modules with one call of an op each."""
    row = CASES[op]
    for call in islice(row.examples, 2):
        text = module_text(op, [call], [[type_of(result) for result in results_of(row, call)]])
        # Properties that an op does not declare are dropped by MLIR; custom calls take any attributes.
        yield text.replace("<{", "{").replace("}>", "}") if op.startswith("@") else text


# MLIR divides by zero when it checks this op with no groups, as its row has it; TEXTS has it with one.
CRASHES = {"stablehlo.all_to_all"}


@pytest.mark.parametrize("op", sorted(CASES.keys() - CRASHES))
def test_each_op(op: str) -> None:
    for text in calls(op):
        try:
            data = bytecode(text)
        except ir.MLIRError:
            assert op not in KNOWN  # an op of Shardy without its mesh, or newer than this jaxlib
            continue
        expect_same(data, text)
        expect_same(bytecode(text, 5), text)
        for target in ("0.9.0", CURRENT) if op.startswith(("stablehlo.", "chlo.")) else ():
            data = artifact(text, target)
            if data is not None:
                expect_as_mlir_reads(data, target)


def test_op_as_a_composite() -> None:
    """Artifacts have CHLO's ops as composites. One runs as the op, not as its decomposition, which cuts out slices at
    places that a loop counts."""
    text = next(calls("chlo.scan"))
    data = artifact(text, CURRENT)
    assert data is not None and b"composite_v2" in data
    # The same file with a decomposition that means something else.
    main, *functions = re.split('(?=^  "func.func")', str(read_bytecode(data, "x")), flags=re.MULTILINE)[1:]
    decomposition = "".join(functions)
    other = re.sub(r'"stablehlo.add"(?=[^:]*: \(tensor<2xf32>)', '"stablehlo.subtract"', decomposition)
    assert "@chlo.scan.impl" in main and other != decomposition
    expected = hlo2tiny.load(text, "CPU")
    inputs = [np.random.RandomState(0).rand(*a.shape).astype(a.dtype) for a in expected.inputs]
    for file in (data, f'"builtin.module"() ({{\n{main}{other}'):
        for a, b in zip(expected.numpy(*inputs), hlo2tiny.load(file, "CPU").numpy(*inputs), strict=True):
            np.testing.assert_array_equal(a, b)


def test_properties_are_those_of_the_rows() -> None:
    """Names are in order, and each age of an op of StableHLO, or of VHLO's, tells itself by its number of them."""
    for name in (*OPS, *FOREIGN, *(f"vhlo.{name.partition('.')[2]}_v1" for name in OPS if "stablehlo." in name)):
        known = variants(name)
        assert known is not None, name
        for variant in known:
            names = [each.name for each in variant]
            assert names == sorted(names), name
        lengths = [len(variant) for variant in known]
        assert len({*lengths}) == len(lengths), name


SENT = "channel_id channel_type is_host_transfer"
SCATTERED = "scatter_dims_to_operand_dims"
AGES = {
    "stablehlo.dot_general": [
        "algorithm dot_dimension_numbers precision_config",
        "dot_dimension_numbers precision_config",
    ],
    "stablehlo.tan": ["result_accuracy", ""],
    "vhlo.send_v2": [f"{SENT} source_target_pairs", SENT],
    "vhlo.scatter_v1": [
        f"index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims {SCATTERED}"
        " scatter_indices_batching_dims unique_indices update_window_dims",
        f"index_vector_dim indices_are_sorted inserted_window_dims {SCATTERED} unique_indices update_window_dims",
    ],
    "vhlo.func_v1": ["arg_attrs function_type res_attrs sym_name sym_visibility"],
    "mhlo.reverse": ["dimensions"],
    "mhlo.topk": ["k largest"],
    "vhlo.reverse_v2": None,  # it may mean something else
    "vhlo.all_reduce_v2": ["channel_id replica_groups use_global_device_ids"],
    "vhlo.all_reduce_v3": None,
    "new.op": None,
}


@pytest.mark.parametrize("name", AGES)
def test_ages_of_properties(name: str) -> None:
    found = variants(name)
    assert (found and [" ".join(each.name for each in variant) for variant in found]) == AGES[name]


TEXTS = {
    "booleans": "\n".join(
        f"func.func @f{i}() -> tensor<{len(bits)}xi1> {{\n"
        f"  %0 = stablehlo.constant dense<{str(bits).lower()}> : tensor<{len(bits)}xi1>\n"
        f"  return %0 : tensor<{len(bits)}xi1>\n}}"
        for i, bits in enumerate(
            [[True], [False], [True, False], [True] * 3, [True] * 7 + [False], [True] * 9, [False, True] * 9]
        )
    ),
    "narrow": """func.func @main() -> tensor<3xi4> {
  %0 = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi4>
  %1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui2>
  %2 = stablehlo.constant dense<[1.0, 2.0, -3.0]> : tensor<3xf8E4M3FN>
  %3 = stablehlo.constant dense<[1.0, 2.0, -3.0]> : tensor<3xf4E2M1FN>
  %4 = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  %5 = stablehlo.constant dense<1.0> : tensor<100xbf16>
  %6 = stablehlo.constant dense<> : tensor<0xf32>
  %7 = stablehlo.constant dense<0x7F800001> : tensor<2xf32>
  return %0 : tensor<3xi4>
}""",
    "quantized": """func.func @main(
    %a: tensor<4x!quant.uniform<i8:f32, 3.4e-2:16>>,
    %b: tensor<4x!quant.uniform<u8<1:255>:f32:0, {0.1, 0.2:3, 0.3, 0.4}>>
) -> tensor<4x!quant.uniform<i8:f32, 3.4e-2:16>> {
  return %a : tensor<4x!quant.uniform<i8:f32, 3.4e-2:16>>
}""",
    "types": """func.func @main(
    %a: tensor<?x4xf32, #stablehlo.bounds<8, ?>>, %b: tensor<*xf32>, %c: tuple<tensor<f32>, tuple<tensor<i32>>>
) -> (tensor<?x4xf32, #stablehlo.bounds<8, ?>>, tensor<f32>) {
  %0 = stablehlo.get_tuple_element %c[0] : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tensor<f32>
  return %a, %0 : tensor<?x4xf32, #stablehlo.bounds<8, ?>>, tensor<f32>
}""",
    "tokens": """func.func @main(%a: tensor<f32>, %t: !stablehlo.token) -> (tensor<f32>, !stablehlo.token) {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %0, %t : !stablehlo.token
  %2 = stablehlo.custom_call @foo(%a) {api_version = 4 : i32, has_side_effect = true, backend_config = {x = 1 : i32,
    y = "s\\FF\\00", z = [1, 2.5 : f32]}, mhlo.sharding = "{replicated}"} : (tensor<f32>) -> tensor<f32>
  return %a, %1 : tensor<f32>, !stablehlo.token
}""",
    "asynchronous": """func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<f32>):
    %1 = "stablehlo.all_reduce"(%b) ({
    ^bb0(%c: tensor<f32>, %d: tensor<f32>):
      %2 = stablehlo.add %c, %d : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
      channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
  %3 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<f32>>) -> tensor<f32>
  return %3 : tensor<f32>
}""",
    "all_to_all": """func.func @main(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}""",
    "meshes": """func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%b: tensor<f32>, %c: tensor<f32>):
    %1 = stablehlo.add %b, %c : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 4>,\
 <name = "y", size = 1>], device_ids=dense<[1, 0, 2, 3]> : tensor<4xi64>>, axes = [#stablehlo.axis_ref<name = "x",\
 sub_axis_info = (1)2>, #stablehlo.axis_ref<name = "y">]>} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}""",
    "accuracy": """func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-5, rtol = 0.0, ulps = 2,
    mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32,
    rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,
    num_primitive_operations = 3, allow_imprecise_accumulation = false>
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}""",
    "resources": """module {
  func.func @main() -> (tensor<4xf32>, tensor<2xi8>) {
    %0 = stablehlo.constant dense_resource<weights> : tensor<4xf32>
    %1 = stablehlo.constant dense_resource<"another one"> : tensor<2xi8>
    return %0, %1 : tensor<4xf32>, tensor<2xi8>
  }
}
{-#
  dialect_resources: {
    builtin: { weights: "0x040000000000803F000000400000404000008040", "another one": "0x040000000102" }
  },
  external_resources: { tool: { version: "x", flag: true } }
#-}""",
    "shardy": """module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  sdy.mesh @devices = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
  func.func @main(
    %a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}], replicated={"y"}>},
    %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2, "x"}p1, {"y":(2)2, ?}]>}
  ) -> tensor<8x8xf32> {
    %0 = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<8x8xf32>
    %1 = sdy.manual_computation(%0, %b) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]\
 out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
      %3 = stablehlo.add %x, %y : tensor<4x8xf32>
      sdy.return %3 : tensor<4x8xf32>
    } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    sdy.sharding_group %1 group_id=3 : tensor<8x8xf32>
    %2 = sdy.all_gather [{}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    %5 = stablehlo.add %2, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>,\
 sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
    return %5 : tensor<8x8xf32>
  }
}""",
    "mhlo": """func.func @main(%a: tensor<2x2xf32>, %t: !mhlo.token) -> tensor<2x2xf32> {
  %0 = "mhlo.dot_general"(%a, %a) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision HIGH>, #mhlo<precision DEFAULT>]}
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "mhlo.compare"(%a, %a) {comparison_direction = #mhlo<comparison_direction EQ>}
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
  return %0 : tensor<2x2xf32>
}""",
    "foreign": """func.func @main(%a: tensor<f32>) -> tensor<f32> attributes {foo.bar = #foo.x<1, 2>, my.t = !foo.t,
    unit, place = loc("x"("f.py":1:2)), s = @a::@b::@c, n = -5 : si8, w = 300 : i128, empty = {}, f = 0x7FC0 : bf16} {
  %0 = "foo.op"(%a) {c = array<i64: 1, -2>, d = array<i1: true, false>, e = array<f32: 1.0, 2.0>, g = array<i8>,
    h = affine_map<(d0) -> (d0)>, i = vector<2xf32>, j = memref<2x?xf32>, k = (f32) -> (), l = none, m = index,
    o = sparse<[[0, 1]], [5]> : tensor<2x2xi32>} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}""",
}


@pytest.mark.parametrize("name", TEXTS)
def test_attributes_and_types(name: str) -> None:
    text = TEXTS[name]
    for version in range(NEWEST + 1):
        expect_same(bytecode(text, version), text, version)
    data = artifact(text, CURRENT) if name not in ("mhlo", "foreign", "shardy") else None
    if data is not None:
        expect_as_mlir_reads(data)


def test_later_versions_of_vhlo() -> None:
    """What VHLO 1.18 to 1.22 brought, which is later than some of the jaxlibs that run these tests."""
    groups = DenseAttr(TensorType((1, 1), ScalarType("i64")), np.zeros((1, 1), np.int64))
    for name, attributes, expected in [
        (
            "custom_call_v2",
            {"call_target_name": StringAttr("f"), "result_tilings": ArrayAttr(())},
            ["call_target_name"],
        ),
        (
            "collective_broadcast_v2",
            {"replica_groups": groups, "has_dynamic_root": BoolAttr(False)},
            ["replica_groups"],
        ),
        ("collective_reduce_v1", {"has_dynamic_root": BoolAttr(True), "channel_id": IntegerAttr(2, I64)}, FLAGS),
    ]:
        known = variants(f"vhlo.{name}")
        assert known is not None and attributes.keys() <= {each.name for each in known[0]}
        op = upgrade.op_name(f"vhlo.{name}", False)
        assert op == f"stablehlo.{name[:-3]}"
        assert sorted(upgrade.attributes(op, attributes)) == sorted(expected)
    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %a, %a, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}"""
    data = artifact(text, CURRENT)
    assert data is not None
    expect_same(data, text)
    kind = one(4) + one(2)  # the type of a comparison, and its number
    changed = [data[: m.start()] + one(4) + one(5) + data[m.end() :] for m in re.finditer(re.escape(kind), data)]
    assert any("comparison_type WEAKORDER" in outcome(each) for each in changed)


def outcome(data: bytes) -> str:
    """A module's text, or the error."""
    try:
        return str(read_bytecode(data, "x"))
    except Error as error:
        return str(error)


def test_blocks_of_scales() -> None:
    """MLIR writes them, but jaxlib crashes on such a portable artifact."""
    text = """func.func @main(%c: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.1, 0.2}, {0.3:1, 0.4}}>>) {
  return
}"""
    expect_same(bytecode(text), text)


def test_affine_attributes() -> None:
    """As MLIR prints them. Writers before LLVM 23 have their text, so the encodings are here by hand as well."""
    for encoding, expected in {
        one(23) + one(2 << 2): "affine_map<(d0, d1) -> (d0, d1)>",
        one(23) + one(2 << 2 | 1) + one(1) + one(0): "affine_map<(d0, d1) -> (d1, d0)>",
        one(23) + one(3 << 2 | 2) + one(1) + one(2): "affine_map<(d0, d1, d2) -> (d2)>",
        one(23) + one(1 << 2 | 3) + one(1) + one(1) + one(3) + zigzag(0, 0) + one(4) + one(1) + zigzag(0) + one(2)
        + zigzag(-2): "affine_map<(d0)[s0] -> (d0 - s0 * 2)>",
        one(24) + one(1) + one(0) + one(2) + one(0) * 4 + b"\0\1": "affine_set<(d0) : (d0 >= 0, d0 == 0)>",
        one(25) + zigzag(3) + one(2) + zigzag(-1, 2): "strided<[-1, 2], offset: 3>",
        one(25) + number((1 << 64) - 1) + one(0): "strided<[], offset: ?>",
    }.items():  # fmt: skip
        assert str(builtin.attribute(entry_of(LOCATION, encoding))) == expected
    random = np.random.default_rng(0)

    def expression(depth: int) -> str:
        if depth == 0:
            return str(random.choice(["d0", "d1", "s0", "0", "1", "7"]))
        a, b = expression(depth - 1), expression(random.integers(depth))
        return str(random.choice([f"({a}) + ({b})", f"({a}) - ({b})", f"({a}) * -2", f"({a}) * s0", f"-({a})"])) + str(
            random.choice(["", " mod 3", " floordiv (s0 + 2)", " ceildiv 5"])
        )

    for depth in [0, 1, 2, 3] * 10:
        a, b = expression(depth), expression(depth)
        for attribute in (
            f"affine_map<(d0, d1)[s0] -> ({a}, {b})>",
            f"affine_set<(d0, d1)[s0] : ({a} >= 0, {b} == 0)>",
            "memref<2x?xf32, strided<[1, ?], offset: 5>, 2 : i32>",
            "vector<2x[4]xf32>",
        ):
            text = f'func.func @main() {{\n  "foo.op"() {{a = {attribute}}} : () -> ()\n  return\n}}'
            with make_ir_context() as context:
                context.allow_unregistered_dialects = True
                module = ir.Module.parse(text)
                (function,) = module.body.operations
                printed = str(function.regions[0].blocks[0].operations[0].attributes["a"])
            found = next(read_bytecode(bytecode(text), "x").walk()).attributes["a"]
            assert str(found).replace(" : i32", "") == printed.replace(" : i32", "")


def test_large_constants_stay_in_the_file() -> None:
    """A blob that is aligned is not copied, one that is not is copied once."""
    text = TEXTS["resources"]
    data = bytecode(text)
    first, second = (op.attributes["value"] for op in islice(read_bytecode(data, "x").walk(), 2))
    assert isinstance(first, DenseAttr) and isinstance(second, DenseAttr)
    np.testing.assert_array_equal(first.data, [1, 2, 3, 4])
    file = np.frombuffer(data, np.uint8)
    assert np.shares_memory(second.data, file)
    assert np.shares_memory(first.data, file) == (file.ctypes.data % 4 == 0)
    assert first.data.flags.aligned


# ---------------------------------------------------------------- names, locations, errors


@pytest.mark.parametrize("name", ["flax_convnet", "gpt_decoder_scan", "optax_adamw"])
def test_names_and_frames(name: str) -> None:
    """Arguments are named, and ops placed in the user's source, as the text has it."""
    text = (FOLDER / f"{name}.mlir").read_text()
    expected = hlo2tiny.parse(text)
    for data in (bytecode(text), bytecode(text, 0), artifact(text, CURRENT)):
        assert data is not None
        found = read_bytecode(data, name)
        for function in expected.functions.values():
            twin = found.functions[function.name]
            assert function.body is not None and twin.body is not None
            for a, b in zip(function.body.arguments, twin.body.arguments, strict=True):
                assert a.location is not None and b.location is not None and a.location.name == b.location.name
        for op, other in zip(expected.walk(), found.walk(), strict=True):
            if op.name not in ("stablehlo.return", "func.return"):  # text may omit a terminator's location
                assert op.location.name in ("", other.location.name)  # "applies" has no location
                assert op.location.name == "" or op.location.frames == other.location.frames


PLACES = [
    "unknown",
    '"x.py":3:4',
    '"x.py":3:4 to 5:6',
    '"x.py":3:4 to :9',
    '"layer"("x.py":1:2)',
    '"layer"',
    'callsite("f"("lib.py":9:1) at callsite("g"("x.py":7:2) at "y.py":8:3))',
    'fused["a", "b.py":1:1, "c"("d.py":2:2)]',
    'fused<"pass">["a", "b.py":1:1]',
    'fused<{x = 1 : i32}>[callsite("a.py":1:1 at "b.py":2:2)]',
    '"quoted \\22name\\22 #1 \\CE\\BB"("x.py":1:2)',
]


@pytest.mark.parametrize("version", range(NEWEST + 1))
def test_locations(version: int) -> None:
    lines = [f"  %{i} = stablehlo.abs %x : tensor<f32> loc({place})" for i, place in enumerate(PLACES)]
    text = "\n".join(['func.func @main(%x: tensor<f32> loc("x")) {', *lines, "  return", "}"])
    found = expect_same(bytecode(text, version), text)
    ops = list(zip(parsed(text).walk(), found.walk(), strict=True))[:-1]
    assert [b.location.name for _, b in ops] == [a.location.name for a, _ in ops]
    assert [b.location.frames for _, b in ops] == [a.location.frames for a, _ in ops]
    assert len({b.location.name for _, b in ops}) >= 8


@pytest.mark.parametrize("target", ["", CURRENT])
def test_reading_needs_no_parser(target: str, tmp_path: Path) -> None:
    """What is written as text in bytecode is rare: importing the parser would take longer than reading most files."""
    text = (FOLDER / "flax_convnet.mlir").read_text()
    path = tmp_path / "x"
    path.write_bytes((artifact(text, target) if target else bytecode(text)) or b"")
    code = (
        "import sys; from hlo2tiny.formats.bytecode import read_bytecode;"
        " read_bytecode(open(sys.argv[1], 'rb').read(), 'x'); print({'lark', 'tinygrad'} & {*sys.modules})"
    )
    printed = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True).stdout
    assert printed == "set()\n"


def test_error_about_an_op() -> None:
    text = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n  %y = stablehlo.custom_call @foo(%x) : " + (
        '(tensor<3xf32>) -> tensor<3xf32> loc("model/layer"("m.py":3:1))\n  return %y : tensor<3xf32>\n}'
    )
    with pytest.raises(hlo2tiny.UnsupportedOp) as raised:
        hlo2tiny.load(bytecode(text), "CPU")
    assert raised.value.line is None
    assert re.fullmatch(
        r"""<bytes>: byte \d+: stablehlo\.custom_call: .*
  %0 = "stablehlo\.custom_call"\(%arg0\) \{call_target_name = "foo"\} : \(tensor<3xf32>\) -> tensor<3xf32>
  in the model: model/layer""",
        str(raised.value),
    )


# ---------------------------------------------------------------- files that are damaged, or lie


def number(value: int, width: int = 9) -> bytes:
    """A number in so many bytes."""
    return (
        b"\0" + value.to_bytes(8, "little")
        if width == 9
        else ((value << width) | 1 << (width - 1)).to_bytes(width, "little")
    )


def section(kind: int, body: bytes) -> bytes:
    return bytes([kind]) + number(len(body)) + body


def one(value: int) -> bytes:
    return bytes([value << 1 | 1])


def file_of(attributes: list[bytes], ir: bytes = one(0), types: Sequence[bytes] = (), version: int = 1) -> bytes:
    """A file of attributes and types in their encodings: the builtin dialect's, or, after "sdy:", Shardy's."""
    strings = one(3) + one(4) + one(7) + one(8) + b"builtin\0module\0sdy\0"
    dialects = one(2) + one(0) + one(2 << 1) + one(0) + one(1) + one(1)
    offsets, entries = one(len(attributes)) + one(len(types)), b""
    for entry in (*attributes, *types):
        encoding = entry.removeprefix(b"sdy:")
        offsets += one(int(entry != encoding)) + one(1) + number(len(encoding) << 1 | 1)
        entries += encoding
    parts = [(0, strings), (1, dialects), (2, entries), (3, offsets), (4, ir)]
    return b"ML\xefR" + one(version) + b"test\0" + b"".join(section(kind, body) for kind, body in parts)


LOCATION, EMPTY = one(15), one(1) + one(0)  # an unknown location; a dictionary of nothing
# An op with a location and attributes, and with a region without blocks.
BARE = one(1 << 1) + one(0) + b"\1" + one(0) + one(1)
MODULE = one(1 << 1) + one(0) + b"\x11" + one(0) + one(1) + one(1 << 1) + one(0)


def test_files_by_hand() -> None:
    module = read_bytecode(file_of([LOCATION, EMPTY], MODULE), "x")
    assert not module.functions and not module.symbols
    with pytest.raises(VerifyError, match=r"x: byte 117: builtin\.module: has 0 regions"):
        read_bytecode(file_of([LOCATION, EMPTY], BARE), "x")


def entry_of(*attributes: bytes) -> Entry:
    """A cursor over the last of some attributes' encodings."""
    data = file_of([*attributes], MODULE)
    file = File(memoryview(data), BinarySource("x"), DIALECTS, parse_attribute, lambda text: ScalarType(text))
    file.version = NEWEST
    begin, end, _, _ = file.attributes.spans[-1]
    return Entry(file, begin, end)


def zigzag(*numbers: int) -> bytes:
    return b"".join(one(number << 1 if number >= 0 else -number * 2 - 1) for number in numbers)


def test_older_dimension_numbers() -> None:
    """StableHLO 1.1 gave gather and scatter batching dimensions, in between the others."""
    lists = [one(2) + zigzag(0, 1), one(1) + zigzag(2), one(1) + zigzag(3), one(0), one(1) + zigzag(4)]
    older = encodings.ATTRIBUTES[7](entry_of(LOCATION, lists[0] + lists[1] + lists[4] + zigzag(-1)))
    newer = encodings.ATTRIBUTES[7](entry_of(LOCATION, b"".join(lists) + zigzag(-1)))
    assert isinstance(older, DialectAttr) and isinstance(newer, DialectAttr)
    expected = {"offset_dims": [0, 1], "collapsed_slice_dims": [2], "start_index_map": [4], "index_vector_dim": -1}
    assert older.fields == {**expected, "operand_batching_dims": [], "start_indices_batching_dims": []}
    assert newer.fields == {**expected, "operand_batching_dims": [3], "start_indices_batching_dims": []}
    with pytest.raises(ParseError):
        encodings.ATTRIBUTES[7](entry_of(LOCATION, lists[0] + lists[1]))


OLDER = {
    "func.call": (one(2), ["callee"]),
    "func.call ": (one(2) + one(2 << 1 | 1), ["callee", "no_inline"]),
    "stablehlo.dot_general": (one(2) + one(0), ["dot_dimension_numbers"]),
    "stablehlo.dynamic_conv": (one(2) * 3 + one(0) * 6 + one(5), []),
    "chlo.scan": (
        one(2) + one(0) * 3 + one(2 << 1) + one(1) + one(2) + one(1 << 1 | 1) + one(1) + one(3 << 1 | 1),
        SCAN,
    ),
}


@pytest.mark.parametrize("name", OLDER)
def test_older_properties(name: str) -> None:
    """An op's properties tell by their number by which definition of the op they were written."""
    blob, expected = OLDER[name]
    entry = entry_of(LOCATION, one(2) + one(0), one(4) + one(1), blob)
    if not expected:
        with pytest.raises(ParseError, match="bytes of its properties are left over"):
            read_properties(entry, name, True)
        return
    found = read_properties(entry, name.strip(), True)
    assert list(found) == expected
    assert SymbolAttr(("builtin",)) in found.values()
    if name == "chlo.scan":  # all of the first array, and of the second those that are not zero
        assert found["operandSegmentSizes"] == DenseArrayAttr(ScalarType("i32"), (1, 2))
        assert found["resultSegmentSizes"] == DenseArrayAttr(ScalarType("i32"), (0, 3))


LIES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "not MLIR bytecode"),
    "magic": (b"ML\xefX", "not MLIR bytecode"),
    "later": (
        b"ML\xefR" + one(7) + b"MLIR99.1\0",
        "of version 7, newer than 6, the newest version known here; the file was written by MLIR99.1",
    ),
    "producer": (b"ML\xefR" + one(6) + b"x" * 5000, "this text has no NUL at its end"),
    "no sections": (b"ML\xefR" + one(6) + b"\0", "no section of strings"),
    "section twice": (b"ML\xefR" + one(6) + b"\0" + section(0, one(0)) * 2, "two sections of strings"),
    "section of 2^60": (b"ML\xefR" + one(6) + b"\0\0" + number(1 << 60), "1152921504606846976 bytes"),
    "kind of section": (b"ML\xefR" + one(6) + b"\0\x1f" + one(0), "no section kind 31"),
    "alignment": (b"ML\xefR" + one(6) + b"\0\x80" + one(0) + number(3), "expected a power of two"),
    "alignment of 2^60": (b"ML\xefR" + one(6) + b"\0\x80" + one(0) + number(1 << 60), "before the next multiple"),
    "strings of 2^60": (
        b"ML\xefR" + one(6) + b"\0" + section(0, number(1 << 60)) + b"".join(section(i, one(0)) for i in range(1, 5)),
        "only 0 bytes are left",
    ),
    "part of itself": (file_of([LOCATION, one(0) + one(1) + one(1)], MODULE), "attribute 1 is part of itself"),
    "no dictionary": (file_of([LOCATION, one(7)], MODULE), "its attributes are not a dictionary"),
    "affine map of a dimension that it lacks": (
        file_of([LOCATION, one(23) + one(1 << 2 | 3) + one(0) + one(1) + one(0) + one(1)], BARE[:-1] + one(1)),
        "there is no d1 in an affine map of 1",
    ),
    "affine map of 2^40 dimensions": (
        file_of([LOCATION, one(23) + number(1 << 42)], BARE[:-1] + one(1)),
        "found 1099511627776 dimensions and 0 symbols, expected at most 1024",
    ),
    "affine map of 2^40 results": (
        file_of([LOCATION, one(23) + one(2 << 2 | 2) + number(1 << 40)], BARE[:-1] + one(1)),
        "items are declared",
    ),
    "deep affine expression": (
        file_of([LOCATION, one(23) + one(3) + one(0) + one(1) + one(3) * 99 + one(0) * 200], BARE[:-1] + one(1)),
        "an affine expression is nested too deeply",
    ),
    "affine expression of the code 8": (
        file_of([LOCATION, one(23) + one(3) + one(0) + one(1) + one(8) + one(0)], BARE[:-1] + one(1)),
        "no known affine expression with the code 8",
    ),
    "no attribute": (file_of([LOCATION], MODULE), "there is no attribute 1: the file has 1"),
    "code": (
        file_of([LOCATION, one(99)], MODULE),
        "no known attribute with the code 99; the file was written by test, and hlo2tiny",
    ),
    "array of 2^60": (file_of([LOCATION, one(0) + number(1 << 60)], MODULE), "items are declared"),
    "integer of 2^30 bits": (
        file_of([LOCATION, one(8) + one(0)], MODULE, [one(0) + number(1 << 32)]),
        "there is no integer type of 1073741824 bits",
    ),
    "bytes left": (file_of([LOCATION, EMPTY + one(0)], MODULE), "1 bytes are left over after an encoded attribute"),
    "ops of 2^60": (file_of([LOCATION, EMPTY], number(1 << 60)), "operations are declared"),
    "no op name": (file_of([LOCATION, EMPTY], one(1 << 1) + one(9) + b"\0" + one(0)), "no operation name 9"),
    "no location": (file_of([LOCATION, EMPTY], one(1 << 1) + one(0) + b"\0" + one(9)), "no location 9"),
    "no value": (file_of([LOCATION], one(2) + one(0) + b"\4" + one(0) + one(1) + one(5)), "value 5 is not defined"),
    "deep arrays": (
        file_of([LOCATION, *(one(0) + one(1) + number(i + 2) for i in range(80)), EMPTY], MODULE),
        "nested too deeply",
    ),
    "deep dictionaries one by one": (
        file_of(
            [LOCATION, one(2) + one(0), EMPTY, *(one(1) + one(1) + number(1) + number(i) for i in range(2, 90))],
            number(88 << 1) + b"".join(one(0) + b"\1" + one(0) + number(i) for i in range(3, 91)),
        ),
        "nested too deeply",
    ),
    "shared texts": (
        file_of(
            [
                LOCATION,
                b"sdy:" + one(4) + one(0) + one(0),
                *(b"sdy:" + one(11) + one(2) + number(i) * 2 for i in range(1, 25)),
            ]
            + [one(1) + one(1) + number(27) + number(25), one(2) + one(0)],
            BARE[:-1] + number(26),
        ),
        "are referred to too often",
    ),
    "shared arrays": (
        file_of([LOCATION, *(one(0) + one(2) + number(i + 2) * 2 for i in range(25)), EMPTY], MODULE),
        "expands to more than 1000000",
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_lies(name: str) -> None:
    data, message = LIES[name]
    with pytest.raises((ParseError, VerifyError), match=f"x.mlirbc: byte \\d+: .*{re.escape(message)}") as raised:
        read_bytecode(data, "x.mlirbc")
    assert raised.value.offset is not None and 0 <= raised.value.offset <= len(data)


def test_deep_regions() -> None:
    inside = one(0)
    for _ in range(100):
        inside = one(1) + one(0) + one(1 << 1) + one(0) + b"\x10" + one(0) + number(1 << 1) + inside
    ir = one(1 << 1) + one(0) + b"\x10" + one(0) + number(1 << 1) + inside
    with pytest.raises(ParseError, match="nested too deeply"):
        read_bytecode(file_of([LOCATION], ir), "x")


def test_stack_is_enough() -> None:
    """The deepest attribute inside the deepest regions is refused for its depth, also where little stack is left."""
    attributes = [LOCATION, one(2) + one(0), *(one(1) + one(1) + number(1) + number(i + 3) for i in range(40)), EMPTY]
    inside = one(1) + one(0) + one(1 << 1) + one(0) + b"\1" + one(0) + number(2)
    for _ in range(40):
        inside = one(1) + one(0) + one(1 << 1) + one(0) + b"\x10" + one(0) + number(1 << 1) + inside
    data = file_of(attributes, one(1 << 1) + one(0) + b"\x10" + one(0) + number(1 << 1) + inside)

    def deep(depth: int) -> None:
        if depth:
            deep(depth - 1)
        else:
            with pytest.raises(ParseError, match="nested too deeply"):
                read_bytecode(data, "x")

    deep(300)


@pytest.mark.parametrize("name", ["mnist_mlp_predict", "sort", "while_loop"])
def test_cut(name: str) -> None:
    """A file that ends early says so, wherever that is."""
    data = bytecode((FOLDER / f"{name}.mlir").read_text())
    for size in range(0, len(data), 7):
        with pytest.raises(ParseError, match="byte"):
            read_bytecode(data[:size], "x")


@given(st.data())
def test_mutations(data: st.DataObject) -> None:
    """Any bytes are read, or refused with an offset in the file."""
    name = data.draw(st.sampled_from(["mnist_mlp_predict", "sort", "while_loop", "gather_scatter"]))
    text = (FOLDER / f"{name}.mlir").read_text()
    original = (
        bytecode(text, data.draw(st.integers(0, NEWEST))) if data.draw(st.booleans()) else artifact(text, CURRENT)
    )
    assert original is not None
    for seed in range(50):
        changed = mutated(original, np.random.default_rng(data.draw(st.integers(0, 1 << 40)) + seed))
        try:
            str(read_bytecode(changed, "x"))
        except Error as error:
            assert isinstance(error, ParseError | VerifyError)
            assert error.offset is not None and "byte" in str(error)
