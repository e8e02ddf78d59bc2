"""The intermediate representation: types, attributes, and the SSA graph of a module."""

from .attributes import (
    ArrayAttr,
    Attribute,
    BoolAttr,
    DenseArrayAttr,
    DenseAttr,
    DialectAttr,
    DictAttr,
    ElidedAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolAttr,
    TypeAttr,
    UnitAttr,
)
from .locations import Location, about, error_at
from .module import Function, Module, Op, Region, Value, walk
from .types import (
    ComplexType,
    ElementType,
    FunctionType,
    FutureType,
    OpaqueType,
    QuantizedType,
    ScalarType,
    TensorType,
    TokenType,
    TupleType,
    Type,
    UnrankedTensorType,
)

__all__ = ["ArrayAttr", "Attribute", "BoolAttr", "ComplexType", "DenseArrayAttr", "DenseAttr", "DialectAttr",
           "DictAttr", "ElementType", "ElidedAttr", "FloatAttr", "Function", "FunctionType", "FutureType",
           "IntegerAttr", "Location", "Module", "Op", "OpaqueType", "QuantizedType", "Region", "ScalarType",
           "StringAttr", "SymbolAttr", "TensorType", "TokenType", "TupleType", "Type", "TypeAttr", "UnitAttr",
           "UnrankedTensorType", "Value", "about", "error_at", "walk"]  # fmt: skip
