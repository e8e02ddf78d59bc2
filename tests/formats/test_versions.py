"""What is known of other formats' versions, and what an error says about a file that is newer."""

from __future__ import annotations

import numpy as np
import pytest
from jaxlib.mlir.dialects import stablehlo
from test_bytecode import CURRENT, LOCATION, artifact, bytecode, file_of, one

import hlo2tiny
from hlo2tiny import versions
from hlo2tiny.formats.bytecode import read_bytecode

TEXT = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def test_the_installed_versions_are_known() -> None:
    """Red when a jaxlib brings a version that nobody here has looked at yet."""
    assert not versions.advice_on(f"StableHLO_v{stablehlo.get_current_version()}")
    producer = bytecode(TEXT)[5:].split(b"\0")[0].decode()
    assert producer.startswith("MLIR") and not versions.advice_on(producer)


@pytest.mark.parametrize(
    ("producer", "newer"),
    [
        ("StableHLO_v1.22.0", False),
        ("StableHLO_v1.22.9", False),
        ("StableHLO_v1.23.0", True),
        ("StableHLO_v2.0.0", True),
        ("StableHLO_v0.9.0", False),
        ("MLIR24.0.0git", False),
        ("MLIR25.0.0git", True),
        ("MLIR" + "9" * 5000, True),
        ("somebody", False),
        ("", False),
    ],
)
def test_advice(producer: str, newer: bool) -> None:
    assert ("update hlo2tiny" in versions.advice_on(producer)) == newer
    assert len(versions.advice_on(producer)) < 400


def outcome(data: bytes) -> str:
    with pytest.raises(hlo2tiny.ParseError) as raised:
        read_bytecode(data, "x")
    return str(raised.value)


def test_an_unknown_part_of_a_newer_file() -> None:
    """Whatever the newer thing is: a code, a property more, an op that is defined by them."""
    advice = "knows StableHLO up to 1.22 and MLIR up to 24: update hlo2tiny, or write the file "
    code = file_of([LOCATION, one(99)], one(2) + one(0) + b"\1" + one(0) + one(1))
    data = artifact(TEXT, CURRENT)
    assert data is not None
    current, later = f"StableHLO_v{CURRENT}".encode(), b"StableHLO_v9.99.0"[: len(CURRENT) + 11]
    renamed = data.replace(b"reverse_v1", b"reverse_v9")
    assert "update hlo2tiny" not in outcome(renamed)
    for changed, expected in [
        (code.replace(b"test\0", b"MLIR99\0"), f"{advice}as text, or as a portable artifact of StableHLO 1.22.0"),
        (renamed.replace(current, later), f"written by {later.decode()}, and hlo2tiny {hlo2tiny.__version__} {advice}"),
        (renamed.replace(current, later), f"{advice}for version 1.22.0"),
    ]:
        assert expected in outcome(changed)


def test_a_newer_file_without_anything_unknown_is_read() -> None:
    data = artifact(TEXT, CURRENT)
    assert data is not None
    later = data.replace(f"StableHLO_v{CURRENT}".encode(), b"StableHLO_v9.99.0"[: len(CURRENT) + 11])
    assert later != data
    (found,) = hlo2tiny.load(later, "CPU").numpy(np.array([1, 2], np.float32))
    np.testing.assert_array_equal(found, [2, 1])


def test_an_unknown_op() -> None:
    text = TEXT.replace("stablehlo.reverse %a, dims = [0]", "stablehlo.tomorrow %a")
    message = r"stablehlo\.tomorrow: no rule for this op; hlo2tiny [\d.]+ knows StableHLO up to 1\.22"
    with pytest.raises(hlo2tiny.UnsupportedOp, match=message):
        hlo2tiny.load(text, "CPU")
