"""Files of jax.export: what they say about calling, and results equal to JAX's own call of the same file."""

from __future__ import annotations

import collections
import contextlib
import importlib
import os
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import export, lax
from jax._src import core, effects
from jax._src.export import serialization
from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jaxlib.mlir import ir

import hlo2tiny
from hlo2tiny.formats import read
from hlo2tiny.formats.exported import is_exported, read_exported
from hlo2tiny.formats.platforms import platform_number
from hlo2tiny.ir import TokenType
from hlo2tiny.syntax.parser import parse
from hlo2tiny.trees import LEAF, NONE, Tree

Point = collections.namedtuple("Point", ["x", "y"])
export.register_namedtuple_serialization(Point, serialized_name="tests.Point")


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def tree_flatten(self) -> Any:
        return (self.a, self.b), "auxiliary"

    @classmethod
    def tree_unflatten(cls, auxiliary: Any, children: Any) -> Pair:
        return cls(*children)


export.register_pytree_node_serialization(
    Pair, serialized_name="tests.Pair", serialize_auxdata=str.encode, deserialize_auxdata=bytes.decode
)

F = np.float32
X = np.linspace(-2, 2, 6, dtype=F).reshape(2, 3)


def serialized(function: Any, *args: Any, platforms: Any = None, **kwargs: Any) -> bytes:
    return bytes(export.export(jax.jit(function), platforms=platforms)(*args, **kwargs).serialize())


def expect_jaxs_results(data: bytes, *args: Any, **kwargs: Any) -> None:
    """Results of a call equal those of JAX's call of the same file, structure and all."""
    expected = export.deserialize(bytearray(data)).call(*args, **kwargs)
    program = hlo2tiny.load(data, device="CPU")
    found = program(*args, **kwargs)
    found = jax.tree.map(lambda t: t.numpy(), found)
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for f, e in zip(jax.tree.leaves(found), jax.tree.leaves(expected)):
        assert (f.shape, f.dtype) == (e.shape, e.dtype)
        np.testing.assert_allclose(f, e, rtol=1e-5, atol=1e-6)


# ---------------------------------------------------------------- calls


def model(params: Any, x: Any, *, scale: Any) -> Any:
    hidden = jnp.tanh(x @ params["w"] + params["b"])
    return {"sum": hidden.sum(0) * scale, "all": [hidden, None, (x,)]}


PARAMS = {"w": np.arange(12, dtype=F).reshape(3, 4) / 12, "b": np.ones(4, F), "unused": np.ones(2, F)}


@pytest.mark.parametrize(
    ("function", "args", "kwargs"),
    [
        (lambda x: x + 1, (X,), {}),
        (lambda: jnp.arange(4), (), {}),
        (model, (PARAMS, X), {"scale": F(2)}),
        (lambda x, unused, y: (x * y,), (X, F(1), X + 1), {}),
        (lambda tree: tree["b"][0] - tree["a"], ({"b": [X, None], "a": F(1)},), {}),
        (lambda key: jax.random.normal(key, (3,)), (jax.random.PRNGKey(3),), {}),
        (lambda x, n: lax.fori_loop(0, n, lambda i, c: c * 2, x), (X, np.int32(3)), {}),
        (lambda x: [x, x.T, jnp.sort(x)], (X,), {}),
    ],
    ids=["plain", "no arguments", "model", "unused", "nested", "raw key", "loop", "list"],
)
def test_calls(function: Any, args: Any, kwargs: Any) -> None:
    expect_jaxs_results(serialized(function, *args, **kwargs), *args, **kwargs)


def test_a_namedtuple_has_its_fields() -> None:
    data = serialized(lambda p: Point(p.y, p.x + 1), Point(X, X[0]))
    program = hlo2tiny.load(data, device="CPU")
    found = program(Point(X, X[0]))
    np.testing.assert_array_equal(found.x.numpy(), X[0])
    np.testing.assert_array_equal(found.y.numpy(), X + 1)


