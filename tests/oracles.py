"""What others compute for a program: XLA on the CPU, and the reference interpreter of StableHLO, both in jaxlib.

Their code runs in a process of its own: where a check of theirs fails, they end the process, and some programs make
them hang. Either is a `Refused` here, like a program that they report as unimplemented, and the next call starts a new
process.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from typing import Any

import numpy as np

ORACLES = ("xla", "interpreter")
# Contexts keep the types and attributes of all that they have read.
MOST_MODULES = 5000


class Refused(Exception):
    """The oracle cannot run this program: it says so, ends its process, or takes too long."""


@dataclass
class Worker:
    process: subprocess.Popen[bytes]
    pipe: Connection
    log: Any

    def last_words(self) -> str:
        """The line in which the process says why it ended."""
        self.process.wait(5)
        self.log.seek(0)
        lines = self.log.read().decode(errors="replace").strip().splitlines()
        telling = [line for line in lines if "ERROR" in line or "Check failed" in line]
        return (telling or lines or [f"exit code {self.process.returncode}"])[-1]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.pipe.close()
        self.log.close()


_worker: Worker | None = None


def run(oracle: str, text: str, arrays: Sequence[np.ndarray], timeout: float = 60) -> list[np.ndarray]:
    """The results of @main in `text` on these arrays, by "xla", by the "interpreter", or by "hlo2tiny" itself.

    "mlir" only reads and verifies the text, and gives no results; "generic" gives its generic form.

    Raises:
        Refused: it gives none.
    """
    global _worker
    worker = _worker = _worker or started()
    try:
        worker.pipe.send((oracle, text, list(arrays)))
        if not worker.pipe.poll(timeout):
            raise TimeoutError(f"no answer in {timeout} s")
        reason, results = worker.pipe.recv()
    except (EOFError, OSError) as error:
        _worker = None
        reason = str(error) if isinstance(error, TimeoutError) else f"its process ended: {worker.last_words()}"
        worker.end()
        raise Refused(reason) from None
    if reason:
        raise Refused(reason)
    return list(results)


def started() -> Worker:
    # A process of its own rather than multiprocessing's: a fork would inherit threads, a spawn imports __main__ again.
    ours, theirs = Pipe()
    log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the process)
    # Each op rounds as declared: by default XLA may keep bf16 intermediates in f32.
    flags = {"XLA_FLAGS": "--xla_allow_excess_precision=false", "JAX_PLATFORMS": "cpu"}
    process = subprocess.Popen(
        [sys.executable, __file__, str(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        env=os.environ | flags,
    )
    theirs.close()
    atexit.register(process.kill)
    return Worker(process, ours, log)


# ---------------------------------------------------------------- in the other process


def serve(pipe: Connection) -> None:
    """Answer requests (oracle, text, arrays) with ("", results) or (the reason why there are none, None)."""
    kept: dict[str, Callable[..., list[np.ndarray]]] = {}
    run_by = {"xla": compiled_by_xla, "interpreter": interpreted, "hlo2tiny": loaded}
    run_by |= {"mlir": verified, "generic": generic}
    while True:
        try:
            oracle, text, arrays = pipe.recv()
        except EOFError:
            return
        try:
            key = oracle + text
            if key not in kept:
                kept.clear()
                kept[key] = run_by[oracle](text)
            answer = "", kept[key](*arrays)
        except Exception as error:
            answer = f"{type(error).__name__}: {error}", None
        pipe.send(answer)


def compiled_by_xla(text: str) -> Callable[..., list[np.ndarray]]:
    import jax
    from jax._src.interpreters import mlir
    from jaxlib import _jax, xla_client
    from jaxlib.mlir import ir

    jax.config.update("jax_enable_x64", True)  # arguments keep 64 bits
    (device,) = jax.devices("cpu")
    with mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        options = xla_client.CompileOptions()
        executable = device.client.compile_and_load(module, _jax.DeviceList((device,)), options)

    def call(*arrays: np.ndarray) -> list[np.ndarray]:
        results = executable.execute_sharded([jax.device_put(x, device) for x in arrays])
        return [np.asarray(shards[0]) for shards in results.disassemble_into_single_device_arrays()]

    return call


_contexts: list[Any] = []  # one, with the number of modules that it may still read


def read(text: str) -> Any:
    """A module that MLIR has read and verified."""
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir.dialects import stablehlo

    if not _contexts:
        stablehlo.register_stablehlo_passes()
    if not _contexts or _contexts[1] == 0:
        _contexts[:] = [mlir.make_ir_context(), MOST_MODULES]
        with _contexts[0], ir.Location.unknown():  # this pass needs, and so loads, the dialect of quantized types
            passmanager.PassManager.parse("builtin.module(vhlo-legalize-to-stablehlo)").run(
                ir.Module.parse("").operation
            )
    _contexts[1] -= 1
    with _contexts[0], ir.Location.unknown():
        return ir.Module.parse(text)


def verified(text: str) -> Callable[..., list[np.ndarray]]:
    read(text)
    return list


def generic(text: str) -> Callable[..., list[Any]]:
    printed = read(text).operation.get_asm(print_generic_op_form=True)
    return lambda: [printed]


def loaded(text: str) -> Callable[..., list[np.ndarray]]:
    import hlo2tiny
    from hlo2tiny.program import Program

    program = Program(hlo2tiny.parse(text), "CPU")
    return lambda *arrays: list(program.numpy(*arrays))


def interpreted(text: str) -> Callable[..., list[np.ndarray]]:
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    context = mlir.make_ir_context()
    stablehlo.register_interpreter_dialect(context)
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        (main,) = (f for f in module.body.operations if ir.StringAttr(f.attributes["sym_name"]).value == "main")
        types = [ir.ShapedType(t) for t in main.type.inputs]
        dtypes = plain_results(main)

    def call(*arrays: np.ndarray) -> list[np.ndarray]:
        with context, ir.Location.unknown():
            constants = [
                ir.DenseElementsAttr.get(x if x.dtype == bool else np.frombuffer(x.tobytes(), np.uint8), type=type)
                for x, type in zip(map(np.ascontiguousarray, arrays), types)
            ]
            found = iter(stablehlo.eval_module(module, constants))
            return [joined(dtype, found) for dtype in dtypes]

    return call


def plain_results(main: Any) -> list[str]:
    """Make @main return what jaxlib can hand to Python: complex numbers in halves, narrow numbers as integers."""
    from jaxlib.mlir import ir

    block = main.body.blocks[0]
    terminator = block.operations[len(block.operations) - 1]
    values, declared = [], []

    def op(name: str, operand: Any, element: str) -> Any:
        shape = "".join(f"{d}x" for d in ir.ShapedType(operand.type).shape)
        return ir.Operation.create(name, [ir.Type.parse(f"tensor<{shape}{element}>")], [operand]).result

    with ir.InsertionPoint(terminator):
        for value in terminator.operands:
            element = str(ir.ShapedType(value.type).element_type)
            declared.append(element)
            if element.startswith("complex"):
                half = element.removeprefix("complex<").removesuffix(">")
                values += [op("stablehlo.real", value, half), op("stablehlo.imag", value, half)]
            elif element.startswith("f4"):
                values.append(op("stablehlo.convert", op("stablehlo.bitcast_convert", value, "i4"), "i8"))
            elif element.startswith(("f8", "bf16")):
                values.append(op("stablehlo.bitcast_convert", value, "i8" if element.startswith("f8") else "i16"))
            elif element in ("i2", "i4", "ui2", "ui4"):
                values.append(op("stablehlo.convert", value, element[:-1] + "8"))
            else:
                values.append(value)
        ir.Operation.create("func.return", [], values)
    terminator.erase()
    type = ir.FunctionType.get(main.type.inputs, [v.type for v in values])
    main.attributes["function_type"] = ir.TypeAttr.get(type)
    return declared


def joined(element: str, found: Any) -> np.ndarray:
    """One result from what `plain_results` made of it."""
    from hlo2tiny.ir.dtypes import COMPLEX, NUMPY

    plain = np.array(next(found))
    if element.startswith("complex"):
        whole = np.empty(plain.shape, COMPLEX[element[8:-1]])
        whole.real, whole.imag = plain, np.array(next(found))  # a sum would lose the zeros' signs
        return whole
    dtype = NUMPY[element]
    return plain.astype(dtype) if element in ("i2", "i4", "ui2", "ui4") else plain.view(dtype)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
