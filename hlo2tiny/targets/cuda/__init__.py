"""The target for NVIDIA GPUs: kernels in CUDA C, NVIDIA's libraries for products, and one CUDA graph for a plan."""
