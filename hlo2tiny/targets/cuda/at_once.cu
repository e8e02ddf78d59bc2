// Combine an integer with an element that other threads change too: the result is the same in any order. What these
// functions return is false.
namespace at_once {
#define AT_ONCE(name, function, type, as) \
  __device__ __forceinline__ bool name(type *place, type value, bool inside) { \
    if (inside) function((as *)place, (as)value); \
    return false; \
  }
#define AT_ONCE_OF_ALL(name, function, int32, int64) \
  AT_ONCE(name, function, int, int32) \
  AT_ONCE(name, function, unsigned, unsigned) \
  AT_ONCE(name, function, long, int64) \
  AT_ONCE(name, function, unsigned long, unsigned long long)
AT_ONCE_OF_ALL(add, atomicAdd, unsigned, unsigned long long)
AT_ONCE_OF_ALL(largest, atomicMax, int, long long)
AT_ONCE_OF_ALL(smallest, atomicMin, int, long long)
}  // namespace at_once
