// A library that registers its handlers and their state when it is loaded.

#include "counter.h"

extern "C" const XLA_FFI_Api *XLA_FFI_GetApi();

extern "C" int states_alive() { return alive; }

struct Step {
  static ffi::TypeId id;
  static ffi::TypeInfo info;
  explicit Step(int64_t size) : size(size) { alive++; }
  ~Step() { alive--; }
  int64_t size;
};
ffi::TypeId Step::id = {};
ffi::TypeInfo Step::info = ffi::MakeTypeInfo<Step>();

static ffi::ErrorOr<std::unique_ptr<Counter>> Instantiate(int64_t first) {
  if (first < 0) return ffi::Unexpected(ffi::Error::InvalidArgument("a counter begins at 0 or later"));
  return std::make_unique<Counter>(first);
}
static ffi::ErrorOr<std::unique_ptr<Step>> Prepare(int64_t first) { return std::make_unique<Step>(first); }
static ffi::Error Initialize(Step *step) {
  step->size += 1;
  return ffi::Error::Success();
}
// The number of calls so far, after the first, and 1 more than the attribute, which the stages before have computed.
static ffi::Error Execute(Counter *counter, Step *step, ffi::ResultBuffer<ffi::S64> out) {
  out->typed_data()[0] = counter->next++;
  out->typed_data()[1] = step->size;
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER(instantiate, Instantiate, ffi::Ffi::BindInstantiate().Attr<int64_t>("first"));
XLA_FFI_DEFINE_HANDLER(prepare, Prepare, ffi::Ffi::Bind<ffi::ExecutionStage::kPrepare>().Attr<int64_t>("first"));
XLA_FFI_DEFINE_HANDLER(initialize, Initialize,
                       ffi::Ffi::Bind<ffi::ExecutionStage::kInitialize>().Ctx<ffi::Prepared<Step>>());
XLA_FFI_DEFINE_HANDLER(execute, Execute,
                       ffi::Ffi::Bind().Ctx<ffi::State<Counter>>().Ctx<ffi::Prepared<Step>>().Ret<ffi::Buffer<ffi::S64>>());

XLA_FFI_REGISTER_TYPE(XLA_FFI_GetApi(), "counter", &Counter::id, &Counter::info);
XLA_FFI_REGISTER_TYPE(XLA_FFI_GetApi(), "step", &Step::id, &Step::info);
XLA_FFI_REGISTER_HANDLER(XLA_FFI_GetApi(), "count", "Host", (XLA_FFI_Handler_Bundle{instantiate, prepare, initialize, execute}));
