"""MLIR bytecode → Module: https://mlir.llvm.org/docs/BytecodeFormat, all its versions.

cursor.py reads numbers, file.py the sections; builtin.py, stablehlo.py, vhlo.py and shardy.py their dialects'
attributes and types, properties.py the properties of ops, operations.py the graph. upgrade.py turns VHLO's ops into
today's StableHLO.
"""

from .operations import read_bytecode

__all__ = ["read_bytecode"]
