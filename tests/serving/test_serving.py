"""`hlo2tiny serve` as clients see it, such as Triton's, which knows nothing of us; and what bad input gets."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest
import tritonclient.grpc
import tritonclient.http
from tritonclient.utils import InferenceServerException

import hlo2tiny
from hlo2tiny.cli import main
from hlo2tiny.serving.messages import CLASSES, METHODS, SERVICE
from hlo2tiny.serving.models import find_programs
from hlo2tiny.serving.protocol import DTYPES
from hlo2tiny.serving.server import listen

SCALE = """func.func @main(%x: tensor<?x3xf32> loc("x")) -> (tensor<?x3xf32> {jax.result_info = "y"}) {
  %0 = stablehlo.add %x, %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}"""
NEGATE = SCALE.replace("stablehlo.add %x, %x", "stablehlo.negate %x")
# Each row of the result depends on the rows before it.
SUMS = """func.func @main(%x: tensor<?xi32> loc("x")) -> tensor<?xi32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.reduce(%x init: %0) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>)
    -> tensor<i32>
  %2 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.dynamic_broadcast_in_dim %1, %3, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  return %4 : tensor<?xi32>
}"""
PAIR = """func.func @main(%x: tensor<?xf32> loc("x"), %z: tensor<?xf32> loc("z")) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %z : tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
# How a type of the protocol is spelled in a program.
ELEMENTS = {
    "BOOL": "i1",
    "BF16": "bf16",
    **{f"UINT{n}": f"ui{n}" for n in (8, 16, 32, 64)},
    **{f"INT{n}": f"i{n}" for n in (8, 16, 32, 64)},
    **{f"FP{n}": f"f{n}" for n in (16, 32, 64)},
}
TYPES = [f"tensor<2x2x{element}>" for element in ELEMENTS.values()]
EVERY_TYPE = f"""func.func @main({", ".join(f'%{i}: {t} loc("{n}")' for i, (n, t) in enumerate(zip(ELEMENTS, TYPES)))})
    -> ({", ".join(f'{t} {{jax.result_info = "{n}"}}' for n, t in zip(ELEMENTS, TYPES))}) {{
  return {", ".join(f"%{i}" for i in range(len(TYPES)))} : {", ".join(TYPES)}
}}"""
# A program that waits for as many milliseconds as its argument says.
WAIT = """func.func @main(%x: tensor<1xi32> loc("x")) -> (tensor<1xi32> {jax.result_info = "y"}) {
  %0 = stablehlo.custom_call @wait(%x) : (tensor<1xi32>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}"""
START = """
import sys, time, hlo2tiny
from hlo2tiny.cli import main

@hlo2tiny.custom_call("wait")
def wait(x):
    if x[0] < 0:
        raise RuntimeError("a number below zero")
    time.sleep(int(x[0]) / 1000)
    return x

sys.exit(main(sys.argv[1:]))
"""
X = np.arange(6, dtype=np.float32).reshape(2, 3)


class Server:
    """A server in a process of its own, with the ports and the log that it has."""

    def __init__(self, *arguments: object) -> None:
        ports = () if "--port" in arguments else ("--port", 0, "--grpc-port", 0)
        command = [sys.executable, "-c", START, "serve", *map(str, (*arguments, *ports))]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.lines: list[dict[str, Any]] = []
        self.others: list[str] = []
        self._new = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        found = self.wait_for("serving")
        self.http, self.grpc = f"127.0.0.1:{found['http']}", f"127.0.0.1:{found.get('grpc')}"

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if not line.startswith("{"):  # Ray's
                self.others.append(line)
                continue
            with self._new:
                self.lines.append(json.loads(line))
                self._new.notify_all()

    def wait_for(self, message: str, **fields: object) -> dict[str, Any]:
        """The line of the log with a message and fields."""

        def found() -> list[dict[str, Any]]:
            return [x for x in self.lines if x["message"] == message and fields.items() <= x.items()]

        with self._new:
            assert self._new.wait_for(lambda: found() or not self._reader.is_alive(), 120), self.lines
            return found()[0]

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(self.http, timeout=60)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, json.loads(text) if path != "/metrics" else text

    def infer(self, model: str, *inputs: dict[str, Any], **rest: Any) -> tuple[int, Any]:
        return self.request("POST", f"/v2/models/{model}/infer", json.dumps({"inputs": inputs, **rest}).encode())

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        self._reader.join()
        return code


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("models")
    for name, text in {"scale/1": SCALE, "scale/2": NEGATE}.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "model.mlir").write_text(text)
    for name, text in {"pair": PAIR, "sums": SUMS, "types": EVERY_TYPE, "wait": WAIT}.items():
        (folder / f"{name}.mlir").write_text(text)
    server = Server(folder, "--max-batch", 4, "--batch-window", "20ms", "--max-request", 1, "--log-requests")
    for name, version in (("pair", "1"), ("scale", "1"), ("scale", "2"), ("sums", "1"), ("types", "1"), ("wait", "1")):
        server.wait_for("ready", model=name, version=version)
    yield server
    assert server.stop() == 0
    assert all(line["time"].endswith("Z") and line["level"] for line in server.lines)


@pytest.fixture(params=["http", "grpc"])
def client(server: Server, request: pytest.FixtureRequest) -> Iterator[Any]:
    made = client_of(server, request.param)
    yield made
    made.close()


def client_of(server: Server, protocol: str) -> Any:
    package = getattr(tritonclient, protocol)
    return package.InferenceServerClient(getattr(server, protocol))


