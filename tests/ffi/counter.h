// A state that handlers count with, and how many states there are.

#include <atomic>
#include <memory>

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

static std::atomic<int> alive{0};

struct Counter {
  static ffi::TypeId id;
  static ffi::TypeInfo info;
  explicit Counter(int64_t first) : next(first) { alive++; }
  ~Counter() { alive--; }
  std::atomic<int64_t> next;
};
ffi::TypeId Counter::id = {};
ffi::TypeInfo Counter::info = ffi::MakeTypeInfo<Counter>();
