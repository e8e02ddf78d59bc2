
/* Another code: the GPU, its driver or one of NVIDIA's libraries is missing or refused something. Of this code and of
   MODEL_NO_MEMORY, `model_error` says what happened in the calling thread's last call, and what to do. */
enum { MODEL_GPU = 7 };

/* Makes runs use a stream of the caller: a CUstream or a cudaStream_t of the context's GPU, which may be null.
   From then on, `model_run` returns when the run has been launched, if all arrays are on the GPU; without a stream, or
   if an array is in host memory, it returns when the results are there. Runs on an earlier stream must have ended. */
int model_set_stream(model_context *context, void *stream);
