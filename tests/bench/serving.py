"""`python tests/bench/serving.py`: how fast `hlo2tiny serve` answers 64 clients of this machine, and how that compares.

Clients in another process send one row each, again and again, for as many seconds as the first argument says (10);
further arguments are those of `hlo2tiny serve`. It prints the answers each second, next to the rows that the program
does without a server, in calls of one row and of 64; the median and the 99th percentile of the times to an answer; how
the server's memory grew; and how many answers were wrong. The clients take time of the same processors, which counts
against the server. Iterations with and without the server alternate, so that both see the machine in the same state.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

CLIENTS = 64
SIZE, CHANNELS = 40, 64


def export(path: Path) -> None:
    """Write a small convolutional network, whose rows cost a few milliseconds each."""
    import jax
    import jax.numpy as jnp

    import hlo2tiny

    def model(kernels: list[Any], x: Any) -> Any:
        for kernel in kernels:
            x = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = jnp.maximum(x, 0)
        return x.mean((1, 2))

    random = np.random.RandomState(0)
    shapes = [(3, 3, 3, CHANNELS), *[(3, 3, CHANNELS, CHANNELS)] * 6]
    kernels = [random.standard_normal(s).astype(np.float32) / (s[2] * 4.5) ** 0.5 for s in shapes]
    hlo2tiny.export(model, kernels, f"b, {SIZE}, {SIZE}, 3", path=path, weights="external")


def bare_rows(program: Any, rows: int) -> float:
    """The rows each second that a program does in calls of so many, for half a second."""
    x = np.ones((rows, SIZE, SIZE, 3), np.float32)
    program.numpy(x)
    begin, calls = time.perf_counter(), 0
    while time.perf_counter() - begin < 0.5:
        program.numpy(x)
        calls += 1
    return calls * rows / (time.perf_counter() - begin)


def image(number: int) -> np.ndarray:
    return np.random.RandomState(number).standard_normal((1, SIZE, SIZE, 3)).astype(np.float32)


async def ask(port: int, number: int, expected: np.ndarray, end: float) -> tuple[list[float], int]:
    """One client: the times to its answers, and how many were wrong."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = image(number).tobytes()
    entry = {
        "name": "x",
        "datatype": "FP32",
        "shape": [1, SIZE, SIZE, 3],
        "parameters": {"binary_data_size": len(data)},
    }
    text = json.dumps({"inputs": [entry], "parameters": {"binary_data_output": True}}).encode()
    request = b"".join(
        [
            b"POST /v2/models/model/infer HTTP/1.1\r\nHost: localhost\r\n",
            f"Content-Length: {len(text) + len(data)}\r\n".encode(),
            f"Inference-Header-Content-Length: {len(text)}\r\n\r\n".encode(),
            *(text, data),
        ]
    )
    times, wrong = [], 0
    while time.monotonic() < end:
        begin = time.perf_counter()
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"\ncontent-length:")[2].split()[0])
        body = await reader.readexactly(length)
        times.append(time.perf_counter() - begin)
        found = np.frombuffer(body[-expected.nbytes :], np.float32)
        wrong += b" 200 " not in head[:15] or not np.allclose(found, expected, rtol=1e-4, atol=1e-5)
    writer.close()
    return times, wrong


def ask_all(port: int, expected: list[np.ndarray], seconds: float) -> list[tuple[list[float], int]]:
    async def together() -> list[tuple[list[float], int]]:
        end = time.monotonic() + seconds
        return await asyncio.gather(*(ask(port, i, expected[i], end) for i in range(CLIENTS)))

    return asyncio.run(together())


def usage_of(process: int) -> tuple[float, float]:
    """The memory of a process in MB, and the processors' seconds that it took."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    ticks = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6, sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def main(seconds: float, *options: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mlir"
        export(path)
        import hlo2tiny

        program = hlo2tiny.load(path, "CPU")
        expected = [program.numpy(image(i)) for i in range(CLIENTS)]
        command = [sys.executable, "-m", "hlo2tiny", "serve", str(path), "--port", "0", "--grpc-port", "0", *options]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        rounds: list[tuple[float, float, float]] = []  # rows each second: served, in calls of one row, and of 64
        times, wrong, taken = [], 0, 0.0
        try:
            assert server.stderr is not None
            lines = iter(server.stderr.readline, "")
            port = next(line["http"] for line in map(json.loads, lines) if line["message"] == "serving")
            assert any(json.loads(line)["message"] == "ready" for line in lines)
            with get_context("spawn").Pool(1) as pool:
                pool.apply(ask_all, (port, expected, 2.0))
                start, _ = usage_of(server.pid)
                while taken < seconds:
                    bare = [bare_rows(program, rows) for rows in (1, CLIENTS)]
                    before, begin = usage_of(server.pid)[1], time.perf_counter()
                    answers = pool.apply(ask_all, (port, expected, min(seconds, 2.0)))
                    wall, used = time.perf_counter() - begin, usage_of(server.pid)[1] - before
                    count = sum(len(own) for own, _ in answers)
                    rounds.append((count / wall, *bare))
                    times += [t for own, _ in answers for t in own]
                    wrong += sum(w for _, w in answers)
                    taken += wall
                    print(
                        f"{count / wall:.0f} answers/s, {1e3 * used / count:.2f} ms of processors each; without a",
                        end="",
                    )
                    print(f" server {bare[0]:.0f} and {bare[1]:.0f} rows/s, 1 and {CLIENTS} at a time")
            grown = usage_of(server.pid)[0] - start
        finally:
            server.terminate()
            server.wait()
    times.sort()
    one, many = (median(served / bare[k] for served, *bare in rounds) for k in range(2))
    print(f"served {one:.2f} of what calls of 1 row do, {many:.2f} of what calls of {CLIENTS} do")
    middle, late = median(times), times[int(0.99 * len(times))]
    print(f"{len(times):,} answers to {CLIENTS} clients, {wrong} wrong")
    print(f"time to an answer: median {1e3 * middle:.1f} ms, p99 {1e3 * late:.1f} ms ({late / middle:.2f} x)")
    print(f"the server's memory: {start:.0f} MB, {grown:+.1f} MB while it answered")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0, *sys.argv[2:])
