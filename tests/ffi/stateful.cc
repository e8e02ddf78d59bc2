// Handlers with a state, which a client registers.

#include "counter.h"

extern "C" int counters_alive() { return alive; }

extern "C" void *counter_type() { return &Counter::id; }
extern "C" void *counter_info() { return &Counter::info; }

static ffi::ErrorOr<std::unique_ptr<Counter>> Instantiate(int64_t first) { return std::make_unique<Counter>(first); }
static ffi::Error Execute(Counter *counter, ffi::ResultBuffer<ffi::S64> out) {
  out->typed_data()[0] = counter->next++;
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(Begin, Instantiate, ffi::Ffi::BindInstantiate().Attr<int64_t>("first"));
XLA_FFI_DEFINE_HANDLER_SYMBOL(Count, Execute, ffi::Ffi::Bind().Ctx<ffi::State<Counter>>().Ret<ffi::Buffer<ffi::S64>>());
