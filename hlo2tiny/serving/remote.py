"""The protocol over gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import numpy as np
from google.protobuf.message import DecodeError

from .batching import Engine
from .messages import CLASSES, METHODS, SERVICE
from .models import SERVER
from .protocol import BAD, BUSY, DTYPES, EXTENSIONS, LATE, NAMES, TOO_LARGE, UNKNOWN, Inference, Refused, Tensor

STATUSES = {
    BAD: grpc.StatusCode.INVALID_ARGUMENT,
    UNKNOWN: grpc.StatusCode.NOT_FOUND,
    TOO_LARGE: grpc.StatusCode.RESOURCE_EXHAUSTED,
    BUSY: grpc.StatusCode.UNAVAILABLE,
    LATE: grpc.StatusCode.DEADLINE_EXCEEDED,
}
MOST = (1 << 31) - 1  # of an option's number
# The fields of InferTensorContents by datatype; FP16 and BF16 have none.
CONTENTS = {
    "BOOL": "bool_contents",
    **dict.fromkeys(("INT8", "INT16", "INT32"), "int_contents"),
    **dict.fromkeys(("UINT8", "UINT16", "UINT32"), "uint_contents"),
    "INT64": "int64_contents",
    "UINT64": "uint64_contents",
    "FP32": "fp32_contents",
    "FP64": "fp64_contents",
}


class Service:
    """The methods of the protocol: each takes a request's message and returns the fields of the response's."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._models, limits = engine, engine.models, engine.limits
        # The messages that may arrive at a time; health checks do not wait for inference.
        most = max(1, limits.most_bodies // limits.most_bytes)
        others = asyncio.Semaphore(most)
        self._arriving = dict.fromkeys(METHODS, others) | {"ModelInfer": asyncio.Semaphore(most)}

    async def receive(self, method: str, messages: AsyncIterator[bytes]) -> bytes:
        """A request's message. Of those that wait here, gRPC's library has read only the first few kB."""
        seconds = self._engine.limits.arrival
        try:
            async with self._arriving[method], asyncio.timeout(seconds):
                return await anext(messages)
        except TimeoutError:
            raise Refused(LATE, f"the request did not arrive within {seconds:g} s") from None
        except StopAsyncIteration:
            raise Refused(BAD, "the request has no message") from None

    async def answer_bytes(self, method: str, request: bytes) -> Any:
        """The response's message for a request in its encoding; raises Refused."""
        if len(request) > self._engine.limits.most_bytes:
            raise Refused(TOO_LARGE, f"the request has more than {self._engine.limits.most_bytes:,} bytes")
        with self._engine.hold() as hold:
            hold(len(request))
            try:
                message = CLASSES[f"{method}Request"].FromString(request)
            except DecodeError as error:
                raise Refused(BAD, f"the request is not a {method}Request: {error}") from None
            return CLASSES[f"{method}Response"](**await getattr(self, method)(message))

    async def ServerLive(self, request: Any) -> dict[str, Any]:  # noqa: N802
        return {"live": True}

    async def ServerReady(self, request: Any) -> dict[str, Any]:  # noqa: N802
        return {"ready": self._engine.ready}

    async def ModelReady(self, request: Any) -> dict[str, Any]:  # noqa: N802
        return {"ready": self._models.find(request.name, request.version).ready and not self._models.stopping}

    async def ServerMetadata(self, request: Any) -> dict[str, Any]:  # noqa: N802
        return SERVER | {"extensions": EXTENSIONS}

    async def ModelMetadata(self, request: Any) -> dict[str, Any]:  # noqa: N802
        model = self._models.find(request.name, request.version)
        return model.metadata(self._models.versions(model.name))

    async def ModelInfer(self, request: Any) -> dict[str, Any]:  # noqa: N802
        with self._engine.answering("grpc", request.model_name, request.model_version, asyncio.CancelledError):
            model, results = await self._engine.answer(inference_of(request))
        outputs = [{"name": name, "datatype": NAMES[x.dtype], "shape": x.shape} for name, x in results.items()]
        raw = [array.tobytes() for array in results.values()]
        about = {"model_name": model.name, "model_version": model.version, "id": request.id}
        return about | {"outputs": outputs, "raw_output_contents": raw}


def inference_of(request: Any) -> Inference:
    """A request; raises Refused if its tensors' data are in no form that the protocol has."""
    raw, inputs = list(request.raw_input_contents), request.inputs
    if raw and (len(raw) != len(inputs) or any(tensor.HasField("contents") for tensor in inputs)):
        raise Refused(
            BAD, f"raw_input_contents has {len(raw)} tensors for {len(inputs)} inputs, or has contents as well"
        )
    tensors = []
    for number, tensor in enumerate(inputs):
        if raw:
            data: Any = raw[number]
        elif tensor.datatype in CONTENTS:
            data = list(getattr(tensor.contents, CONTENTS[tensor.datatype]))
            if DTYPES[tensor.datatype].kind == "f":  # which may be infinite
                data = np.array(data, DTYPES[tensor.datatype]).tobytes()
        else:
            raise Refused(BAD, f"input {tensor.name!r} of datatype {tensor.datatype!r} has no raw_input_contents")
        tensors.append(Tensor(tensor.name, tensor.datatype, tuple(tensor.shape), data))
    names = [output.name for output in request.outputs]
    return Inference(request.model_name, request.model_version, request.id, tensors, names)


def server_of(engine: Engine) -> grpc.aio.Server:
    """The gRPC server, which is not yet started and has no port."""
    service = Service(engine)
    handlers = {
        method: grpc.stream_unary_rpc_method_handler(  # a unary one would read a message before it can be refused
            answering(service, method), response_serializer=CLASSES[f"{method}Response"].SerializeToString
        )
        for method in METHODS
    }
    limits = engine.limits
    milliseconds = min(int(1000 * limits.arrival), MOST)
    options = [
        ("grpc.max_receive_message_length", min(limits.most_bytes, MOST)),
        ("grpc.max_send_message_length", -1),
        ("grpc.max_metadata_size", limits.most_headers),
        ("grpc.max_allowed_incoming_connections", limits.most_connections),
        ("grpc.max_concurrent_streams", limits.most_waiting + 1),
        ("grpc.http2.bdp_probe", 0),  # which would let the library read ahead much more of each message
        ("grpc.server_handshake_timeout_ms", milliseconds),
        ("grpc.max_connection_idle_ms", milliseconds),
        ("grpc.so_reuseport", 0),
    ]
    server = grpc.aio.server(options=options, maximum_concurrent_rpcs=limits.most_waiting + limits.most_connections)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    return server


def answering(service: Service, method: str) -> Callable[[AsyncIterator[bytes], Any], Awaitable[Any]]:
    """What gRPC calls for a method: it turns an error into gRPC's status."""

    async def answer(messages: AsyncIterator[bytes], context: Any) -> Any:
        try:
            return await service.answer_bytes(method, await service.receive(method, messages))
        except Refused as error:
            await context.abort(STATUSES.get(error.status, grpc.StatusCode.INTERNAL), str(error))

    return answer
