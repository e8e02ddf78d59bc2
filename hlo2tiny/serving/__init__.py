"""Programs over HTTP and gRPC: the Open Inference Protocol, version 2."""
