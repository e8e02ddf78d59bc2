"""A program applied to batches of a table's rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod
from os import PathLike
from typing import Any

import numpy as np

from ..errors import Error, InputError, count_text
from ..program import Program, load
from ..program.arguments import Argument, name_arguments
from ..program.rows import Rows
from .columns import arrow_column, column_names, columns_of

MOST_ROWS = 1 << 20  # of a call
Failures = dict[int, str]  # what is wrong with rows, by their numbers


class Predictor:
    """A program as a function of tables: columns in, and columns of results out.

    It is a class so that Ray Data's `map_batches` can create one in each actor; in a plain loop, Dask or Spark, create
    one in each process. Columns are found by the names of the program's arguments. A row of a column is a number, a
    list of numbers or a tensor; a flat list stands for a tensor in row-major order. If the program's arguments and
    results have a first dimension in common, it counts the rows, which are padded to few sizes, so that little is
    compiled; otherwise the program is called for each row.

    Args:
        model: the program, or the path of its file.
        device: as in `load`; None for a program that is loaded already.
        columns: the column for each argument that has another name than its column.
        keep: the columns that are returned besides the results; None: all that the program does not take.
        batch: the most rows in one call of the program.
        threads: as in `load`.
        cast: round numbers that the argument's dtype cannot hold exactly, such as float64 for float32.

    Examples:
        >>> text = "func.func @main(%x: tensor<?xf32> loc(\\"x\\")) -> (tensor<?xf32> {jax.result_info = \\"y\\"}) {"
        >>> text += " %0 = stablehlo.negate %x : tensor<?xf32> return %0 : tensor<?xf32> }"
        >>> predictor = Predictor(text, "CPU")
        >>> predictor({"id": np.array([7, 8]), "x": np.array([1, 2], np.float32)})
        {'id': array([7, 8]), 'y': array([-1., -2.], dtype=float32)}

    Raises:
        InputError: the program cannot be loaded, or a name is not that of an argument.
    """

    def __init__(
        self,
        model: Program | str | PathLike[str],
        device: str | None = None,
        *,
        columns: Mapping[str, str] | None = None,
        keep: Sequence[str] | None = None,
        batch: int = 64,
        threads: int | None = None,
        cast: bool = False,
    ) -> None:
        if type(batch) is not int or not 1 <= batch <= MOST_ROWS:
            raise InputError(f"batch is {batch!r}, expected an integer from 1 to {MOST_ROWS:,}")
        if columns is not None and not isinstance(columns, Mapping):
            raise InputError(f"columns is {columns!r}, expected a dict from argument names to columns")
        if isinstance(keep, str):
            raise InputError(f"keep is {keep!r}, expected a list of columns")
        self.program = model if isinstance(model, Program) else load(model, device, threads=threads)
        self.inputs = dict(zip(name_arguments(self.program.inputs, "in"), self.program.inputs))
        self.outputs = name_arguments(self.program.outputs, "out")
        self._keep, self._cast = keep, cast
        for name in columns or {}:
            if name not in self.inputs:
                raise InputError(f"the program has no argument {name!r}; it has {', '.join(self.inputs)}")
        # The column for each argument.
        self.columns = {name: (columns or {}).get(name, name) for name in self.inputs}
        try:
            self._rows: Rows | None = Rows(self.program, batch)
        except InputError:
            self._rows = None
        self._checked = False

    def __call__(self, batch: Any) -> Any:
        """The columns that are kept and the results, as the same kind of table as the batch.

        Args:
            batch: a dict of arrays, an Arrow table or record batch, or a pandas DataFrame.

        Raises:
            InputError: a column is missing, or a row cannot be used; the message says which and why.
        """
        kept = self.kept(column_names(batch))
        arrays = columns_of(batch, list(self.columns.values()))
        results, _, failures = self.predict(arrays)
        for row, reason in failures.items():
            more = f" (and {count_text(len(failures) - 1, 'more row')})" if len(failures) > 1 else ""
            raise InputError(f"row {row} of the batch: {reason}{more}")
        if isinstance(batch, Mapping):
            return {name: batch[name] for name in kept} | results
        if hasattr(batch, "to_pylist"):
            table = batch.select(kept)
            for name, array in results.items():
                column = arrow_column(array)
                table = type(table).from_arrays([*table.columns, column], names=[*table.schema.names, name])
            return table
        frame = batch[kept].copy()
        for name, array in results.items():
            frame[name] = array if array.ndim == 1 else list(array)
        return frame

    def kept(self, names: Sequence[str]) -> list[str]:
        """The columns of a table that are kept; raises InputError if a column that is needed is missing."""
        for argument, column in self.columns.items():
            if column not in names:
                role = f"the program's argument {argument!r}" if column != argument else "the program"
                known = ", ".join(names)
                raise InputError(f"there is no column {column!r}, which {role} takes; the columns are {known}")
        kept = [x for x in names if x not in self.columns.values()] if self._keep is None else list(self._keep)
        counts = Counter(names)
        for name in (*self.columns.values(), *kept):
            if counts[name] > 1:
                raise InputError(f"{counts[name]} columns are named {name!r}; rename all but one")
        for name in kept:
            if name not in names:
                raise InputError(f"there is no column {name!r} to keep; the columns are {', '.join(names)}")
            if name in self.outputs:
                raise InputError(f"the column {name!r} has the name of a result; leave it out of the columns to keep")
        return kept

    def predict(self, columns: Mapping[str, np.ndarray]) -> tuple[dict[str, np.ndarray], list[int], Failures]:
        """The results of the rows that can be used, the numbers of these rows, and what is wrong with the others.

        Args:
            columns: the columns that the program takes, by name.
        """
        failures: Failures = {}
        count = len(next(iter(columns.values()))) if columns else 0
        rows = [self._values(name, a, columns[self.columns[name]], failures) for name, a in self.inputs.items()]
        groups: dict[tuple[tuple[int, ...], ...], list[int]] = {}
        for i in range(count):
            if i not in failures:
                groups.setdefault(tuple(values[i].shape for values in rows), []).append(i)
        parts: list[tuple[list[int], list[np.ndarray]]] = []
        for numbers in groups.values():
            arrays = [
                values[numbers] if isinstance(values, np.ndarray) else np.stack([values[i] for i in numbers])
                for values in rows
            ]
            parts += self._run(numbers, arrays, failures)
        good = [i for i in range(count) if i not in failures]
        return {name: join_rows(parts, k, good) for k, name in enumerate(self.outputs)}, good, failures

    def _run(
        self, numbers: list[int], arrays: list[np.ndarray], failures: Failures
    ) -> list[tuple[list[int], list[np.ndarray]]]:
        """The results of rows of one shape. If the program fails, each row is run alone."""
        try:
            return [(numbers, self._call(arrays))]
        except RowsDepend:
            raise
        except Exception as error:
            if len(numbers) == 1:
                failures[numbers[0]] = str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}"
                return []
        alone = []
        for k, number in enumerate(numbers):
            alone += self._run([number], [array[k : k + 1] for array in arrays], failures)
        return alone

    def _call(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        rows = self._rows
        if rows is not None and all(a.ndim == len(i.shape) for a, i in zip(arrays, self.program.inputs)):
            if not self._checked and not rows.are_independent():
                raise RowsDepend(
                    "a row's results depend on the other rows of its batch, so batching would change them; give the"
                    " program a first dimension of 1, or none"
                )
            self._checked = True
            return rows(arrays)
        calls = [self.program.numpy_one_by_one([array[k] for array in arrays]) for k in range(len(arrays[0]))]
        return [np.stack(parts) for parts in zip(*calls)]

    def _values(self, name: str, argument: Argument, column: np.ndarray, failures: Failures) -> Any:
        """The rows of a column as an argument takes them: one array, or a list of arrays of different shapes."""
        what = f"column {self.columns[name]!r}"
        if column.dtype != object:
            shape = self._row_shape(argument, column.shape[1:])
            if shape is None:
                reason = f"{what} has rows of the shape {list(column.shape[1:])}, expected {argument.layout}"
                failures |= dict.fromkeys(range(len(column)), reason)
                return column
            return fit(column.reshape(len(column), *shape), argument.dtype, self._cast, what, failures, None)
        values = []
        for i, value in enumerate(column):
            values.append(np.zeros(0))
            try:
                row = (
                    np.stack(list(value))
                    if isinstance(value, np.ndarray) and value.dtype == object
                    else np.asarray(value)
                )
            except ValueError:
                row = np.asarray(None)
            shape = self._row_shape(argument, row.shape) if row.dtype.kind in "biufcV" else None
            if value is None:
                failures[i] = f"{what} has no value"
            elif shape is None:
                found = f"the shape {list(row.shape)}" if row.dtype.kind in "biufcV" else "values other than numbers"
                failures[i] = f"{what} has {found} in this row, expected {argument.layout}"
            else:
                values[i] = fit(row.reshape(1, *shape), argument.dtype, self._cast, what, failures, i)[0]
        return values

    def _row_shape(self, argument: Argument, shape: tuple[int, ...]) -> tuple[int, ...] | None:
        """The shape of a row as an argument takes it; None if it does not."""
        wanted = argument.shape
        choices = [wanted[1:], wanted] if self._rows is not None and not self._rows.open else [wanted]
        if self._rows is not None and self._rows.open:
            choices = [wanted[1:]]
        for choice in choices:
            if len(shape) == len(choice) and all(d is None or d == s for s, d in zip(shape, choice)):
                return shape
            known = tuple(d for d in choice if d is not None)
            if len(shape) == 1 and known == choice and shape[0] == prod(known):
                return known
        return None


class RowsDepend(InputError):
    """Rows of a batch are not independent."""


def fit(
    array: np.ndarray, dtype: np.dtype, cast: bool, what: str, failures: Failures, number: int | None
) -> np.ndarray:
    """An array of rows in a dtype; rows that it cannot hold exactly are failures, unless they may be rounded.

    Args:
        number: the number of the only row; None: rows are numbered as in the array.
    """
    if array.dtype == dtype:
        return array
    with np.errstate(all="ignore"):
        found = array.astype(dtype)
        rounded = cast and array.dtype.kind in "fV" and dtype.kind in "fVc"
        # numpy considers it safe to convert 64-bit integers to float64.
        if np.can_cast(array.dtype, dtype, "safe") and not (array.dtype.kind in "iu" and array.dtype.itemsize == 8):
            return found
        if rounded:
            same = np.isfinite(found) | ~np.isfinite(array)
        else:
            back = found.astype(array.dtype)
            same = (back == array) | ((back != back) & (array != array))
    bad = ~same.reshape(len(array), -1).all(1)
    reason = f"{what} has numbers of {array.dtype} that {dtype} cannot hold{'' if rounded else ' exactly'}"
    for i in np.flatnonzero(bad).tolist():
        failures.setdefault(i if number is None else number, reason)
    return found


def join_rows(parts: list[tuple[list[int], list[np.ndarray]]], result: int, good: list[int]) -> np.ndarray:
    """One result of all good rows, in their order; an array of objects if the rows differ in shape."""
    arrays = [results[result] for _, results in parts]
    numbers = [number for own, _ in parts for number in own]
    order = np.argsort(np.array(numbers, np.int64), kind="stable")
    if len({array.shape[1:] for array in arrays}) == 1:
        whole = arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
        return whole if numbers == good else whole[order]
    rows = [row for array in arrays for row in array]
    together = np.empty(len(good), object)
    for i, k in enumerate(order):
        together[i] = rows[k]
    return together
