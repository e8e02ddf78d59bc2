"""The protocol over HTTP, with JSON, and tensors as JSON or as binary data after it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

import numpy as np
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .batching import Engine
from .metrics import CONTENT_TYPE
from .models import SERVER, ServedModel
from .protocol import BAD, BUSY, EXTENSIONS, NAMES, OK, TOO_LARGE, Inference, Refused, Tensor

Result = TypeVar("Result")
# The header that says how many bytes of a body are JSON; binary data follows.
JSON_LENGTH = "inference-header-content-length"
# This much of an oversized request is read before it is refused, since a client that is still sending may miss the
# answer.
MOST_IGNORED = 256 << 20


def application(engine: Engine) -> Starlette:
    """The ASGI application of a server."""
    models = engine.models

    async def live(request: Request) -> Response:
        return JSONResponse({"live": True})

    async def ready(request: Request) -> Response:
        return JSONResponse({"ready": engine.ready}, OK if engine.ready else BUSY)

    async def server(request: Request) -> Response:
        return JSONResponse(SERVER | {"extensions": EXTENSIONS})

    async def metrics(request: Request) -> Response:
        return Response(engine.metrics.text(), media_type=CONTENT_TYPE)

    async def model_ready(request: Request) -> Response:
        model = models.find(*model_and_version(request))
        usable = model.ready and not models.stopping
        return JSONResponse({"name": model.name, "ready": usable}, OK if usable else BUSY)

    async def metadata(request: Request) -> Response:
        model = models.find(*model_and_version(request))
        return JSONResponse(model.metadata(models.versions(model.name)))

    async def infer(request: Request) -> Response:
        name, version = model_and_version(request)
        with engine.answering("http", name, version, ClientDisconnect), engine.hold() as hold:
            body = await body_of(request, engine.limits.most_bytes, hold)
            inference, wishes = inference_of(body, request.headers.get(JSON_LENGTH), name, version)
            model, results = await unless_left(request, engine.answer(inference))
            return answer(model, inference.id, results, wishes)

    routes = [
        Route("/v2", server),
        Route("/v2/health/live", live),
        Route("/v2/health/ready", ready),
        Route("/metrics", metrics),
    ]
    for path in ("/v2/models/{model}", "/v2/models/{model}/versions/{version}"):
        routes += [
            Route(path, metadata),
            Route(f"{path}/ready", model_ready),
            Route(f"{path}/infer", infer, methods=["POST"]),
        ]
    handlers: dict[Any, Any] = {Refused: refuse, 404: unknown_path, 405: unknown_path, ClientDisconnect: client_left}
    return Starlette(routes=routes, exception_handlers=handlers)


def model_and_version(request: Request) -> tuple[str, str]:
    return request.path_params["model"], request.path_params.get("version", "")


async def refuse(request: Request, error: Any) -> Response:
    return JSONResponse({"error": str(error)}, error.status)


async def unknown_path(request: Request, error: Any) -> Response:
    return await refuse(request, Refused(error.status_code, f"there is no {request.method} {request.url.path}"))


async def client_left(request: Request, error: Any) -> Response:
    return Response(status_code=BAD)


async def unless_left(request: Request, answer: Coroutine[Any, Any, Result]) -> Result:
    """The answer to a request whose body has been read; raises ClientDisconnect if its client leaves first."""
    answering, leaving = asyncio.ensure_future(answer), asyncio.ensure_future(request.receive())
    try:
        await asyncio.wait([answering, leaving], return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            return answering.result()
        raise ClientDisconnect
    finally:
        answering.cancel()
        leaving.cancel()


async def body_of(request: Request, most: int, hold: Callable[[int], None]) -> bytes | bytearray:
    """The body of a request; raises Refused if it is larger than `most` bytes, or compressed, or `hold` does."""
    if request.headers.get("content-encoding", "identity") != "identity":
        raise Refused(415, "compressed requests are not supported; send the body as it is")
    body, size = bytearray(), 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= most:
            hold(len(chunk))
            body += chunk
        elif size > MOST_IGNORED:
            break
    if size > most:
        raise Refused(TOO_LARGE, f"the request has more than {most:,} bytes")
    return body


def inference_of(
    body: bytes | bytearray, json_length: str | None, model: str, version: str
) -> tuple[Inference, dict[str, bool]]:
    """A request, and which outputs it wants as binary data, by name; '' stands for those that it does not name.

    Raises:
        Refused: the body is not a request.
    """
    length = len(body)
    if json_length is not None:
        digits = json_length.isascii() and json_length.isdecimal() and len(json_length) < 20
        if not (digits and int(json_length) <= length):
            raise Refused(BAD, f"the header {JSON_LENGTH} is {json_length!r:.40}, but the body has {length:,} bytes")
        length = int(json_length)
    try:
        value = json.loads(body[:length], parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Refused(BAD, f"the body is not JSON: {error}") from None
    request = expect(value, dict, "the body")
    binary, tensors, at = memoryview(body), [], length
    for entry in expect(request.get("inputs"), list, "inputs"):
        name, datatype, shape = (
            expect(expect(entry, dict, "an input").get(key), kind, f"{key} of an input")
            for key, kind in (("name", str), ("datatype", str), ("shape", list))
        )
        size = parameters_of(entry).get("binary_data_size")
        data: Any = entry.get("data")
        if size is not None:
            if type(size) is not int or not 0 <= size <= len(body) - at:
                raise Refused(
                    BAD, f"binary_data_size of input {name!r} is {size!r:.40}, but {len(body) - at:,} bytes are left"
                )
            data = binary[at : at + size]
            at += size
        elif not isinstance(data, list):
            raise Refused(BAD, f"input {name!r} has neither data nor binary_data_size")
        sizes = tuple(expect(d, int, f"a size of input {name!r}") for d in shape)
        tensors.append(Tensor(name, datatype, sizes, data))
    if at != len(body):
        raise Refused(BAD, f"{len(body) - at:,} bytes follow the data of the inputs")
    wishes = {"": parameters_of(request).get("binary_data_output", False) is True}
    outputs = expect(request.get("outputs", []), list, "outputs")
    for entry in outputs:
        name = expect(expect(entry, dict, "an output").get("name"), str, "name of an output")
        if "classification" in parameters_of(entry):
            raise Refused(BAD, f"output {name!r}: classification is not supported")
        wishes[name] = parameters_of(entry).get("binary_data", wishes[""]) is True
    identifier = expect(request.get("id", ""), str, "id")
    return Inference(model, version, identifier, tensors, [name for name in wishes if name]), wishes


def refuse_constant(name: str) -> None:
    raise ValueError(f"it holds {name}, which JSON does not have; send binary data")


def parameters_of(value: dict[str, Any]) -> dict[str, Any]:
    return dict(expect(value.get("parameters", {}), dict, "parameters"))


def expect(value: Any, kind: type, what: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        names = {dict: "an object", list: "a list", str: "a string", int: "an integer"}
        raise Refused(
            BAD, f"{what} is missing or is not {names[kind]}" if value is None else f"{what} is not {names[kind]}"
        )
    return value


def answer(model: ServedModel, id: str, results: dict[str, np.ndarray], wishes: dict[str, bool]) -> Response:
    """The response with some results; raises Refused if one cannot be JSON."""
    outputs: list[dict[str, Any]] = []
    binary: list[bytes] = []
    for name, array in results.items():
        output: dict[str, Any] = {"name": name, "datatype": NAMES[array.dtype], "shape": list(array.shape)}
        if wishes.get(name, wishes[""]):
            binary.append(array.tobytes())
            output["parameters"] = {"binary_data_size": len(binary[-1])}
        else:
            output["data"] = numbers_of(name, array)
        outputs.append(output)
    value = {"model_name": model.name, "model_version": model.version, "outputs": outputs} | ({"id": id} if id else {})
    text = json.dumps(value, separators=(",", ":")).encode()
    if not binary:
        return Response(text, media_type="application/json")
    return Response(
        b"".join([text, *binary]), headers={JSON_LENGTH: str(len(text))}, media_type="application/octet-stream"
    )


def numbers_of(name: str, array: np.ndarray) -> Sequence[Any]:
    """The elements of a result as JSON's numbers, in row-major order."""
    flat = array.reshape(-1)
    if flat.dtype.kind in "fV":
        flat = flat.astype(np.float64) if flat.dtype.itemsize < 4 else flat
        if not np.isfinite(flat).all():
            raise Refused(BAD, f"output {name!r} holds NaN or infinity, which JSON cannot; ask for binary_data")
    return list(flat.tolist())