def infer(client: Any, model: str, binary: bool = True, version: str = "", **arrays: np.ndarray) -> Any:
    package = tritonclient.http if isinstance(client, tritonclient.http.InferenceServerClient) else tritonclient.grpc
    inputs = []
    for name, array in arrays.items():
        datatype = next(n for n, dtype in DTYPES.items() if dtype == array.dtype)
        inputs.append(package.InferInput(name, array.shape, datatype))
        inputs[-1].set_data_from_numpy(array, **({} if package is tritonclient.grpc else {"binary_data": binary}))
    return client.infer(model, inputs, model_version=version)


def as_dict(value: Any) -> dict[str, Any]:
    """What Triton's client returns, as JSON would be."""
    if isinstance(value, dict):
        return value
    from google.protobuf.json_format import MessageToDict

    return dict(MessageToDict(value))


# ---------------------------------------------------------------- what clients ask for


def test_health_and_readiness(client: Any) -> None:
    assert client.is_server_live() and client.is_server_ready()
    assert client.is_model_ready("scale") and client.is_model_ready("scale", "1")


def test_metadata(client: Any) -> None:
    about = as_dict(client.get_server_metadata())
    assert about == {"name": "hlo2tiny", "version": hlo2tiny.__version__, "extensions": ["binary_tensor_data"]}
    model = as_dict(client.get_model_metadata("scale"))
    assert (model["name"], model["versions"]) == ("scale", ["1", "2"])
    for side, name in (("inputs", "x"), ("outputs", "y")):
        (tensor,) = model[side]
        assert (tensor["name"], tensor["datatype"], [*map(int, tensor["shape"])]) == (name, "FP32", [-1, 3])


def test_results_of_each_version(client: Any) -> None:
    for version, want in (("1", X + X), ("2", -X), ("", -X)):
        np.testing.assert_array_equal(infer(client, "scale", version=version, x=X).as_numpy("y"), want)


def every_datatype() -> dict[str, np.ndarray]:
    """An array of each type, with the least and the largest number that it has."""
    arrays = {name: np.array([[0, 1], [1, 0]], dtype) for name, dtype in DTYPES.items()}
    for array in arrays.values():
        if array.dtype.kind in "iu":
            array[:] = [[np.iinfo(array.dtype).min, 7], [1, np.iinfo(array.dtype).max]]
        elif array.dtype.kind in "fV":
            array[:] = np.array([[-1.5, 0.1], [np.finfo(np.float16).max, 3]]).astype(array.dtype)
    return arrays


def test_every_datatype(client: Any) -> None:
    arrays = every_datatype()
    result = infer(client, "types", **arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(result.as_numpy(name), array, strict=True)


def test_every_datatype_as_json(server: Server) -> None:
    arrays = every_datatype()
    entries = [{"name": n, "datatype": n, "shape": [2, 2], "data": as_numbers(x)} for n, x in arrays.items()]
    status, answer = server.infer("types", *entries)
    entries = [next(e for e in entries if e["name"] == name) for name in ELEMENTS]
    assert (status, answer["outputs"]) == (200, [e | {"data": [*chain(*e["data"])]} for e in entries])


def as_numbers(array: np.ndarray) -> list[Any]:
    return list((array.astype(np.float64) if array.dtype.kind in "fV" else array).tolist())


def test_some_outputs_only(server: Server) -> None:
    inputs = [
        {"name": n, "datatype": n, "shape": [2, 2], "data": [[1, 0], [0, 1]] if n != "BOOL" else [True] * 4}
        for n in ELEMENTS
    ]
    status, answer = server.infer("types", *inputs, outputs=[{"name": "INT8"}], id="seven")
    assert (status, answer["id"], [x["name"] for x in answer["outputs"]]) == (200, "seven", ["INT8"])
    assert answer["outputs"][0] == {"name": "INT8", "datatype": "INT8", "shape": [2, 2], "data": [1, 0, 0, 1]}


def test_tensors_in_a_grpc_message_that_are_not_raw(server: Server) -> None:
    import grpc

    from hlo2tiny.serving.messages import CLASSES

    tensor = {"name": "x", "datatype": "FP32", "shape": [1, 3], "contents": {"fp32_contents": [1, 2, 3]}}
    with grpc.insecure_channel(server.grpc) as channel:
        call = channel.unary_unary(
            "/inference.GRPCInferenceService/ModelInfer",
            request_serializer=CLASSES["ModelInferRequest"].SerializeToString,
            response_deserializer=CLASSES["ModelInferResponse"].FromString,
        )
        answer = call(CLASSES["ModelInferRequest"](model_name="scale", inputs=[tensor]))
        np.testing.assert_array_equal(np.frombuffer(answer.raw_output_contents[0], np.float32), [-1, -2, -3])
        with pytest.raises(grpc.RpcError, match="has no raw_input_contents"):
            call(CLASSES["ModelInferRequest"](model_name="scale", inputs=[tensor | {"datatype": "FP16"}]))


def test_our_messages_are_those_of_tritons_client() -> None:
    """Each field has the name, number and type that a client has."""
    from tritonclient.grpc import service_pb2

    from hlo2tiny.serving.messages import CLASSES

    for name, ours in CLASSES.items():
        theirs: Any = service_pb2
        for part in name.split("."):
            theirs = getattr(theirs, part)
        for field in ours.DESCRIPTOR.fields:
            other = theirs.DESCRIPTOR.fields_by_name[field.name]
            assert (field.number, field.type, field.is_repeated) == (other.number, other.type, other.is_repeated)


# ---------------------------------------------------------------- batches


def test_requests_at_the_same_time_are_one_call(server: Server, client: Any) -> None:
    """Sixteen clients with one row each: all get their own rows, in fewer calls."""
    protocol = "http" if isinstance(client, tritonclient.http.InferenceServerClient) else "grpc"

    def ask(number: int) -> None:
        own = client_of(server, protocol)
        for iteration in range(5):
            x = np.full((1 + number % 3, 3), 10 * number + iteration, np.float32)
            np.testing.assert_array_equal(infer(own, "scale", x=x).as_numpy("y"), -x)
        own.close()

    calls, rows = batches(server)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(ask, range(16)))
    calls, rows = batches(server)[0] - calls, batches(server)[1] - rows
    assert rows == 5 * sum(1 + number % 3 for number in range(16))
    assert 5 * 16 > calls >= rows / 4


