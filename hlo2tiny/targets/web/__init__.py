"""The target that writes programs for browsers: a folder with WebAssembly, WGSL, the weights and a runtime."""
