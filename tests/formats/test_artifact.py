"""Signatures as the cache keeps them."""

from __future__ import annotations

import json

import pytest

from hlo2tiny.formats.artifact import Signature, Stored, signature_from_json
from hlo2tiny.trees import LEAF, NONE, Tree


@pytest.mark.parametrize(
    "signature",
    [
        Signature(),
        Signature(NONE, LEAF, kept=[]),
        Signature(
            Tree("tuple", (Tree("dict", (LEAF, NONE), ("w", "b")), LEAF)),
            Tree("list", (LEAF,)),
            {2: Stored("data/w"), 0: Stored("model.safetensors", "w", False)},
            (0, 3),
            ("", "x"),
            (("b", "28"), ()),
        ),
    ],
)
def test_round_trip(signature: Signature) -> None:
    found = signature_from_json(json.loads(json.dumps(signature.to_json())))
    assert (found.inputs, found.outputs, found.bound) == (signature.inputs, signature.outputs, dict(signature.bound))
    assert (found.kept is None) == (signature.kept is None) and list(found.kept or ()) == list(signature.kept or ())
    assert list(found.names) == list(signature.names)
    assert [tuple(d) for d in found.dimensions] == list(signature.dimensions)