def batches(server: Server, model: str = "scale", version: str = "2") -> tuple[int, int]:
    """How many calls there were, and of how many rows."""
    text = server.request("GET", "/metrics")[1]
    labels = f'{{model="{model}",version="{version}"}}'
    found = [re.search(rf"^hlo2tiny_batch_rows_{x}{re.escape(labels)} (\S+)$", text, re.M) for x in ("count", "sum")]
    return tuple(int(float(x[1])) if x else 0 for x in found)  # type: ignore[return-value]


def test_more_rows_than_a_batch_has(client: Any) -> None:
    x = np.arange(33, dtype=np.float32).reshape(11, 3)
    np.testing.assert_array_equal(infer(client, "scale", x=x).as_numpy("y"), -x)


def test_no_rows(client: Any) -> None:
    x = np.empty((0, 3), np.float32)
    assert infer(client, "scale", x=x).as_numpy("y").shape == (0, 3)


def test_rows_that_depend_on_each_other_are_not_batched(server: Server) -> None:
    assert (
        server.wait_for("ready", model="sums")["batches"] == "not batched, since a row's results depend on other rows"
    )
    assert server.wait_for("ready", model="scale")["batches"] == "up to 4 rows"
    assert "first dimension is not open" in server.wait_for("ready", model="wait")["batches"]
    with ThreadPoolExecutor(8) as pool:
        bodies = [{"name": "x", "datatype": "INT32", "shape": [2], "data": [i, 1]} for i in range(8)]
        answers = list(pool.map(lambda body: server.infer("sums", body), bodies))
    assert [answer["outputs"][0]["data"] for _, answer in answers] == [[i + 1, i + 1] for i in range(8)]


# ---------------------------------------------------------------- what bad requests get

GOOD = {"name": "x", "datatype": "FP32", "shape": [1, 3], "data": [1, 2, 3]}
BAD_INPUTS = [
    ({"name": "z"}, "there is no input 'z'; the model takes x"),
    ({"datatype": "FP64"}, "input 'x' has the datatype 'FP64', expected FP32"),
    ({"datatype": "BYTES"}, "input 'x' has the datatype 'BYTES', expected FP32"),
    ({"shape": [1, 4]}, "input 'x' has the shape [1, 4], expected [-1, 3], where -1 is any size"),
    ({"shape": [3]}, "input 'x' has the shape [3], expected [-1, 3], where -1 is any size"),
    ({"shape": [-1, 3]}, "input 'x' has the shape [-1, 3], expected [-1, 3], where -1 is any size"),
    ({"shape": [1 << 60, 3]}, f"input 'x' has the shape [{1 << 60}, 3], expected [-1, 3], where -1 is any size"),
    ({"shape": [1.5, 3]}, "a size of input 'x' is not an integer"),
    ({"shape": [True, 3]}, "a size of input 'x' is not an integer"),
    ({"shape": "13"}, "shape of an input is not a list"),
    ({"data": [1, 2]}, "input 'x' has data of the shape [2], expected [1, 3] or [3]"),
    ({"data": [[1], [2], [3]]}, "input 'x' has data of the shape [3, 1], expected [1, 3] or [3]"),
    ({"data": [[1, 2], [3]]}, "the data of input 'x' is neither a list of numbers nor nested lists of equal lengths"),
    ({"data": ["a", "b", "c"]}, "the data of input 'x' holds values other than numbers of FP32"),
    ({"data": [None, 1, 2]}, "the data of input 'x' holds values other than numbers of FP32"),
    ({"data": [True, 2.5, 1]}, "the data of input 'x' holds values other than numbers of FP32"),
    ({"data": [1, "2", 3]}, "the data of input 'x' holds values other than numbers of FP32"),
    ({"data": [1, {}, 3]}, "the data of input 'x' holds values other than numbers of FP32"),
    ({"data": [1e300, 1, 2]}, "the data of input 'x' holds numbers out of range for FP32"),
    ({"data": [-3.5e38, 1, 2]}, "the data of input 'x' holds numbers out of range for FP32"),
    ({"data": [10**400, 1, 2]}, "the data of input 'x' holds numbers out of range for FP32"),
    ({"data": [[[1, 2, 3]]]}, "input 'x' has data of the shape [1, 1, 3], expected [1, 3] or [3]"),
    ({"data": [1, [2], 3]}, "the data of input 'x' is neither a list of numbers nor nested lists of equal lengths"),
    ({"data": {}}, "input 'x' has neither data nor binary_data_size"),
    ({"parameters": {"binary_data_size": 12}}, "binary_data_size of input 'x' is 12, but 0 bytes are left"),
    ({"parameters": {"binary_data_size": -1}}, "binary_data_size of input 'x' is -1, but 0 bytes are left"),
    ({"parameters": []}, "parameters is not an object"),
]


@pytest.mark.parametrize("change, message", BAD_INPUTS)
def test_a_bad_input_is_400_with_the_reason(server: Server, change: dict[str, Any], message: str) -> None:
    assert server.infer("scale", GOOD | change) == (400, {"error": message})


