"""The JSON next to a text, with bytes of it replaced: it is read, or refused, and nothing else happens."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlo2tiny.errors import Error
from hlo2tiny.formats import sidecar
from hlo2tiny.formats.artifact import Signature, Stored
from hlo2tiny.program.calling import calling_of
from hlo2tiny.trees import LEAF, NONE, Tree

TEXT = b"func.func @main() { return }"
NAMES = ("params['w']", "params['b']", "x")
INPUTS = Tree(
    "tuple",
    (
        Tree("tuple", (LEAF, Tree("named", (LEAF, NONE), ("count", "none"), "State"), Tree("static", (), (), "'s'"))),
        Tree("dict", (Tree("custom", (LEAF, Tree("list")), (), "Bag"),), (("k", 1),)),
    ),
)
WHOLE = Signature(
    INPUTS,
    LEAF,
    {0: Stored("w.safetensors", "w")},
    kept=[2, 0],
    names=NAMES,
    dimensions=[["3"], ["b"], []],
    output_dimensions=[["b"]],
    fixed={"mode": "'a'"},
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sidecar") / "model.mlir"


def test_what_was_written_is_read(path: Path) -> None:
    sidecar.write(path, TEXT, WHOLE)
    found = sidecar.signature_of(sidecar.contents(str(path)), str(path), TEXT)
    assert found is not None and found.to_json() == WHOLE.to_json()
    assert calling_of(found, NAMES, 1).positions == [2, None, 1]


@settings(max_examples=300)
@given(st.data())
def test_bytes_replaced(path: Path, data: st.DataObject) -> None:
    sidecar.path_of(str(path)).unlink(missing_ok=True)  # which may be no file of ours by now
    sidecar.write(path, TEXT, WHOLE)
    where = sidecar.path_of(str(path))
    content = where.read_bytes()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        piece = data.draw(
            st.sampled_from([b"[", b"]", b"{", b'"', b",", b"null", b"-1", b"1e99", b"true"]) | st.binary(max_size=3)
        )
        content = content[:at] + piece + content[at + data.draw(st.integers(0, 12)) :]
    where.write_bytes(content)
    try:
        found = sidecar.signature_of(sidecar.contents(str(path)), str(path), TEXT)
        if found is not None:
            calling_of(found, NAMES, 1)
    except Error as error:
        assert str(error)
