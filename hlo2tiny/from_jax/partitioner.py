"""XLA's partitioner, in a process of its own, whose XLA has as many devices as the program needs.

`python -m hlo2tiny.from_jax.partitioner N shardy` reads a StableHLO program from standard input and writes what each of
N devices runs to standard output, as MLIR bytecode; `gspmd` instead of `shardy` is for the notation before Shardy. A
line of JSON comes first: by channel, the groups of collectives as XLA writes them. The devices of a mesh may be in any
order, which XLA loses in StableHLO.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from ..targets.embedded import Message

# The number of the field of an HloProto that has the module.
MODULE = 1
GROUPS = re.compile(r"\bchannel_id=(\d+), replica_groups=(mesh\[.*?\{.*?\})")


def main(count: int, notation: str) -> None:
    output = os.dup(1)
    os.dup2(2, 1)  # only the program goes to standard output
    with tempfile.TemporaryDirectory(prefix="hlo2tiny-") as folder:
        flags = f"--xla_force_host_platform_device_count={count} --xla_dump_to={folder}"
        flags += " --xla_dump_hlo_as_proto --xla_dump_hlo_as_text"
        os.environ["XLA_FLAGS"] = f"{flags} --xla_dump_hlo_pass_re=spmd-partitioning"
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        import numpy as np
        from jax._src.interpreters import mlir
        from jax._src.lib import _jax, xla_client  # type: ignore[attr-defined]
        from jaxlib.mlir import ir

        with mlir.make_ir_context():
            module: Any = ir.Module.parse(sys.stdin.buffer.read())
            code = mlir.module_to_bytecode(module)
        options = xla_client.CompileOptions()
        options.num_partitions = count
        build = options.executable_build_options
        build.num_partitions = count
        build.use_spmd_partitioning, build.use_shardy_partitioner = True, notation == "shardy"
        build.device_assignment = xla_client.DeviceAssignment.create(np.arange(count).reshape(1, count))
        devices = jax.devices()
        devices[0].client.compile_and_load(code, devices, options)
        (after,) = Path(folder).glob("*.after_spmd-partitioning.*.hlo.pb")
        partitioned = _jax.mlir.hlo_to_stablehlo(Message(after.read_bytes()).text(MODULE))
        (printed,) = Path(folder).glob("*.after_spmd-partitioning.*.txt")
        groups = dict(GROUPS.findall(printed.read_text(encoding="utf-8", errors="replace")))
    with os.fdopen(output, "wb") as file:
        file.write(json.dumps(groups).encode() + b"\n")
        file.write(partitioned)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