def test_other_classes_are_their_parts() -> None:
    data = serialized(lambda p: Pair(p.b, p.a), Pair(X, X[0]))
    program = hlo2tiny.load(data, device="CPU")
    for argument in (Pair(X, X[0]), (X, X[0])):
        first, second = program(argument)
        np.testing.assert_array_equal(first.numpy(), X[0])
        np.testing.assert_array_equal(second.numpy(), X)


def test_ordered_dicts_keep_their_order() -> None:
    value = collections.OrderedDict([("z", X), ("a", X[0])])
    signature = read(serialized(lambda d: d["z"] - d["a"], value)).signature
    assert signature.inputs == Tree("tuple", (Tree("tuple", (Tree("dict", (LEAF, LEAF), ("z", "a")),)), Tree("dict")))


def test_typed_keys() -> None:
    data = serialized(lambda key: jax.random.uniform(key, (4,)), jax.random.key(7))
    found = hlo2tiny.load(data, device="CPU").numpy(np.asarray(jax.random.key_data(jax.random.key(7))))
    np.testing.assert_array_equal(found, jax.random.uniform(jax.random.key(7), (4,)))


@pytest.mark.parametrize("wide", [np.float64, np.int64, np.complex128])
def test_x64(wide: Any) -> None:
    x = np.arange(3).astype(wide)
    with jax.enable_x64(True):
        data = serialized(lambda x: x * x + 1, x)
    found = hlo2tiny.load(data, device="CPU").numpy(x)
    assert found.dtype == wide
    np.testing.assert_array_equal(found, x * x + 1)


def test_derivatives_next_to_the_function_are_ignored() -> None:
    exported = export.export(jax.jit(lambda x: jnp.sin(x)))(X)
    expect_jaxs_results(bytes(exported.serialize(vjp_order=2)), X)


def test_donated_arguments_stay_as_they_are() -> None:
    data = bytes(export.export(jax.jit(lambda x, y: (x * 2, y), donate_argnums=(0,)))(X, X).serialize())
    x = X.copy()
    program = hlo2tiny.load(data, device="CPU")
    program.numpy(x, X)
    np.testing.assert_array_equal(x, X)


# ---------------------------------------------------------------- files of other versions

FOLDER = Path(__file__).parent / "exported"
VERSIONS = sorted({path.stem.partition("-")[2] for path in FOLDER.glob("*.jax_exported")})


@pytest.mark.parametrize("version", VERSIONS)
def test_files_of_other_versions(version: str) -> None:
    """What jax 0.4.22 and later wrote for the functions of exported/make.py."""

    def load(name: str) -> hlo2tiny.Program:
        return hlo2tiny.load(FOLDER / f"{name}-{version}.jax_exported", device="CPU")

    found = load("model").numpy(PARAMS, X, scale=F(2))
    hidden = np.tanh(X @ PARAMS["w"] + PARAMS["b"])
    assert list(found) == ["all", "sum"] and found["all"][1] is None
    np.testing.assert_allclose(found["all"][0], hidden, rtol=1e-5)
    np.testing.assert_allclose(found["sum"], hidden.sum(0) * 2, rtol=1e-5)
    np.testing.assert_array_equal(found["all"][2][0], X)
    np.testing.assert_array_equal(load("platforms").numpy(np.ones(3, F)), [2, 2, 2])
    symbolic = load("symbolic")
    np.testing.assert_array_equal(symbolic.numpy(np.ones((3, 4), F)), np.full(12, 2))
    with pytest.raises(hlo2tiny.InputError, match="'c'"):
        symbolic.numpy(np.ones((3, 5), F))


# ---------------------------------------------------------------- signatures


def test_structures_and_names() -> None:
    signature = read(serialized(model, PARAMS, X, scale=F(2))).signature
    leaf_dict = Tree("dict", (LEAF,) * 3, ("b", "unused", "w"))
    assert signature.inputs == Tree("tuple", (Tree("tuple", (leaf_dict, LEAF)), Tree("dict", (LEAF,), ("scale",))))
    assert signature.outputs == Tree("dict", (Tree("list", (LEAF, NONE, Tree("tuple", (LEAF,)))), LEAF), ("all", "sum"))
    assert list(signature.kept or ()) == [0, 2, 3, 4]
    assert list(signature.names) == ["args[0]['b']", "args[0]['w']", "args[1]", "scale"]


