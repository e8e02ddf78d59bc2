"""Launches kernels that a file contains."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...errors import InputError
from ..embedded import BUFFER, EmbeddedKernel
from .driver import allow_shared, arguments, check, driver

KINDS: Mapping[str, Callable[[Any], Any]] = {
    BUFFER: ctypes.c_uint64, "bool": ctypes.c_bool, "i32": ctypes.c_int32, "u32": ctypes.c_uint32,
    "i64": ctypes.c_int64, "u64": ctypes.c_uint64, "f32": ctypes.c_float, "f64": ctypes.c_double,
}  # fmt: skip
# The bytes of shared memory that a block has unless its kernel asks for more.
GIVEN = 48 << 10


class Launcher:
    """The functions of such kernels, loaded on one GPU."""

    def __init__(self) -> None:
        self._functions: dict[EmbeddedKernel, Any] = {}

    def function(self, kernel: EmbeddedKernel) -> Any:
        """The function of a kernel; the driver compiles PTX.

        Raises:
            RuntimeError: the kernel needs more than a block of this GPU has.
            InputError: the driver refuses its code.
        """
        if kernel not in self._functions:
            cu = driver()
            attribute = cu.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
            if kernel.shared > check(cu.cuDeviceGetAttribute(attribute, check(cu.cuCtxGetDevice()))):
                raise RuntimeError(f"{kernel.shared:,} bytes of shared memory")
            try:
                module = check(cu.cuModuleLoadData(kernel.code.encode("latin-1") + b"\0"))
                function = check(cu.cuModuleGetFunction(module, kernel.name.encode()))
                if kernel.shared > GIVEN:
                    allow_shared(function, kernel.shared)
            except InputError as error:
                raise InputError(f"{kernel} cannot be loaded: {error}; export it for this kind of GPU") from error
            self._functions[kernel] = function
        return self._functions[kernel]

    def run(self, kernel: EmbeddedKernel, addresses: Sequence[int], workspace: int, stream: Any) -> None:
        """Launch a kernel on buffers at these addresses."""
        cu = driver()
        for buffer, size in kernel.zeroed:
            check(cu.cuMemsetD8Async(addresses[buffer], 0, size, stream))
        given = [KINDS[kind](addresses[int(x)] if kind == BUFFER else x) for kind, x in kernel.parameters]
        # Triton's kernels also take working memory and memory for profiles; others have no parameters for them.
        pointers, kept = arguments(*given, ctypes.c_uint64(workspace if kernel.scratch else 0), ctypes.c_uint64(0))
        config = cu.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = kernel.grid
        config.blockDimX, config.blockDimY, config.blockDimZ = kernel.block
        config.sharedMemBytes, config.hStream = kernel.shared, stream
        if kernel.cluster > 1:
            size = cu.CUlaunchAttribute()
            size.id = cu.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
            size.value.clusterDim.x, size.value.clusterDim.y, size.value.clusterDim.z = kernel.cluster, 1, 1
            config.attrs, config.numAttrs = [size], 1
        check(cu.cuLaunchKernelEx(config, self.function(kernel), pointers, 0))
        del kept  # the driver has copied them
