
This program runs on an NVIDIA GPU: the one that is current in the calling thread when a context is created, or the first
one. Each context has its weights and working memory there; `threads` is not used. Arrays may lie on the GPU or in the
host's memory, each as the caller likes. What lies on the GPU at a multiple of 16 bytes is read and written in place. A run
at new addresses records a CUDA graph, which takes a while; the last 8 are kept, and arrays of up to 4 MiB that move are
copied.
