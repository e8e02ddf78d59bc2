// Handlers that use a GPU through its driver, which they find at run time: they need no headers of CUDA.

#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;
using Stream = struct CUstream_st *;
using Floats = ffi::Buffer<ffi::F32>;
using FloatResult = ffi::ResultBuffer<ffi::F32>;

template <class... Types> static int driver(const char *name, Types... values) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  return reinterpret_cast<int (*)(Types...)>(dlsym(library, name))(values...);
}

static int copy(void *target, const void *source, size_t size, Stream stream) {
  return driver("cuMemcpyDtoDAsync_v2", uintptr_t(target), uintptr_t(source), size, stream);
}

static ffi::Error Copy(Stream stream, Floats x, FloatResult y) {
  if (int status = copy(y->untyped_data(), x.untyped_data(), x.size_bytes(), stream))
    return ffi::Error::Internal("the copy failed with " + std::to_string(status));
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(CopyOnGpu, Copy, ffi::Ffi::Bind().Ctx<ffi::PlatformStream<Stream>>().Arg<Floats>().Ret<Floats>());

// A kernel that the call passes as PTX computes y = a·x from a copy of x in scratch memory.
static ffi::Error Scale(Stream stream, ffi::ScratchAllocator scratch, std::string_view ptx, float a, Floats x, FloatResult y) {
  void *module = nullptr, *function = nullptr;
  if (int status = driver("cuModuleLoadData", &module, std::string(ptx).c_str()))
    return ffi::Error::InvalidArgument("the code cannot be loaded: " + std::to_string(status));
  if (driver("cuModuleGetFunction", &function, module, "scale")) return ffi::Error::Internal("there is no kernel");
  std::optional<void *> memory = scratch.Allocate(x.size_bytes(), 256);
  if (!memory) return ffi::Error::Internal("there is no memory");
  copy(*memory, x.untyped_data(), x.size_bytes(), stream);
  void *target = y->untyped_data();
  int count = int(x.element_count());
  void *values[] = {&*memory, &a, &count, &target};
  if (int status = driver("cuLaunchKernel", function, unsigned(count + 255) / 256, 1u, 1u, 256u, 1u, 1u, 0u, stream,
                          static_cast<void **>(values), static_cast<void **>(nullptr)))
    return ffi::Error::Internal("the launch failed with " + std::to_string(status));
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(ScaleOnGpu, Scale,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<Stream>>()
                                  .Ctx<ffi::ScratchAllocator>()
                                  .Attr<std::string_view>("ptx")
                                  .Attr<float>("a")
                                  .Arg<Floats>()
                                  .Ret<Floats>());