@pytest.mark.parametrize(
    "datatype, number, message",
    [
        ("INT8", 1.5, "the data of input 'INT8' holds values other than integers of INT8"),
        ("UINT8", 256, "the data of input 'UINT8' holds numbers out of range for UINT8"),
        ("INT8", -129, "the data of input 'INT8' holds numbers out of range for INT8"),
        ("UINT64", 1 << 64, "the data of input 'UINT64' holds numbers out of range for UINT64"),
        ("UINT64", 0.5, "the data of input 'UINT64' holds values other than integers of UINT64"),
        ("INT32", 1.0, "the data of input 'INT32' holds values other than integers of INT32"),
        ("INT32", True, "the data of input 'INT32' holds values other than integers of INT32"),
        ("INT64", 1 << 63, "the data of input 'INT64' holds numbers out of range for INT64"),
        ("INT64", "1", "the data of input 'INT64' holds values other than integers of INT64"),
        ("FP16", 65520, "the data of input 'FP16' holds numbers out of range for FP16"),
        ("BF16", 1e39, "the data of input 'BF16' holds numbers out of range for BF16"),
        ("FP64", 10**400, "the data of input 'FP64' holds numbers out of range for FP64"),
        ("FP64", False, "the data of input 'FP64' holds values other than numbers of FP64"),
        ("BOOL", 1, "the data of input 'BOOL' holds values other than true and false of BOOL"),
        ("BOOL", 2, "the data of input 'BOOL' holds values other than true and false of BOOL"),
    ],
)
def test_numbers_that_a_datatype_lacks(server: Server, datatype: str, number: Any, message: str) -> None:
    entries = [{"name": n, "datatype": n, "shape": [2, 2], "data": [1 if n != "BOOL" else True] * 4} for n in ELEMENTS]
    for entry in entries:
        if entry["name"] == datatype:
            entry["data"] = [1, 1, 1, number]
    assert server.infer("types", *entries) == (400, {"error": message})


def test_inputs_with_different_numbers_of_rows(server: Server) -> None:
    entries = [{"name": n, "datatype": "FP32", "shape": [k], "data": [1.0] * k} for n, k in (("x", 2), ("z", 3))]
    assert server.infer("pair", *entries) == (400, {"error": "z has 3 rows, but x has 2"})


@pytest.mark.parametrize(
    "body, message",
    [
        (b"{", "the body is not JSON: "),
        (b"[" * 100_000, "the body is not JSON: "),
        (b"\xff", "the body is not JSON: "),
        (b"[]", "the body is not an object"),
        (b'{"inputs": [NaN]}', "the body is not JSON: it holds NaN, which JSON does not have; send binary data"),
        (b'{"inputs": [-Infinity]}', "the body is not JSON: it holds -Infinity"),
        (b'{"inputs": [' + b"1" * 5000 + b"]}", "the body is not JSON: "),
        (
            json.dumps({"inputs": [GOOD]}).replace("[1, 2, 3]", "[1e400, 2, 3]").encode(),
            "the data of input 'x' holds numbers out of range for FP32",
        ),
        (json.dumps({"inputs": [GOOD | {"name": "x" * 200_000}]}).encode(), "there is no input 'xxxxx"),
        (b"{}", "inputs is missing or is not a list"),
        (b'{"inputs": []}', "input 'x' is missing; the model takes x"),
        (b'{"inputs": [1]}', "an input is not an object"),
        (json.dumps({"inputs": [GOOD, GOOD]}).encode(), "input 'x' is given twice"),
        (
            json.dumps({"inputs": [GOOD], "outputs": [{"name": "z"}]}).encode(),
            "there is no output 'z'; the model gives y",
        ),
        (json.dumps({"inputs": [GOOD], "id": 3}).encode(), "id is not a string"),
    ],
)
def test_a_bad_body_is_400_with_the_reason(server: Server, body: bytes, message: str) -> None:
    status, answer = server.request("POST", "/v2/models/scale/infer", body)
    assert status == 400 and answer["error"].startswith(message)


def test_binary_data_of_the_wrong_size(server: Server) -> None:
    for size, rest, message in (
        (8, b"", "input 'x' has 8 bytes, its shape [1, 3] needs 12"),
        (12, b"more", "4 bytes follow the data of the inputs"),
    ):
        entry = {k: v for k, v in GOOD.items() if k != "data"} | {"parameters": {"binary_data_size": size}}
        text = json.dumps({"inputs": [entry]}).encode()
        headers = {"Inference-Header-Content-Length": str(len(text))}
        body = text + b"\0" * size + rest
        assert server.request("POST", "/v2/models/scale/infer", body, **headers) == (400, {"error": message})
        for length in ("999999", "9" * 5000, "-1", "²", "1.5", ""):
            headers = {"Inference-Header-Content-Length": length}
            status, answer = server.request("POST", "/v2/models/scale/infer", body, **headers)
            assert status == 400 and f"is {length!r:.40}, but the body has" in answer["error"]


def test_what_grpc_says_of_a_bad_request(server: Server) -> None:
    client = client_of(server, "grpc")
    for arrays, message in (
        ({"z": X}, "INVALID_ARGUMENT] there is no input 'z'; the model takes x"),
        ({"x": X.astype(np.float64)}, "INVALID_ARGUMENT] input 'x' has the datatype 'FP64', expected FP32"),
        (
            {"x": X[:, :2].copy()},
            "INVALID_ARGUMENT] input 'x' has the shape [2, 2], expected [-1, 3], where -1 is any size",
        ),
    ):
        with pytest.raises(InferenceServerException, match=re.escape(message)):
            infer(client, "scale", **arrays)
    with pytest.raises(InferenceServerException, match=re.escape("NOT_FOUND] there is no model 'none'")):
        infer(client, "none", x=X)
    with pytest.raises(InferenceServerException, match="RESOURCE_EXHAUSTED"):
        infer(client, "scale", x=np.zeros((1 << 17, 3), np.float32))
    client.close()


