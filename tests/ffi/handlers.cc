// Handlers for XLA's typed FFI, with all that a call may have. `jax.ffi`'s tutorial is where the first two come from.

#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <thread>

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;
using Floats = ffi::Buffer<ffi::F32>;
using FloatResult = ffi::ResultBuffer<ffi::F32>;

// ---- rms_norm, forward and backward

static ffi::Error Forward(float eps, Floats x, FloatResult y, FloatResult scales) {
  const int64_t size = x.dimensions().back(), rows = x.element_count() / size;
  for (int64_t r = 0; r < rows; r++) {
    const float *row = x.typed_data() + r * size;
    float sum = 0;
    for (int64_t i = 0; i < size; i++) sum += row[i] * row[i];
    const float scale = scales->typed_data()[r] = 1 / std::sqrt(sum / float(size) + eps);
    for (int64_t i = 0; i < size; i++) y->typed_data()[r * size + i] = row[i] * scale;
  }
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(RmsNormFwd, Forward,
                              ffi::Ffi::Bind().Attr<float>("eps").Arg<Floats>().Ret<Floats>().Ret<Floats>());

static ffi::Error Backward(Floats scales, Floats x, Floats ct_y, FloatResult ct_x) {
  const int64_t size = x.dimensions().back(), rows = x.element_count() / size;
  for (int64_t r = 0; r < rows; r++) {
    const float *row = x.typed_data() + r * size, *ct = ct_y.typed_data() + r * size, scale = scales.typed_data()[r];
    float dot = 0;
    for (int64_t i = 0; i < size; i++) dot += row[i] * ct[i];
    const float factor = dot * scale * scale * scale / float(size);
    for (int64_t i = 0; i < size; i++) ct_x->typed_data()[r * size + i] = scale * ct[i] - factor * row[i];
  }
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(RmsNormBwd, Backward,
                              ffi::Ffi::Bind().Arg<Floats>().Arg<Floats>().Arg<Floats>().Ret<Floats>());

// ---- attributes, of which a text becomes the bytes of the result

struct Pair { int32_t first; double second; };
XLA_FFI_REGISTER_STRUCT_ATTR_DECODING(Pair, ffi::StructMember<int32_t>("first"), ffi::StructMember<double>("second"));

static ffi::Error Attributes(bool flag, int8_t i8, int64_t i64, uint16_t u16, double f64, std::string_view text,
                             ffi::Span<const int32_t> numbers, ffi::Span<const float> floats, Pair pair, ffi::Dictionary outer,
                             ffi::ResultBuffer<ffi::U8> out) {
  std::stringstream s;
  s << flag << ' ' << int(i8) << ' ' << i64 << ' ' << u16 << ' ' << f64 << ' ' << text << '[';
  for (auto n : numbers) s << n << ' ';
  for (auto n : floats) s << n << ' ';
  s << ']' << pair.first << ' ' << pair.second << ' ' << outer.size() << ' ' << outer.contains("inner");
  auto inner = outer.get<ffi::Dictionary>("inner");
  if (inner.has_error()) return inner.error();
  auto deep = inner->get<int64_t>("deep");
  if (deep.has_error()) return deep.error();
  s << ' ' << *deep;
  std::string found = s.str();
  std::memset(out->typed_data(), 0, out->element_count());
  std::memcpy(out->typed_data(), found.data(), std::min(found.size(), size_t(out->element_count())));
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(AttributesAsText, Attributes,
                              ffi::Ffi::Bind()
                                  .Attr<bool>("flag").Attr<int8_t>("i8").Attr<int64_t>("i64").Attr<uint16_t>("u16")
                                  .Attr<double>("f64").Attr<std::string_view>("text")
                                  .Attr<ffi::Span<const int32_t>>("numbers").Attr<ffi::Span<const float>>("floats")
                                  .Attr<Pair>("pair").Attr<ffi::Dictionary>("outer").Ret<ffi::Buffer<ffi::U8>>());

// ---- buffers of any type, and as many as there are: each is described in four numbers of the last result

static ffi::Error Describe(ffi::RemainingArgs args, ffi::RemainingRets rets) {
  auto out = rets.get<ffi::Buffer<ffi::S64>>(rets.size() - 1);
  if (out.has_error()) return out.error();
  int64_t *at = (*out)->typed_data();
  for (size_t i = 0; i < args.size(); i++) {
    auto buffer = args.get<ffi::AnyBuffer>(i);
    if (buffer.has_error()) return buffer.error();
    *at++ = int64_t(buffer->element_type()), *at++ = int64_t(buffer->dimensions().size());
    *at++ = int64_t(buffer->size_bytes());
    uint64_t sum = 0;
    for (size_t b = 0; b < buffer->size_bytes(); b++) sum += static_cast<uint8_t *>(buffer->untyped_data())[b] * (b + 1);
    *at++ = int64_t(sum);
    if (i + 1 < rets.size()) {
      auto copy = rets.get<ffi::AnyBuffer>(i);
      if (copy.has_error()) return copy.error();
      std::memcpy((*copy)->untyped_data(), buffer->untyped_data(), buffer->size_bytes());
    }
  }
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(DescribeBuffers, Describe, ffi::Ffi::Bind().RemainingArgs().RemainingRets());

// ---- in place: the operand's memory is the result's

static ffi::Error AddOne(Floats x, FloatResult y) {
  if (x.untyped_data() != y->untyped_data()) return ffi::Error::Internal("not in place");
  for (size_t i = 0; i < y->element_count(); i++) y->typed_data()[i] += 1;
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(AddOneInPlace, AddOne, ffi::Ffi::Bind().Arg<Floats>().Ret<Floats>());

// ---- truth values that are not 0 or 1

static ffi::Error Odd(ffi::Buffer<ffi::S32> x, ffi::ResultBuffer<ffi::PRED> y) {
  for (size_t i = 0; i < y->element_count(); i++)
    reinterpret_cast<uint8_t *>(y->typed_data())[i] = uint8_t(x.typed_data()[i] & 1 ? 2 * i + 4 : 0);
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(IsOdd, Odd, ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::S32>>().Ret<ffi::Buffer<ffi::PRED>>());

// ---- side effects

static std::atomic<int64_t> noted{0};
static ffi::Error NoteSum(Floats x) {
  for (size_t i = 0; i < x.element_count(); i++) noted += int64_t(x.typed_data()[i]);
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(Note, NoteSum, ffi::Ffi::Bind().Arg<Floats>());
extern "C" int64_t take_noted() { return noted.exchange(0); }

// ---- errors

static ffi::Error Fail(int32_t code, std::string_view message, FloatResult) {
  return ffi::Error(ffi::ErrorCode(code), std::string(message));
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(FailAlways, Fail,
                              ffi::Ffi::Bind().Attr<int32_t>("code").Attr<std::string_view>("message").Ret<Floats>());

static ffi::Error FailNegative(Floats x, FloatResult y) {
  for (size_t i = 0; i < x.element_count(); i++)
    if (x.typed_data()[i] < 0) return ffi::Error::InvalidArgument("number " + std::to_string(i) + " is negative");
  std::memcpy(y->untyped_data(), x.untyped_data(), x.size_bytes());
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(FailIfNegative, FailNegative, ffi::Ffi::Bind().Arg<Floats>().Ret<Floats>());

// ---- what comes later, and from threads

static ffi::Future Later(Floats x, FloatResult y, bool fails) {
  ffi::Promise promise;
  ffi::Future future(promise);
  std::thread([=]() mutable {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (size_t i = 0; i < x.element_count(); i++) y->typed_data()[i] = 2 * x.typed_data()[i];
    if (fails)
      promise.SetError(ffi::Error::Internal("it failed later"));
    else
      promise.SetAvailable();
  }).detach();
  return future;
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(DoubleLater, Later, ffi::Ffi::Bind().Arg<Floats>().Ret<Floats>().Attr<bool>("fails"));

static ffi::Future Pool(ffi::ThreadPool pool, ffi::ScratchAllocator scratch, int32_t device, ffi::RunId, Floats x,
                        FloatResult y) {
  auto memory = scratch.Allocate(x.size_bytes(), 256);
  ffi::Promise promise;
  if (!memory || reinterpret_cast<uintptr_t>(*memory) % 256 || pool.num_threads() < 1 || device) {
    promise.SetError(ffi::Error::Internal("the context is wrong"));
    return ffi::Future(promise);
  }
  auto *const doubled = static_cast<float *>(*memory);
  for (size_t i = 0; i < x.element_count(); i++) doubled[i] = 2 * x.typed_data()[i];
  std::memcpy(y->untyped_data(), doubled, x.size_bytes());
  ffi::CountDownPromise count(int64_t(x.element_count()));
  ffi::Future future(count);
  for (size_t i = 0; i < x.element_count(); i++)
    pool.Schedule([=]() mutable {
      y->typed_data()[i] += 1;
      count.CountDown();
    });
  return future;
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(InThreads, Pool,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>().Ctx<ffi::ScratchAllocator>().Ctx<ffi::DeviceOrdinal>()
                                  .Ctx<ffi::RunId>().Arg<Floats>().Ret<Floats>());

// Wait for somebody in Python, who could not act if this held its lock; for a minute at most.
static std::atomic<int> waiting{0}, released{0};
extern "C" int count_waiting() { return waiting; }
extern "C" void release() { released = 1; }
static ffi::Error Wait(FloatResult y) {
  waiting++;
  for (int turn = 0; turn < 60000 && !released; turn++) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  y->typed_data()[0] = float(released);
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(WaitForRelease, Wait, ffi::Ffi::Bind().Ret<Floats>());

static ffi::Error Stream(void *stream, FloatResult y) {
  for (size_t i = 0; i < y->element_count(); i++) y->typed_data()[i] = stream ? 0 : 7;
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(NeedsStream, Stream, ffi::Ffi::Bind().Ctx<ffi::PlatformStream<void *>>().Ret<Floats>());

// ---- other versions of the interface

extern "C" XLA_FFI_Error *OfTheFuture(XLA_FFI_CallFrame *frame) {
  auto *extension = reinterpret_cast<XLA_FFI_Metadata_Extension *>(frame->extension_start);
  if (extension) extension->metadata->api_version.minor_version = 99;
  return nullptr;
}
