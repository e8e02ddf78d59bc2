"""Ops and custom calls that only run in the program that exported them: why, and what to do instead."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from math import prod

from ..ir import DialectAttr, Module, Op, StringAttr
from ..ops.attributes import plain
from ..rules.registry import attributes_of, rule_name

CONNECTED = "exchanges data with a host while the program runs, which a file cannot do; {cure}"
CALLBACK = (
    "calls a Python function of the process that exported the model, which the file does not contain; export it without"
    " jax.debug.print, jax.debug.callback, jax.pure_callback and jax.experimental.io_callback"
)
PALLAS = (
    "is {kernel}, compiled for {device}; export with pallas_call(…, interpret=True), or replace the kernel and export"
    " with platforms=['cpu']"
)
# Pallas writes Triton's IR, and jax_triton PTX for one kind of GPU.
AS_HANDLER = "replace the kernel and export with platforms=['cpu'], or compile it to a handler: load(…, ffi=['lib.so'])"
TRITON_IR = (
    "is {kernel} in Triton's IR, which only Triton's compiler turns into code; export with"
    f" pallas_call(…, interpret=True), or {AS_HANDLER}"
)
EMBEDDED = (
    "is a kernel for NVIDIA GPUs that the file contains; if you trust the file, load it with device='CUDA',"
    f" ffi='embedded' (--ffi embedded), or {AS_HANDLER}"
)
CUDNN = "is a cuDNN kernel; export with jax.nn.dot_product_attention(…, implementation='xla') or with platforms=['cpu']"

# By op name, or by a custom call's target after "@"; * stands for any characters, ? for any single one.
REFUSED = {
    "stablehlo.infeed": CONNECTED.format(cure="make the data an argument"),
    "stablehlo.outfeed": CONNECTED.format(cure="return the data"),
    "stablehlo.send": CONNECTED.format(cure="return the data; callbacks of TPU models are transfers too"),
    "stablehlo.recv": CONNECTED.format(cure="make the data an argument; callbacks of TPU models are transfers too"),
    "chlo._asin_acos_kernel": "is an intermediate step of the compiler's expansion of asin and acos; export the model"
    " before that step",
    "@xla*_python_?pu_callback": CALLBACK,
    "@tpu_custom_call": PALLAS.replace("{device}", "TPU"),
    "@mosaic_gpu*": PALLAS.replace("{device}", "NVIDIA GPUs"),
    "@triton_kernel_call*": EMBEDDED,
    "@__gpu$xla.gpu.ptx": EMBEDDED,
    "@__gpu$xla.gpu.triton": TRITON_IR,
    "@__cudnn$*": CUDNN,
    "@tf.call_tf_function": "calls a TensorFlow function that the file does not contain; export with"
    " jax2tf.call_tf(…, call_tf_graph=False)",
}


def refusal(module: Module, op: Op, processes: int) -> str:
    """Why an op is refused and what to do instead; '' if it is not refused."""
    if op.name == "sdy.manual_computation":
        return manual_computation_refusal(module, op) if processes == 1 else ""
    name = rule_name(op)
    for pattern, reason in REFUSED.items():
        if fnmatchcase(name, pattern):
            target = f"custom call {name[1:]!r} " if name.startswith("@") else ""
            return target + reason.replace("{kernel}", f"the Pallas kernel {kernel_name(op)}".rstrip())
    return ""


def kernel_name(op: Op) -> str:
    """The quoted name of the kernel that a custom call runs, or ''."""
    attributes = attributes_of(op)
    name = next((a for n in ("kernel_name", "name") if isinstance(a := attributes.get(n), StringAttr)), None)
    return repr(name.value) if name else ""


def manual_computation_refusal(module: Module, op: Op) -> str:
    """Why a manual computation is refused: its body sees one shard of several, unless its manual axes have size 1."""
    sharding, axes = (text_of(op.attributes.get(name)) for name in ("in_shardings", "manual_axes"))
    sharding += text_of(op.attributes.get("out_shardings"))
    meshes = {plain(op.attributes.get("sym_name")): op for op in module.symbols if op.name == "sdy.mesh"}
    named = [meshes[name] for name in re.findall(r'@"?([\w.$-]+)', sharding) if name in meshes]
    sizes = {
        name: int(size)
        for text in (sharding, *(text_of(mesh.attributes.get("mesh")) for mesh in named))
        for name, size in re.findall(r'"([^"]*)"\s*=\s*(\d+)', text)
    }
    manual = re.findall(r'"([^"]*)"', axes)
    devices = prod(sizes.get(name, 1) for name in manual)
    if devices == 1:
        return ""
    return (
        f"is written for {devices} devices, but one was named; name them, as in load(…, device=('CPU:0', 'CPU:1')) or"
        " hlo2tiny run --device CPU:0,CPU:1, or export the model with a mesh of one device"
    )


def text_of(attribute: object) -> str:
    return attribute.text if isinstance(attribute, DialectAttr) else ""