def test_grpc_messages_that_cannot_be_decoded(server: Server) -> None:
    with grpc.insecure_channel(server.grpc) as channel:
        for method in METHODS:
            call = channel.unary_unary(f"/{SERVICE}/{method}")
            with pytest.raises(grpc.RpcError) as caught:
                call(b"\xff" * 100_000, timeout=60)
            assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
            assert caught.value.details().startswith(f"the request is not a {method}Request")
    assert not [line for line in server.lines if line["level"] == "error" and "decod" in json.dumps(line).lower()]


def test_long_names_in_grpc(server: Server) -> None:
    client = client_of(server, "grpc")
    name = "n" * 200_000
    with pytest.raises(InferenceServerException, match="NOT_FOUND] there is no model 'nnn"):
        infer(client, name, x=X)
    with pytest.raises(InferenceServerException, match="NOT_FOUND] there is no model 'nnn"):
        client.get_model_metadata(name)
    with pytest.raises(InferenceServerException, match="INVALID_ARGUMENT] there is no input 'nnn"):
        infer(client, "scale", **{name: X})
    with pytest.raises(InferenceServerException, match="NOT_FOUND] model 'scale' has no version 'nnn"):
        infer(client, "scale", version=name, x=X)
    client.close()


def test_infinity_travels_in_the_contents_of_a_grpc_message(server: Server) -> None:
    x = {"name": "x", "datatype": "FP32", "shape": [1, 3], "contents": {"fp32_contents": [np.inf, -np.inf, np.nan]}}
    request = CLASSES["ModelInferRequest"](model_name="scale", model_version="2", inputs=[x])
    with grpc.insecure_channel(server.grpc) as channel:
        call = channel.unary_unary(f"/{SERVICE}/ModelInfer", CLASSES["ModelInferRequest"].SerializeToString,
                                   CLASSES["ModelInferResponse"].FromString)  # fmt: skip
        (raw,) = call(request, timeout=60).raw_output_contents
    np.testing.assert_array_equal(np.frombuffer(raw, np.float32), [-np.inf, np.inf, np.nan])


def test_unknown_models_and_paths(server: Server) -> None:
    missing = {"error": "there is no model 'none'; there are pair, scale, sums, types, wait"}
    assert server.infer("none", GOOD) == (404, missing)
    assert server.request("GET", "/v2/models/none") == (404, missing)
    wrong = {"error": "model 'scale' has no version '3'; it has 1, 2"}
    assert server.request("GET", "/v2/models/scale/versions/3/ready") == (404, wrong)
    assert server.request("GET", "/v1") == (404, {"error": "there is no GET /v1"})
    assert server.request("POST", "/v2/health/live") == (405, {"error": "there is no POST /v2/health/live"})


def test_a_request_that_is_too_large_is_413(server: Server) -> None:
    big = {"error": "the request has more than 1,048,576 bytes"}
    assert server.request("POST", "/v2/models/scale/infer", b" " * (3 << 20)) == (413, big)
    client = client_of(server, "http")
    with pytest.raises(InferenceServerException, match="the request has more than"):
        infer(client, "scale", x=np.zeros((1 << 17, 3), np.float32))
    client.close()


def test_compressed_requests_are_refused(server: Server) -> None:
    status, answer = server.request("POST", "/v2/models/scale/infer", b"x", **{"Content-Encoding": "gzip"})
    assert (status, answer["error"]) == (415, "compressed requests are not supported; send the body as it is")


def test_not_a_number_needs_binary_data(server: Server) -> None:
    entry = GOOD | {"data": [3e38, 1, 2]}  # twice of which is infinity in float32
    message = "output 'y' holds NaN or infinity, which JSON cannot; ask for binary_data"
    assert server.infer("scale/versions/1", entry) == (400, {"error": message})


def test_a_model_that_fails_is_500_and_logged(server: Server) -> None:
    entry = {"name": "x", "datatype": "INT32", "shape": [1], "data": [-1]}
    assert server.infer("wait", entry) == (500, {"error": "the model failed: RuntimeError"})
    assert "a number below zero" in server.wait_for("a request failed")["traceback"]
    assert server.wait_for("request", model="wait", status=500)["protocol"] == "http"


def test_metrics_count_requests(server: Server) -> None:
    server.infer("scale", GOOD)
    server.infer("scale", GOOD | {"name": "z"})
    text = server.request("GET", "/metrics")[1]
    for status in ("200", "400"):
        line = f'hlo2tiny_requests_total{{model="scale",protocol="http",status="{status}",version="2"}} '
        assert line in text
    assert re.search(r'^hlo2tiny_request_seconds_count{model="scale",protocol="http",version="2"} [1-9]', text, re.M)
    assert "hlo2tiny_waiting_requests" in text


# ---------------------------------------------------------------- start, limits, stop