def test_dimensions_have_their_names() -> None:
    shape = export.symbolic_shape("b, 2*c, 3")
    exported = export.export(jax.jit(lambda x, y: x.reshape(-1, 3)))(jax.ShapeDtypeStruct(shape, F), X)
    program = hlo2tiny.load(bytes(exported.serialize()), device="CPU")
    assert [str(i) for i in program.inputs] == ["x: float32[b, 2*c, 3]", "y: float32[2, 3]"]
    assert [o.layout for o in program.outputs] == ["float32[2*b*c, 3]"]
    text = hlo2tiny.load(exported.mlir_module(), device="CPU")
    assert str(text.inputs[0]) == "x: float32[b, 2*c, 3]", "its assertions say so"
    assert text.outputs[0].layout == "float32[?, 3]"


def test_symbolic_shapes() -> None:
    b, c = export.symbolic_shape("b, c", constraints=["b >= c"])
    data = serialized(
        lambda x, y: (x @ y, x.reshape(-1)), jax.ShapeDtypeStruct((b, 2 * c), F), jax.ShapeDtypeStruct((2 * c, 3), F)
    )
    expect_jaxs_results(data, np.ones((5, 4), F), np.ones((4, 3), F))
    program = hlo2tiny.load(data, device="CPU")
    for x, y, message in [
        ((5, 3), (3, 3), r"Division had remainder 1 when computing the value of 'c'"),
        ((5, 4), (6, 3), r"dimension size args\[1\]\.shape\[0\] \(= 6\) and the specification '2\*c' \(= 4\)"),
        ((1, 4), (4, 3), r"constraint b >= c.*'b' = 1"),
    ]:
        with pytest.raises(hlo2tiny.InputError, match=message) as caught:
            program.numpy(np.ones(x, F), np.ones(y, F))
        assert "\n" not in str(caught.value) and "http" not in str(caught.value)


# ---------------------------------------------------------------- platforms


def by_platform(x: Any) -> Any:
    return lax.platform_dependent(x, cpu=lambda x: x + 1, cuda=lambda x: x * 2, default=lambda x: x - 5)


@pytest.mark.parametrize(
    ("device", "platforms", "number"),
    [
        ("CPU", ["tpu", "cpu", "cuda"], 1),
        (None, ["tpu", "cpu", "cuda"], 1),
        ("CUDA", ["tpu", "cpu", "cuda"], 2),
        ("NV:1", ["tpu", "cpu", "cuda"], 2),
        ("AMD", ["cpu", "rocm"], 1),
        ("AMD", ["tpu", "gpu"], 1),
        ("METAL", ["tpu", "cpu"], 1),
        ("CUDA", ["tpu", "cpu"], 1),
        ("CPU", ["tpu", "cuda"], 0),
    ],
)
def test_a_device_has_its_platform(device: str | None, platforms: list[str], number: int) -> None:
    assert platform_number(device, platforms) == number


@pytest.mark.parametrize(
    "function",
    [
        by_platform,
        lambda x: lax.fori_loop(0, 3, lambda i, c: by_platform(c) * 0.5, x),
        lambda x: jax.jit(by_platform)(x) + jax.jit(by_platform)(x * 2),
        lambda x: lax.cond(x.sum() > 0, by_platform, lambda x: x, x),
        lambda x: export.export(jax.jit(by_platform), platforms=["cuda", "cpu"])(x).call(x),
    ],
    ids=["plain", "loop", "function", "branch", "exported inside"],
)
def test_several_platforms(function: Any) -> None:
    platforms = ["cuda", "cpu"]
    data = serialized(function, X, platforms=platforms)
    expect_jaxs_results(data, X)
    module = read(data, "CPU").module
    cases = [op for op in module.walk() if op.name == "stablehlo.case"]
    assert len(cases) <= 1, "only the model's own branch is left"
    assert len(module.functions["main"].type.inputs) == 1


