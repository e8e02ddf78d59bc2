"""Profiles of programs whose steps run at the same time."""

from __future__ import annotations

from hlo2tiny.commands.profiling import profile_text, tables


def test_steps_at_the_same_time_take_longer_than_the_call() -> None:
    rows = [
        {
            "step": f"kernel E_{i}",
            "where": "main",
            "seconds": 4e-6,
            "iterations": 1.0,
            "flops": None,
            "bytes": 400,
            "ops": [],
        }
        for i in range(3)
    ]
    measured = {"calls": 1, "seconds": 1e-5, "plain": 1e-5, "chip": "a GPU"} | tables(rows, 1e-5, "the call")
    text = profile_text("model.mlir", measured)
    assert "4.00 µs   40.0%" in text and "0.00 µs    0.0%           1" in text