def test_connections_send_answers_at_once() -> None:
    """With Nagle's algorithm, an answer would wait 40 ms for the client's acknowledgement of its headers."""

    async def nodelay_of_a_connection() -> int:
        found = asyncio.get_running_loop().create_future()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            own = writer.get_extra_info("socket")
            found.set_result(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = listen("127.0.0.1", 0)
        async with await asyncio.start_server(connected, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            return await found

    assert asyncio.run(nodelay_of_a_connection()) == 1


SLOW = '{model="slow",version="1"}'


def wait_body(milliseconds: int) -> dict[str, Any]:
    return {"name": "x", "datatype": "INT32", "shape": [1], "data": [milliseconds]}


def test_a_full_queue_is_503_and_stopping_finishes_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "wait.mlir").write_text(WAIT)
    server = Server(f"slow={tmp_path / 'wait.mlir'}", "--queue", 1, "--log-requests")
    server.wait_for("ready", model="slow")
    with ThreadPoolExecutor(3) as pool:
        running = pool.submit(server.infer, "slow", wait_body(1500))
        await_metric(server, f"hlo2tiny_running_batches{SLOW} 1.0")
        waiting = pool.submit(server.infer, "slow", wait_body(1))
        await_metric(server, f"hlo2tiny_waiting_requests{SLOW} 1.0")
        full = {"error": "1 request already waiting for 'slow'; try again later"}
        assert server.infer("slow", wait_body(1)) == (503, full)
        assert server.stop() == 0
        assert [answer.result()[0] for answer in (running, waiting)] == [200, 200]
    assert server.wait_for("stopping")


def await_metric(server: Server, line: str) -> None:
    end = time.monotonic() + 30
    while line not in server.request("GET", "/metrics")[1]:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["none.mlir"], "none.mlir"),
        (["."], "there is no program in this folder"),
        (["x.mlir", "x.mlir"], "there are two models with the name x and version 1"),
        (["complex.mlir"], "complex: the protocol has no datatype for complex64, which x has"),
        (["folders"], "expected a folder for a version of model a, such as folders/a/1"),
        ([""], "expected a program, NAME=FILE or a folder, found ''"),
        (["x="], "expected a program, NAME=FILE or a folder, found 'x='"),
        (["a/b=x.mlir"], "'a/b' cannot name a model: names are non-empty, without /"),
        (["/dev/null"], "/dev/null: expected a regular file, found a pipe, a device or a socket"),
        (["x.mlir", "--batch-window", "2"], "--batch-window 2: expected a time such as 2ms or 0.5s, of at most 60s"),
        (["x.mlir", "--workers", "0"], "--workers 0: expected a number from 1"),
        (
            ["x.mlir", "--max-headers", "99999999999"],
            "--max-headers 99999999999: expected a number from 1 to 1,048,576",
        ),
        (["x.mlir", "--max-batch", "99999999999"], "--max-batch 99999999999: expected a number from 1 to 1,048,576"),
        (["x.mlir", "--host", ""], "--host '': expected an address to listen at, such as 127.0.0.1"),
        (["x.mlir", "--port", "65536"], "--port 65536: expected a port from 0 to 65535"),
        (["x.mlir", "--host", "nowhere.invalid"], "port 8000 of nowhere.invalid cannot be used for HTTP: "),
    ],
)
def test_bad_arguments_are_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    if arguments != ["."]:
        Path("x.mlir").write_text(SCALE, encoding="utf-8")
        Path("complex.mlir").write_text(SCALE.replace("f32", "complex<f32>"), encoding="utf-8")
        Path("folders/a/one").mkdir(parents=True)
    assert main(["serve", *arguments]) == 1
    error = capsys.readouterr().err
    assert message in error and error.startswith("hlo2tiny: error: ") and error.count("\n") == 1


def test_a_folder_of_models_may_hold_other_files(tmp_path: Path) -> None:
    """Weights, say; but no pipe, for whose writer a server would wait for ever."""
    for name in ("scale.mlir", "scale.mlir.json", "scale.safetensors", "README.md", ".hidden"):
        (tmp_path / name).write_text(SCALE)
    assert find_programs([str(tmp_path)]) == [("scale", "1", tmp_path / "scale.mlir")]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.mlir")
        for path in (tmp_path / "pipe.mlir", tmp_path):
            with pytest.raises(hlo2tiny.InputError, match=r"pipe\.mlir: expected a (regular file|program or a folder)"):
                find_programs([str(path)])


@pytest.mark.parametrize("arguments", [("--host", "::1"), ("--max-request", 4096, "--max-bodies", 4096)])
def test_addresses_and_sizes_that_need_care(tmp_path: Path, arguments: tuple[object, ...]) -> None:
    """gRPC wants brackets around addresses of IPv6, and takes numbers of 32 bits."""
    (tmp_path / "scale.mlir").write_text(SCALE)
    expect_silent_end(started(tmp_path, *arguments, models=("scale",)))


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", "x.mlir"]) == 1
    assert "this needs uvicorn, which is not installed: pip install 'hlo2tiny[serve]'" in capsys.readouterr().err


def test_two_workers_run_two_batches(tmp_path: Path) -> None:
    (tmp_path / "slow.mlir").write_text(WAIT)
    server = Server(tmp_path, "--workers", 2)
    server.wait_for("ready", model="slow")
    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(server.infer, "slow", wait_body(1000)) for _ in range(2)]
        await_metric(server, f"hlo2tiny_running_batches{SLOW} 2.0")
        assert [answer.result()[0] for answer in answers] == [200, 200]
    assert server.stop() == 0


