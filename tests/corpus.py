"""The corpus as data for tests: programs, their inputs, and XLA's results."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

FOLDER = Path(__file__).parents[1] / "corpus"


@dataclass(frozen=True)
class Entry:
    """One program of `corpus/manifest.json`."""

    row: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.row["name"])

    @property
    def path(self) -> Path:
        return FOLDER / self.row["file"]

    def inputs(self) -> list[np.ndarray]:
        """The inputs, stored or made from their seeds."""
        with np.load(self.path.with_suffix(".npz")) as archive:
            return [stored(archive, i["stored"]) if "stored" in i else seeded(i) for i in self.row["inputs"]]

    def results(self) -> list[np.ndarray]:
        """XLA's results, in order."""
        with np.load(self.path.with_suffix(".npz")) as archive:
            count = sum(key.startswith("out") for key in archive.files)
            return [stored(archive, f"out{i}") for i in range(count)]

    def check(self, found: tuple[np.ndarray, ...]) -> None:
        """Compare results with XLA's, dtype, shape and numbers."""
        expected = self.results()
        assert len(found) == len(expected)
        for number, (f, e) in enumerate(zip(found, expected)):
            assert (f.dtype, f.shape) == (e.dtype, e.shape), f"result {number}"
            if not self.row["rtol"] and not self.row["atol"]:
                np.testing.assert_array_equal(f, e, err_msg=f"result {number}")
                continue
            f, e = (x if x.dtype.kind in "cbiu" else x.astype(np.float64) for x in (f, e))
            message = f"result {number}"
            np.testing.assert_allclose(f, e, rtol=self.row["rtol"], atol=self.row["atol"], err_msg=message)


def dtype_of(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def stored(archive: Any, key: str) -> np.ndarray:
    for name in archive.files:
        base, _, dtype = name.partition(".")
        if base == key:
            array: np.ndarray = archive[name]
            return array.view(dtype_of(dtype)) if dtype else array
    raise KeyError(key)


def seeded(row: dict[str, Any]) -> np.ndarray:
    values = np.random.RandomState(row["seed"]).standard_normal(row["shape"]) * row["scale"] + row.get("offset", 0)
    if row["dtype"] == "bfloat16":
        values = values.astype(np.float32)  # as the script does
    return np.asarray(values).astype(dtype_of(row["dtype"])).reshape(row["shape"])


ENTRIES = [Entry(row) for row in json.loads((FOLDER / "manifest.json").read_text())]
BY_NAME = {entry.name: entry for entry in ENTRIES}
