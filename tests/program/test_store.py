"""Entries of the store: what goes in comes out, and what is rare or large stays out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hlo2tiny.formats.artifact import Signature
from hlo2tiny.ir import ComplexType, QuantizedType, ScalarType, TensorType
from hlo2tiny.machine import cache
from hlo2tiny.program import store
from hlo2tiny.program.compiled import Compiled
from hlo2tiny.program.interface import Interface
from hlo2tiny.program.options import Options
from hlo2tiny.program.store import ALIGNMENT, StoredProgram, pack, unpack
from hlo2tiny.targets import NotBuilt, Serialized

X = TensorType((None, 3), ScalarType("f32"))
Y = TensorType((3,), ComplexType(ScalarType("f64")))
OPEN = Interface(["x"], ["y"], [X], [Y], Signature())
STATIC = replace(OPEN, inputs=[replace(X, shape=(2, 3))])
PARTS = [np.arange(5, dtype=np.uint8), np.zeros(0, np.uint8), np.arange(100, dtype=np.uint8)]


class Recorded:
    """An executor that is what was serialized."""

    def __init__(self, serialized: Serialized | None) -> None:
        self.serialized = serialized

    def serialize(self) -> Serialized | None:
        return self.serialized


def load(serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType], threads: int) -> Any:
    if serialized.facts.get("foreign"):
        raise NotBuilt("another machine's")
    return Recorded(serialized)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StoredProgram:
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return StoredProgram("digest", Options("CPU", threads=4), SimpleNamespace(load=load))  # type: ignore[arg-type]


def test_parts_are_aligned_and_come_back() -> None:
    stored = pack({"names": ["x"]}, PARTS)
    head, parts = unpack(stored)
    assert head["names"] == ["x"] and [part.tolist() for part in parts] == [part.tolist() for part in PARTS]
    begins = [part.__array_interface__["data"][0] for part in parts if part.size]
    assert (begins[1] - begins[0]) % ALIGNMENT == 0


@pytest.mark.parametrize("interface", [STATIC, OPEN])
def test_what_is_stored_is_found(interface: Interface, place: StoredProgram) -> None:
    assert place.find().interface is None
    executor: Any = Recorded(Serialized({"arena": 7}, PARTS))
    place.store(interface, Compiled(STATIC.inputs, [Y], {}, executor), executor)
    found = place.find()
    assert found.interface is not None and (found.only is not None) == interface.is_static
    assert (found.interface.inputs, found.interface.outputs) == (interface.inputs, interface.outputs)
    compiled = found.of_shapes(((2, 3),))
    assert compiled is not None and (compiled.inputs, compiled.outputs) == (STATIC.inputs, [Y])
    executor = compiled.compile()
    assert executor.serialized.facts == {"arena": 7} and executor.serialized.parts[2].tolist() == PARTS[2].tolist()
    if not interface.is_static:
        assert found.of_shapes(((9, 3),)) is None
    assert replace(place, options=Options("CUDA", threads=4)).find().interface is None, (
        "another device's code is another entry"
    )


@pytest.mark.parametrize("why", ["this process's", "rare", "large", "foreign"])
def test_what_is_not_stored_or_not_loaded(why: str, place: StoredProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    serialized = None if why == "this process's" else Serialized({"foreign": why == "foreign"}, PARTS)
    interface = STATIC
    if why == "rare":
        quantized = QuantizedType(ScalarType("i8"), ScalarType("f32"), (0.5,), (0,))
        interface = replace(STATIC, outputs=[TensorType((3,), quantized)])
    if why == "large":
        monkeypatch.setattr(store, "LARGEST", 104)
    executor: Any = Recorded(serialized)
    place.store(interface, Compiled(STATIC.inputs, interface.outputs, {}, executor), executor)
    folder = cache.folder()
    assert folder is not None and len(list(folder.iterdir())) == (why == "foreign")
    assert place.find().interface is None


@pytest.mark.parametrize("device", ["cuda:0", "CUDA:0", "CUDA"])
def test_the_first_gpu_has_one_name(device: str, place: StoredProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that was loaded for CUDA:0 refused arrays on it once it came from the store."""
    target = SimpleNamespace(begin_opening=lambda name: None, loader=place.loader)
    monkeypatch.setattr(store, "target_of", lambda name: target)
    found = store.find("digest", Options(device))
    assert found is not None and found.options.device == "CUDA"
