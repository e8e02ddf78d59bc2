"""Columns of tables as arrays: numpy's, Arrow's with lists and tensors, pandas'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..program.arguments import expect_no_mask

if TYPE_CHECKING:
    import pyarrow as pa


def column_of(column: pa.ChunkedArray | pa.Array) -> np.ndarray:
    """An Arrow column as an array; an array of objects, one per row, if there are nulls or lists vary in length."""
    import pyarrow as pa

    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):  # without chunks, or with more than one chunk can hold
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    if isinstance(array, pa.FixedShapeTensorArray) and not array.null_count:
        return np.asarray(array.to_numpy_ndarray())
    storage = array.storage if isinstance(array, pa.ExtensionArray) else array
    dense = dense_array(storage)
    if dense is not None:
        return dense
    rows = np.empty(len(storage), object)
    for i, value in enumerate(storage.to_pylist()):
        rows[i] = value
    return rows


def dense_array(array: pa.Array) -> np.ndarray | None:
    """Numbers, or lists of numbers of one length, as one array; None for anything else."""
    import pyarrow as pa

    kind, shape = array.type, [len(array)]
    while pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        if array.null_count:
            return None
        if pa.types.is_fixed_size_list(kind):
            size = kind.list_size
        else:
            lengths = np.unique(np.diff(array.offsets.to_numpy()))
            if len(lengths) > 1:
                return None
            size = int(lengths[0]) if len(lengths) else 0
        shape.append(size)
        array, kind = array.flatten(), kind.value_type
    if array.null_count or not (pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
        return None
    return np.asarray(array.to_numpy(zero_copy_only=False)).reshape(shape)


def arrow_column(array: np.ndarray) -> pa.Array:
    """An array as an Arrow column: numbers, or tensors of one shape; lists if the rows differ in shape.

    Arrow has no bf16 and narrower floats, which become float32, and no complex numbers, which become pairs.
    """
    import pyarrow as pa

    if array.dtype == object:
        return pa.array([None if row is None else np.asarray(row).tolist() for row in array])
    if array.dtype.kind == "V":
        array = array.astype(np.int8 if "int" in array.dtype.name else np.float32)
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], axis=-1)
    if array.ndim == 1:
        return pa.array(array)
    if array.dtype.kind == "b":  # Arrow has no tensors of bits
        array = array.view(np.uint8)
    kind = pa.fixed_shape_tensor(pa.from_numpy_dtype(array.dtype), array.shape[1:])
    values = pa.array(np.ascontiguousarray(array).reshape(-1))
    return pa.ExtensionArray.from_storage(
        kind, pa.FixedSizeListArray.from_arrays(values, int(np.prod(array.shape[1:])))
    )


def columns_of(batch: Any, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Some columns of a batch, which is a mapping of arrays, an Arrow table or batch, or a DataFrame."""
    if isinstance(batch, Mapping):
        for name in names:
            expect_no_mask(batch[name], f"column {name!r}")
        return {name: np.asarray(batch[name]) for name in names}
    if hasattr(batch, "to_pylist"):
        return {name: column_of(batch.column(name)) for name in names}
    columns = {name: column_of_series(batch[name]) for name in names}
    for name, column in columns.items():
        expect_no_mask(column, f"column {name!r}")
    return columns


def column_of_series(series: Any) -> np.ndarray:
    """A pandas column as an array; an array of objects if values other than NaN are missing."""
    if isinstance(series.dtype, np.dtype) or not series.isna().any():
        return np.asarray(series.to_numpy())
    return np.asarray(series.to_numpy(object, na_value=None))


def column_names(batch: Any) -> list[str]:
    if isinstance(batch, Mapping):
        return list(batch)
    return list(batch.schema.names) if hasattr(batch, "to_pylist") else [str(name) for name in batch.columns]
