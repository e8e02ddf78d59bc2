"""Runs a program on arrays, by Python for aarch64: python aarch64.py PROGRAM INPUTS.npz RESULTS.npz."""

import platform
import sys

import numpy as np

import hlo2tiny

path, inputs, results = sys.argv[1:]
assert platform.machine() == "aarch64"
assert "func.func" in str(hlo2tiny.parse(path))
program = hlo2tiny.load(path, device="CPU", threads=2)
with np.load(inputs) as arrays:
    # numpy's files hold numbers of types that it does not know, such as bfloat16, as bytes.
    found = program.numpy(*(array.view(type.dtype) for array, type in zip(arrays.values(), program.inputs)))
np.savez(results, *(array.view(f"V{array.itemsize}") if array.dtype.kind == "V" else array for array in found))