def test_other_platforms_ops_need_no_rule() -> None:
    def on_cuda(x: Any) -> Any:
        return jax.ffi.ffi_call("a_kernel_of_cuda", jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

    function = jax.jit(lambda x: lax.platform_dependent(x, cuda=on_cuda, default=lambda x: x + 1))
    checks = [export.DisabledSafetyCheck.custom_call("a_kernel_of_cuda")]
    exported = export.export(function, platforms=["cuda", "cpu"], disabled_checks=checks)(X)
    data = bytes(exported.serialize())
    found = hlo2tiny.load(data, device="CPU").numpy(X)
    np.testing.assert_array_equal(found, X + 1)
    with pytest.raises(hlo2tiny.UnsupportedOp, match="a_kernel_of_cuda"):
        hlo2tiny.Program(read(data, "CUDA").module, "CPU")


def test_several_platforms_and_symbolic_shapes() -> None:
    (b,) = export.symbolic_shape("b")
    data = serialized(by_platform, jax.ShapeDtypeStruct((b, 3), F), platforms=["cuda", "cpu"])
    expect_jaxs_results(data, X)


def test_the_text_of_several_platforms_asks_for_its_number() -> None:
    text = export.export(jax.jit(by_platform), platforms=["cuda", "cpu"])(X).mlir_module()
    program = hlo2tiny.load(text, device="CPU")
    assert [i.name for i in program.inputs] == ["_platform_index", "x"]
    np.testing.assert_array_equal(program.numpy(1, X)[0], X + 1)


def test_the_printed_variant_is_a_module() -> None:
    data = serialized(lambda x: jax.jit(by_platform)(x) + jax.jit(by_platform)(x * 2), X, platforms=["cuda", "cpu"])
    for device, expected in (("CPU", 3 * X + 2), ("CUDA", 6 * X)):
        (found,) = hlo2tiny.Program(parse(str(read(data, device).module)), "CPU").numpy(X)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


# ---------------------------------------------------------------- effects


class Ordered(effects.Effect):
    """An effect whose operations keep their order, by a token, and do nothing."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ordered)

    def __hash__(self) -> int:
        return hash(Ordered)


for group in (effects.lowerable_effects, effects.ordered_effects, effects.control_flow_allowed_effects):
    group.add_type(Ordered)
ordered = core.Primitive("ordered")
ordered.def_effectful_abstract_eval(lambda x: (x, {Ordered()}))


def lower_ordered(context: Any, x: Any) -> Any:
    context.set_tokens_out(mlir.TokenSet({Ordered(): context.tokens_in.get(Ordered())}))
    return [x]


mlir.register_lowering(ordered, lower_ordered)


@pytest.mark.parametrize("platforms", [None, ["cuda", "cpu"]])
def test_tokens_of_ordered_effects_pass_through(platforms: Any) -> None:
    data = serialized(lambda x, y: ordered.bind(x * 3) - y, X, F(1), platforms=platforms)
    main = read(data).module.functions["main"]
    assert TokenType() in main.type.inputs and TokenType() in main.type.results
    program = hlo2tiny.load(data, device="CPU")
    assert len(program.inputs) == 2 and len(program.outputs) == 1
    np.testing.assert_array_equal(program.numpy(X, F(1)), X * 3 - 1)


# ---------------------------------------------------------------- damage

FILES = {
    "model": serialized(model, PARAMS, X, scale=F(2)),
    "platforms": serialized(by_platform, X, platforms=["cuda", "cpu"]),
    "symbolic": serialized(lambda x: x + 1, jax.ShapeDtypeStruct(export.symbolic_shape("b, 3"), F)),
    "named": serialized(lambda p: p.x, Point(X, X)),
}


def test_recognised() -> None:
    assert all(map(is_exported, FILES.values()))
    assert not is_exported(b"") and not is_exported(b"module {}" * 100) and not is_exported(bytes(1000))


@pytest.mark.parametrize("name", FILES)
def test_cut_anywhere(name: str) -> None:
    data = FILES[name]
    # The last bytes may be no more than the NUL of a text, and what fills the file up to a whole number.
    last = range(len(data) - 64, len(data))
    for end in [*range(0, 300, 7), *range(300, len(data), max(1, len(data) // 60)), *last]:
        with pytest.raises(hlo2tiny.ParseError):
            read(data[:end])


def test_a_cut_file_says_the_byte() -> None:
    data = FILES["model"]
    with pytest.raises(hlo2tiny.ParseError, match=r"<bytes>: byte \d+: .*file"):
        read(data[: len(data) - 40])


@settings(max_examples=300)
@given(data=st.data())
def test_mutations(data: Any) -> None:
    name = data.draw(st.sampled_from(sorted(FILES)))
    mutated = bytearray(FILES[name])
    # The envelope stands at both ends, the module between them.
    places = st.integers(0, 400) | st.integers(0, len(mutated) - 1) | st.integers(len(mutated) - 1500, len(mutated) - 1)
    for _ in range(data.draw(st.integers(1, 6))):
        at = max(0, min(data.draw(places), len(mutated) - 4))
        if data.draw(st.booleans()):
            mutated[at] = data.draw(st.integers(0, 255))
        else:
            value = data.draw(st.sampled_from([0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, len(mutated), 4, 1 << 20]))
            mutated[at : at + 4] = struct.pack("<I", value)
    with contextlib.suppress(hlo2tiny.ParseError, hlo2tiny.VerifyError, hlo2tiny.UnsupportedOp):
        read_exported(bytes(mutated), "f", "CPU")


def built(write: Any, module: bytes = b"ML\xefR" + bytes(8)) -> bytes:
    """A file whose Exported table `write` fills, by the flatbuffers library and JAX's own schema."""
    import flatbuffers
    from jax._src.export import serialization_generated as schema

    builder = flatbuffers.Builder(1024)
    fields = write(builder, schema)
    vector = builder.CreateByteVector(module)
    schema.ExportedStart(builder)
    schema.ExportedAddMlirModuleSerialized(builder, vector)
    schema.ExportedAddCallingConventionVersion(builder, 9)
    for add, value in fields:
        getattr(schema, f"ExportedAdd{add}")(builder, value)
    builder.Finish(schema.ExportedEnd(builder))
    return bytes(builder.Output())


def leaf(builder: Any, schema: Any, kind: int = 0, children: Any = ()) -> int:
    if children:
        schema.PyTreeDefStartChildrenVector(builder, len(children))
        for child in reversed(children):
            builder.PrependUOffsetTRelative(child)
        vector = builder.EndVector()
    schema.PyTreeDefStart(builder)
    schema.PyTreeDefAddKind(builder, kind)
    if children:
        schema.PyTreeDefAddChildren(builder, vector)
    return schema.PyTreeDefEnd(builder)


def test_a_structure_deeper_than_any() -> None:
    def write(builder: Any, schema: Any) -> Any:
        node = leaf(builder, schema)
        for _ in range(5000):
            node = leaf(builder, schema, 2, [node])
        return [("InTree", node), ("OutTree", node)]

    with pytest.raises(hlo2tiny.ParseError, match=r"byte .*more than (256|200) levels"):
        read(built(write))


def test_a_structure_that_is_large_by_repetition() -> None:
    def write(builder: Any, schema: Any) -> Any:
        node = leaf(builder, schema)
        for _ in range(60):
            node = leaf(builder, schema, 2, [node, node])
        return [("InTree", node), ("OutTree", node)]

    with pytest.raises(hlo2tiny.ParseError, match=r"byte .*parts of this file contain each other"):
        read(built(write))


def test_an_ancient_calling_convention() -> None:
    with pytest.raises(hlo2tiny.ParseError, match="calling convention version 4, expected 6 to 10"):
        read(built(lambda builder, schema: [("CallingConventionVersion", 4)]))


def test_a_calling_convention_of_the_future() -> None:
    from jax._src.export import serialization_generated as schema

    # Files name the jax that wrote them since version 12 of the format.
    named = hasattr(schema, "ExportedAddJaxVersion")
    assert named == (serialization._SERIALIZATION_VERSION >= 12)

    def write(builder: Any, schema: Any) -> Any:
        version = builder.CreateString("99.1.0")
        return [("CallingConventionVersion", 11), *([("JaxVersion", version)] if named else [])]

    wrote = ", for a file of jax 99.1.0" if named else ""
    message = f"version 11, expected 6 to 10; update hlo2tiny, which is {hlo2tiny.__version__}{wrote}; or export the"
    with pytest.raises(hlo2tiny.ParseError, match=re.escape(message)):
        read(built(write))


def test_replicas_are_refused() -> None:
    exported = export.export(jax.jit(lambda x: x))(X)
    text = exported.mlir_module().replace("mhlo.num_replicas = 1", "mhlo.num_replicas = 2")
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        data = _jax.mlir.serialize_portable_artifact(module, "1.0.0")

    def write(builder: Any, schema: Any) -> Any:
        name, one = builder.CreateString("f"), leaf(builder, schema)
        inputs = leaf(builder, schema, 2, [leaf(builder, schema, 2, [one]), leaf(builder, schema, 4)])
        schema.ExportedStartModuleKeptVarIdxVector(builder, 1)
        builder.PrependUint16(0)
        kept = builder.EndVector()
        return [
            *[("FunctionName", name), ("InTree", inputs), ("OutTree", one), ("ModuleKeptVarIdx", kept)],
            ("NrDevices", 2),
        ]

    with pytest.raises(hlo2tiny.UnsupportedOp, match="f was exported by pmap for 2 devices"):
        read(built(write, data))


# ---------------------------------------------------------------- shards

SHARDED = """
import sys
import jax, numpy as np
from jax import export
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(jax.devices(), "d")
rows = NamedSharding(mesh, P("d"))
whole = jax.jit(lambda x: (x @ x.T).sum(0), in_shardings=rows, out_shardings=rows)
parts = jax.jit(jax.shard_map(lambda x: jax.lax.psum(x, "d"), mesh=mesh, in_specs=P("d"), out_specs=P()))
for name, function in (("whole", whole), ("parts", parts)):
    data = export.export(function)(jax.ShapeDtypeStruct((4, 3), np.float32)).serialize()
    open(f"{sys.argv[1]}/{name}", "wb").write(data)
"""


def test_shards(tmp_path: Path) -> None:
    """Where values lie changes nothing; what each device computes by itself needs that many."""
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    subprocess.run([sys.executable, "-c", SHARDED, str(tmp_path)], check=True, env=environment)
    x = np.arange(12, dtype=F).reshape(4, 3)
    np.testing.assert_allclose(hlo2tiny.load(tmp_path / "whole", device="CPU").numpy(x), (x @ x.T).sum(0))
    with pytest.raises(hlo2tiny.UnsupportedOp, match=r"sdy\.manual_computation: .*device"):
        hlo2tiny.load(tmp_path / "parts", device="CPU")


def jaxs_files() -> Iterator[tuple[str, bytes]]:
    """Files that JAX keeps to test that it still reads them, by what they are about and their version."""
    package = "jax._src.internal_test_util.export_back_compat_test_data"
    for name in ("unspecified_sharding", "specified_sharding", "multiple_meshes", "memory_space"):
        for row in importlib.import_module(f"{package}.export_with_{name}").serializations:
            yield f"{name}, {row['serialization_version']}", bytes(row["exported_serialized"])


JAXS = dict(jaxs_files())


@pytest.mark.parametrize("name", JAXS)
def test_jaxs_own_files(name: str) -> None:
    program = hlo2tiny.load(JAXS[name], device="CPU")
    random = np.random.RandomState(0)
    arrays = [random.standard_normal(i.shape).astype(i.dtype) for i in program.inputs]
    found = program.numpy_one_by_one(arrays)
    if "meshes" in name:
        expected = [x @ w for x, w in zip(arrays[:4], arrays[4:])]
    else:
        expected = [arrays[0] * (1 if "memory" in name else 2)]
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_allclose(f, e, rtol=1e-5, atol=1e-5)
