"""The messages of the protocol over gRPC: the names, types and numbers of their fields, as in the protocol."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE = "inference"
SERVICE = f"{PACKAGE}.GRPCInferenceService"
PARAMETERS = "map<InferParameter>"
# What several messages begin with.
NAME_AND_VERSION = {"name": "string", "version": "string"}
MODEL = {"model_name": "string", "model_version": "string", "id": "string", "parameters": PARAMETERS}
TYPED = {"name": "string", "datatype": "string", "shape": "int64[]"}

# Each message's fields with their types, in the order of their numbers, from 1. [] marks fields that repeat.
MESSAGES: dict[str, dict[str, str]] = {
    "ServerLiveRequest": {},
    "ServerLiveResponse": {"live": "bool"},
    "ServerReadyRequest": {},
    "ServerReadyResponse": {"ready": "bool"},
    "ModelReadyRequest": NAME_AND_VERSION,
    "ModelReadyResponse": {"ready": "bool"},
    "ServerMetadataRequest": {},
    "ServerMetadataResponse": {**NAME_AND_VERSION, "extensions": "string[]"},
    "ModelMetadataRequest": NAME_AND_VERSION,
    "ModelMetadataResponse": {
        "name": "string",
        "versions": "string[]",
        "platform": "string",
        "inputs": "ModelMetadataResponse.TensorMetadata[]",
        "outputs": "ModelMetadataResponse.TensorMetadata[]",
    },
    "ModelMetadataResponse.TensorMetadata": TYPED,
    "InferParameter": {f"{type}_param": type for type in ("bool", "int64", "string", "double", "uint64")},
    "InferTensorContents": {
        "bool_contents": "bool[]",
        "int_contents": "int32[]",
        "int64_contents": "int64[]",
        "uint_contents": "uint32[]",
        "uint64_contents": "uint64[]",
        "fp32_contents": "float[]",
        "fp64_contents": "double[]",
        "bytes_contents": "bytes[]",
    },
    "ModelInferRequest": {
        **MODEL,
        "inputs": "ModelInferRequest.InferInputTensor[]",
        "outputs": "ModelInferRequest.InferRequestedOutputTensor[]",
        "raw_input_contents": "bytes[]",
    },
    "ModelInferRequest.InferInputTensor": {**TYPED, "parameters": PARAMETERS, "contents": "InferTensorContents"},
    "ModelInferRequest.InferRequestedOutputTensor": {"name": "string", "parameters": PARAMETERS},
    "ModelInferResponse": {
        **MODEL,
        "outputs": "ModelInferResponse.InferOutputTensor[]",
        "raw_output_contents": "bytes[]",
    },
    "ModelInferResponse.InferOutputTensor": {**TYPED, "parameters": PARAMETERS, "contents": "InferTensorContents"},
}
METHODS = ["ServerLive", "ServerReady", "ModelReady", "ServerMetadata", "ModelMetadata", "ModelInfer"]
# At most one of these messages' fields is present.
CHOICES = {"InferParameter": "parameter_choice"}
Field = descriptor_pb2.FieldDescriptorProto


def descriptors() -> descriptor_pb2.FileDescriptorProto:
    """The messages as a .proto file describes them."""
    file = descriptor_pb2.FileDescriptorProto(name="hlo2tiny/open_inference.proto", package=PACKAGE, syntax="proto3")
    found: dict[str, descriptor_pb2.DescriptorProto] = {}
    for name, fields in MESSAGES.items():
        outer, _, inner = name.rpartition(".")
        message = found[outer].nested_type.add(name=inner) if outer else file.message_type.add(name=name)
        found[name] = message
        if name in CHOICES:
            message.oneof_decl.add(name=CHOICES[name])
        for number, (field, type) in enumerate(fields.items(), 1):
            if type == PARAMETERS:
                entry = message.nested_type.add(name=f"{field.title()}Entry")
                entry.options.map_entry = True
                add_field(entry, "key", "string", 1)
                add_field(entry, "value", "InferParameter", 2)
                type = f"{name}.{entry.name}[]"
            added = add_field(message, field, type, number)
            if name in CHOICES:
                added.oneof_index = 0
    return file


def add_field(message: descriptor_pb2.DescriptorProto, name: str, type: str, number: int) -> Any:
    field: Any = message.field.add(name=name, number=number)
    field.label = Field.LABEL_REPEATED if type.endswith("[]") else Field.LABEL_OPTIONAL
    type = type.removesuffix("[]")
    if type[0].isupper():
        field.type, field.type_name = Field.TYPE_MESSAGE, f".{PACKAGE}.{type}"
    else:
        field.type = getattr(Field, f"TYPE_{type.upper()}")
    return field


def message_classes() -> dict[str, Any]:
    """The class of each message, in a pool of their own: a client in this process may have others of these names."""
    pool = descriptor_pool.DescriptorPool()
    pool.Add(descriptors())
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{PACKAGE}.{name}")) for name in MESSAGES}


CLASSES = message_classes()