@pytest.mark.night
def test_on_ray_serve(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    (tmp_path / "scale.mlir").write_text(SCALE)
    with socket.create_server(("127.0.0.1", 0)) as free, socket.create_server(("127.0.0.1", 0)) as other:
        ports = free.getsockname()[1], other.getsockname()[1]
    server = Server(tmp_path, "--ray", "local", "--port", ports[0], "--grpc-port", ports[1], "--max-batch", 4)
    for protocol in ("http", "grpc"):
        client = client_of(server, protocol)
        assert client.is_server_ready() and client.is_model_ready("scale")
        for rows in (1, 2, 9):
            x = np.arange(3 * rows, dtype=np.float32).reshape(rows, 3)
            np.testing.assert_array_equal(infer(client, "scale", x=x).as_numpy("y"), x + x)
        with pytest.raises(InferenceServerException, match="there is no input 'z'; the model takes x"):
            infer(client, "scale", z=X)
        client.close()
    assert server.stop() == 0


# ---------------------------------------------------------------- what never ends, or never arrives

ENDLESS = """func.func @main(%x: tensor<?xi32> loc("x")) -> (tensor<?xi32> {jax.result_info = "y"}) {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %0, %y = %x) : tensor<i32>, tensor<?xi32>
  cond {
    %p = stablehlo.compare EQ, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %i : tensor<i32>
    %z = stablehlo.add %y, %y : tensor<?xi32>
    stablehlo.return %j, %z : tensor<i32>, tensor<?xi32>
  }
  return %r#1 : tensor<?xi32>
}"""
RUNNING = 'hlo2tiny_running_batches{model="endless",version="1"} '
ONE = {"name": "x", "datatype": "INT32", "shape": [1], "data": [1]}


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A folder with a program that does not end, and one that does."""
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "endless.mlir").write_text(ENDLESS.replace("?", "1"))
    (folder / "scale.mlir").write_text(SCALE)
    return folder


def started(*arguments: object, models: tuple[str, ...] = ("endless", "scale")) -> Server:
    server = Server(*arguments)
    for name in models:
        server.wait_for("ready", model=name)
    return server


def expect_silent_end(server: Server) -> None:
    """The server ends at SIGTERM, and has logged no more than what it does."""
    assert server.stop() == 0
    assert not [line for line in server.lines if "traceback" in line or line["level"] != "info"]
    assert not server.others


def post(server: Server, path: str, body: bytes, missing: int = 0) -> socket.socket:
    """A connection over which a request has been sent, but for so many bytes of its body."""
    connection = connected(server)
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body) + missing}\r\n\r\n"
    connection.sendall(head.encode() + body)
    return connection


def test_a_request_that_takes_too_long_is_ended(endless: Path) -> None:
    server = started(endless, "--answer-timeout", 1)
    late = {"error": "there were no results within 1 s"}
    assert server.infer("endless", ONE) == (504, late)
    client = client_of(server, "grpc")
    with pytest.raises(InferenceServerException, match="DEADLINE_EXCEEDED] there were no results within 1 s"):
        infer(client, "endless", x=np.ones(1, np.int32))
    client.close()
    await_metric(server, RUNNING + "0.0")
    assert server.infer("scale", GOOD)[0] == 200 and server.request("GET", "/v2/health/ready")[0] == 200
    expect_silent_end(server)


def test_a_request_whose_client_has_gone_is_ended(endless: Path) -> None:
    server = started(endless, "--answer-timeout", 1000)
    body = json.dumps({"inputs": [ONE]}).encode()
    with post(server, "/v2/models/endless/infer", body):
        await_metric(server, RUNNING + "1.0")
    await_metric(server, RUNNING + "0.0")
    with grpc.insecure_channel(server.grpc) as channel:
        call = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
        contents = {"int_contents": [1]}
        inputs = [{"name": "x", "datatype": "INT32", "shape": [1], "contents": contents}]
        message = CLASSES["ModelInferRequest"](model_name="endless", inputs=inputs).SerializeToString()
        answer = call.future(message)
        await_metric(server, RUNNING + "1.0")
        answer.cancel()
        await_metric(server, RUNNING + "0.0")
    assert server.infer("scale", GOOD)[0] == 200
    expect_silent_end(server)


def test_a_stopping_server_ends_requests_after_its_grace(endless: Path) -> None:
    server = started(endless, "--grace", 0.5, "--answer-timeout", 1000)
    with ThreadPoolExecutor(1) as pool, post(server, "/v2/models/scale/infer", b"", 1000):
        answer = pool.submit(server.infer, "endless", ONE)
        await_metric(server, RUNNING + "1.0")
        expect_silent_end(server)
        assert answer.result() == (503, {"error": "the server is stopping"})


def test_a_second_signal_ends_the_grace(endless: Path) -> None:
    server = started(endless, "--grace", 1000, "--answer-timeout", 1000)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(server.infer, "endless", ONE)
        await_metric(server, RUNNING + "1.0")
        server.process.send_signal(signal.SIGINT)
        server.wait_for("stopping")
        expect_silent_end(server)
        assert answer.result() == (503, {"error": "the server is stopping"})


@pytest.mark.parametrize("text", [ENDLESS, ENDLESS.replace("?", "1")], ids=["open", "static"])
def test_a_server_that_prepares_stops_at_once(tmp_path: Path, text: str) -> None:
    (tmp_path / "endless.mlir").write_text(text)
    server = Server(tmp_path, "--grace", 1000)
    expect_silent_end(server)


@pytest.mark.ci
def test_a_program_that_does_not_end_on_made_up_rows_is_not_batched(tmp_path: Path) -> None:
    (tmp_path / "endless.mlir").write_text(ENDLESS)
    server = Server(tmp_path, "--timeout", 10)  # which loading is within, too
    assert "not batched, since made-up rows cannot be run" in server.wait_for("ready", model="endless")["batches"]
    expect_silent_end(server)


@pytest.mark.ci
def test_a_server_is_not_ready_while_no_call_can_be_ended(tmp_path: Path) -> None:
    (tmp_path / "wait.mlir").write_text(WAIT)
    server = started(tmp_path, "--answer-timeout", 0.2, models=("wait",))
    assert server.infer("wait", wait_body(5000))[0] == 504
    await_status(server, "/v2/health/ready", 503)
    stuck = {"error": "all workers are stuck in calls that should have ended"}
    assert server.infer("wait", wait_body(1)) == (503, stuck)
    await_status(server, "/v2/health/ready", 200)
    assert server.infer("wait", wait_body(1))[0] == 200
    expect_silent_end(server)


def await_status(server: Server, path: str, status: int) -> None:
    end = time.monotonic() + 60
    while server.request("GET", path)[0] != status:
        assert time.monotonic() < end
        time.sleep(0.01)


def read_all(connection: socket.socket) -> bytes:
    """What comes until the server closes a connection."""
    found = b""
    try:
        while part := connection.recv(1 << 16):
            found += part
    except ConnectionResetError:
        pass
    return found


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with low limits."""
    folder = tmp_path_factory.mktemp("narrow")
    (folder / "scale.mlir").write_text(SCALE)
    limits = {"max-request": 1, "max-bodies": 2, "max-headers": 16, "max-connections": 8, "arrival-timeout": 3}
    server = started(folder, *chain(*((f"--{k}", v) for k, v in limits.items())), models=("scale",))
    yield server
    expect_silent_end(server)


def connected(server: Server) -> socket.socket:
    host, port = server.http.split(":")
    return socket.create_connection((host, int(port)), 100)


@pytest.mark.parametrize(
    "begin, more",
    [
        (b"GET /v2 HTTP/1.1\r\n", b"X-More: %s\r\n" % (b"x" * 1000)),
        (b"GET /v2 HTTP/1.1\r\nX-Long: ", b"x" * 1000),
        (b"GET /", b"x" * 1000),
        (
            b"POST /v2/models/scale/infer HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n",
            b"X-Trailer: %s\r\n" % (b"x" * 1000),
        ),
    ],
    ids=["many headers", "a long header", "a long path", "trailers"],
)
def test_long_headers_are_refused(narrow: Server, begin: bytes, more: bytes) -> None:
    with connected(narrow) as connection:
        connection.sendall(begin)
        with pytest.raises(OSError):
            for _ in range(100_000):
                connection.sendall(more)
    assert narrow.infer("scale", GOOD)[0] == 200


def test_a_long_header_gets_431(narrow: Server) -> None:
    with connected(narrow) as connection:
        connection.sendall(b"GET /v2 HTTP/1.1\r\nX-Long: " + b"x" * 17_000)
        assert read_all(connection).startswith(b"HTTP/1.1 431 ")


def test_headers_are_counted_though_they_arrive_at_once(narrow: Server) -> None:
    for head in (b"GET /v2 HTTP/1.1\r\nX-Long: %s\r\n\r\n", b"GET /%s HTTP/1.1\r\n\r\n"):
        with connected(narrow) as connection:
            connection.sendall(head % (b"x" * 16_500))
            assert read_all(connection).startswith(b"HTTP/1.1 431 ")


def test_many_requests_ahead_lose_their_connection(narrow: Server) -> None:
    """Each is kept until those before it are answered."""
    with connected(narrow) as connection:
        with contextlib.suppress(OSError):  # it is closed while they are sent
            connection.sendall(b"GET /v2 HTTP/1.1\r\nHost: x\r\n\r\n" * 1000)
        assert read_all(connection).count(b"HTTP/1.1 200 ") < 1000
    assert narrow.infer("scale", GOOD)[0] == 200


def test_grpc_requests_that_do_not_arrive_hold_others_back_for_a_while(narrow: Server) -> None:
    """Two may arrive at a time, 2 MiB of bodies being two of the largest; health does not wait for them."""
    late = threading.Event()

    def silence() -> Iterator[bytes]:
        late.wait()
        yield from ()

    path = f"/{SERVICE}/ModelInfer"
    with grpc.insecure_channel(narrow.grpc) as channel:
        held = [channel.stream_unary(path).future(silence()) for _ in range(2)]
        tensor = {"name": "x", "datatype": "FP32", "shape": [1, 3], "contents": {"fp32_contents": [1, 2, 3]}}
        request = CLASSES["ModelInferRequest"](model_name="scale", inputs=[tensor]).SerializeToString()
        other = channel.unary_unary(path).future(request)
        assert channel.unary_unary(f"/{SERVICE}/ServerLive")(b"", timeout=60)
        for call in held:
            assert call.exception(60).code() == grpc.StatusCode.DEADLINE_EXCEEDED
            assert call.details() == "the request did not arrive within 3 s"
        assert other.result(60)
        late.set()


@pytest.mark.parametrize("begin", [b"", b"GET /v2 HTTP/1.1\r\nX-Half: "])
def test_headers_that_do_not_arrive_get_408(narrow: Server, begin: bytes) -> None:
    with connected(narrow) as connection:
        connection.sendall(begin)
        assert read_all(connection).startswith(b"HTTP/1.1 408 ")


def test_bodies_that_do_not_arrive_hold_little_memory_for_a_while(narrow: Server) -> None:
    """Bodies that hold back their last byte are counted together; what is beyond the limit is refused."""
    head = b"POST /v2/models/scale/infer HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"
    connections = [connected(narrow) for _ in range(4)]
    for connection in connections:
        connection.sendall(head + b" " * 999_999)
    answers = [read_all(connection) for connection in connections]
    busy = [answer for answer in answers if answer.startswith(b"HTTP/1.1 503 ")]
    assert busy and all(b"the requests in progress have" in answer for answer in busy)
    assert [answer for answer in answers if answer not in busy] == [b""] * (4 - len(busy))  # they took too long
    for connection in connections:
        connection.close()
    assert narrow.infer("scale", GOOD)[0] == 200


def test_too_many_connections_are_refused(narrow: Server) -> None:
    connections = [connected(narrow) for _ in range(20)]
    answers = [read_all(connection)[:13] for connection in connections]
    assert answers.count(b"HTTP/1.1 503 ") >= 12 and answers.count(b"HTTP/1.1 408 ") >= 1
    for connection in connections:
        connection.close()
    await_status(narrow, "/v2/health/ready", 200)


def test_requests_one_after_the_other_on_a_connection(narrow: Server) -> None:
    """Also two at once, of which the second waits for the answer to the first."""
    body = json.dumps({"inputs": [GOOD]}).encode()
    request = b"POST /v2/models/scale/infer HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    with connected(narrow) as connection:
        found = b""
        for _ in range(3):
            connection.sendall(request * 2)
            for _ in range(2):
                while b'"outputs"' not in found or b"]}]}" not in found:
                    found += connection.recv(1 << 16)
                found = found.partition(b"]}]}")[2]
