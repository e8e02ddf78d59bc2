"""Compile options as XLA writes them, and programs that they give to several devices."""

from __future__ import annotations

import numpy as np
import pytest
from jax._src.lib import xla_client

from hlo2tiny import InputError
from hlo2tiny.pjrt.options import CompileOptions, read_options
from hlo2tiny.pjrt.partitions import partitioned


def written(assignment: np.ndarray | None) -> bytes:
    options = xla_client.CompileOptions()
    if assignment is not None:
        options.num_replicas, options.num_partitions = assignment.shape
        options.device_assignment = xla_client.DeviceAssignment.create(assignment)
    return options.SerializeAsString()


def test_options_as_xla_writes_them() -> None:
    assert read_options(b"") == CompileOptions()
    assert read_options(written(None)) == CompileOptions()
    assert read_options(written(np.array([[3]], np.int32))) == CompileOptions(devices=(3,))
    assert read_options(written(np.array([[200, 1], [0, 2]], np.int32))) == CompileOptions(2, 2, (200, 1, 0, 2))


def test_an_option_that_nobody_has_is_refused() -> None:
    options = xla_client.CompileOptions()
    options.env_option_overrides = [("xla_embed_ir_in_executable", True)]
    assert read_options(options.SerializeAsString()) == CompileOptions()
    options.env_option_overrides = [("xla_embed_ir_in_executable", True), ("xla-embed-ir", "1")]
    with pytest.raises(InputError, match="No such compile option: 'xla-embed-ir'"):
        read_options(options.SerializeAsString())


@pytest.mark.parametrize("damaged", [b"\x1a\x05a", b"\x1a", b"\xff" * 11, b"\x1b", b"\x18\x01"])
def test_damaged_options_are_refused(damaged: bytes) -> None:
    with pytest.raises(InputError, match="CompileOptionsProto"):
        read_options(damaged)


@pytest.mark.parametrize("mesh, sharding", [("", 'mhlo.sharding = "{replicated}"'), ("sdy.mesh @m = <[]>", "")])
def test_a_program_that_cuts_nothing_runs_whole_on_each_device(mesh: str, sharding: str) -> None:
    code = f"""{mesh}
func.func @main(%x: tensor<2xf32> {{{sharding}}}) -> tensor<2xf32> {{
  return %x : tensor<2xf32>
}}"""
    assert partitioned(code.encode(), 1, 2) is None
