"""The messages of the protocol over gRPC: the names, types and numbers of their fields, as in the protocol."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE = "inference"
SERVICE = f"{PACKAGE}.GRPCInferenceService"
NAME_AND_VERSION = {"name": ("string", 1), "version": ("string", 2)}
PARAMETERS = "map<InferParameter>"

# Each message's fields: their types and numbers. [] marks fields that repeat.
MESSAGES: dict[str, dict[str, tuple[str, int]]] = {
    "ServerLiveRequest": {},
    "ServerLiveResponse": {"live": ("bool", 1)},
    "ServerReadyRequest": {},
    "ServerReadyResponse": {"ready": ("bool", 1)},
    "ModelReadyRequest": NAME_AND_VERSION,
    "ModelReadyResponse": {"ready": ("bool", 1)},
    "ServerMetadataRequest": {},
    "ServerMetadataResponse": {**NAME_AND_VERSION, "extensions": ("string[]", 3)},
    "ModelMetadataRequest": NAME_AND_VERSION,
    "ModelMetadataResponse": {
        "name": ("string", 1),
        "versions": ("string[]", 2),
        "platform": ("string", 3),
        "inputs": ("ModelMetadataResponse.TensorMetadata[]", 4),
        "outputs": ("ModelMetadataResponse.TensorMetadata[]", 5),
    },
    "ModelMetadataResponse.TensorMetadata": {"name": ("string", 1), "datatype": ("string", 2), "shape": ("int64[]", 3)},
    "InferParameter": {
        "bool_param": ("bool", 1),
        "int64_param": ("int64", 2),
        "string_param": ("string", 3),
        "double_param": ("double", 4),
        "uint64_param": ("uint64", 5),
    },
    "InferTensorContents": {
        "bool_contents": ("bool[]", 1),
        "int_contents": ("int32[]", 2),
        "int64_contents": ("int64[]", 3),
        "uint_contents": ("uint32[]", 4),
        "uint64_contents": ("uint64[]", 5),
        "fp32_contents": ("float[]", 6),
        "fp64_contents": ("double[]", 7),
        "bytes_contents": ("bytes[]", 8),
    },
    "ModelInferRequest": {
        "model_name": ("string", 1),
        "model_version": ("string", 2),
        "id": ("string", 3),
        "parameters": (PARAMETERS, 4),
        "inputs": ("ModelInferRequest.InferInputTensor[]", 5),
        "outputs": ("ModelInferRequest.InferRequestedOutputTensor[]", 6),
        "raw_input_contents": ("bytes[]", 7),
    },
    "ModelInferRequest.InferInputTensor": {
        "name": ("string", 1),
        "datatype": ("string", 2),
        "shape": ("int64[]", 3),
        "parameters": (PARAMETERS, 4),
        "contents": ("InferTensorContents", 5),
    },
    "ModelInferRequest.InferRequestedOutputTensor": {"name": ("string", 1), "parameters": (PARAMETERS, 2)},
    "ModelInferResponse": {
        "model_name": ("string", 1),
        "model_version": ("string", 2),
        "id": ("string", 3),
        "parameters": (PARAMETERS, 4),
        "outputs": ("ModelInferResponse.InferOutputTensor[]", 5),
        "raw_output_contents": ("bytes[]", 6),
    },
    "ModelInferResponse.InferOutputTensor": {
        "name": ("string", 1),
        "datatype": ("string", 2),
        "shape": ("int64[]", 3),
        "parameters": (PARAMETERS, 4),
        "contents": ("InferTensorContents", 5),
    },
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
        for field, (type, number) in fields.items():
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
