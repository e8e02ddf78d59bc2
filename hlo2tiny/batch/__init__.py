"""Programs over tables: `Predictor` is a class for Ray Data, Dask, Spark and plain loops; `hlo2tiny map` uses it."""

from .predictor import Predictor

__all__ = ["Predictor"]
