"""What `load` does."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from ..syntax.source import ProgramPath, read_once
from .ffi import FfiOption
from .options import options_of
from .program import Program


def load(
    path: ProgramPath | bytearray | memoryview,
    device: str | Sequence[str] | None = None,
    *,
    weights: str | PathLike[str] | None = None,
    entry: str | None = None,
    threads: int | None = None,
    donate: Sequence[str | int] | str | int | None = None,
    precision: str = "default",
    deterministic: str = "runs",
    ffi: FfiOption = None,
    batch_invariant: bool = False,
) -> Program:
    """Load a StableHLO program from a file. The file's contents, not its name, decide what it is read as.

    Args:
        path: MLIR text (with model.mlir.json and model.safetensors next to it if `export` wrote them), MLIR bytecode, a
            file of `jax.export.Exported.serialize()`, one of these compressed by gzip or zstd, or a folder that
            torch_xla wrote. "-" is standard input. Text and bytes are accepted instead of a path. The file is read
            once.
        device: a tinygrad device such as "CPU", "CUDA", "METAL" or "CL"; None takes tinygrad's default, which on Linux
            machines without an accelerator in /dev is always the CPU. Several names, such as ("CPU:0", "CPU:1"), run a
            program that was exported for as many devices: arguments are whole arrays, which are cut as the file's
            shardings say.
        weights: a .safetensors file with other weights, whose tensors have the names of the arguments:
            `params['Dense_0']['kernel']`, `params.Dense_0.kernel` or `Dense_0.kernel`. Calls leave these out.
        entry: the function that calls run, if the file has several; None takes @main, or the only public function.
            Other functions take their arguments one by one.
        threads: how many threads a call uses on the CPU, from 1 to 256; None: as many as there are processors that the
            process may use, or OMP_NUM_THREADS if it is less. Results are bit-identical for any number. Several devices
            get one thread each, and share the rest.
        donate: the arguments, by name or position, whose memory each call gives up for a result of the same type, such
            as a cache that the program updates. `numpy` overwrites their arrays and returns them as results; Tensors
            cannot be used again. None: those that the file donates, of which only Tensors are given up.
        precision: how matrix products and convolutions of f32 are computed: "highest" in f32; "default" as each op of
            the file asks, which on NVIDIA GPUs is TF32 unless its precision is HIGH or HIGHEST. Other devices always
            compute them in f32.
        deterministic: how several devices reduce what they exchange, such as gradients: "runs" in the fastest order, so
            that results are bit-identical in every run on these devices; "order" in the order of the devices, as on the
            CPU, which on GPUs takes longer.
        ffi: the compiled handlers of custom calls, which were written for XLA's typed FFI: libraries, as in
            ["lib.so"], which have or register a symbol of the call's name (`rms_norm`, or `RmsNorm`), or LIBRARY:SYMBOL
            for each, as in {"rms_norm": "lib.so:RmsNorm"}. Instead of the latter, a dictionary of the stages
            "instantiate", "prepare", "initialize" and "execute" names several functions, and what `jax.ffi.pycapsule`
            returns is accepted, too. "embedded" lets the kernels for NVIDIA GPUs run that the file itself contains as
            PTX or machine code: only files that you trust may do that.
        batch_invariant: whether a row of the arguments has the same bits in the results that it has alone, whatever
            the other rows are and however many there are, if the program computes it from that row alone. This takes
            longer, and only the CPU and CUDA can do it.

    Examples:
        >>> program = load("corpus/flax_convnet.mlir", device="CPU")
        >>> [str(i) for i in program.inputs][:1]
        ["params['Conv_0']['bias']: float32[32]"]

    Raises:
        ParseError: the format of the file is unknown, or the file is damaged; the message says at which line and
            column, or at which byte.
        VerifyError: the module breaks a rule of the specification; all problems are listed.
        UnsupportedOp: the module has ops that cannot run here, or types that the device lacks; all are listed.
        InputError: a file cannot be read, there is no such entry or precision, the weights or threads do not fit, the
            device does not open, or a handler's library or symbol is missing.
    """
    options = options_of(device, entry, threads, donate, precision, deterministic, ffi, batch_invariant)
    program = Program._of_file(read_once(path), options)
    return program if weights is None else program.with_weights(weights)
