// Combine numbers with elements that other threads change too: the result is the same in any order. Functions that
// kernels call return false.
//
// Threads that change the same element wait for each other. So those of a block combine what belongs to one element in
// the block's memory first, in a table, which has a place for each element if it is not `keyed`. If it is, an element may
// have one of WAYS places there, and what finds these taken by other elements is combined with the element at once.
//
// Numbers that may be combined again (extremes and bits, not sums) need no such places: a keyed table has those that
// were combined last, each with its element's number, and what changes nothing after these is left out. So threads wait
// neither for the table nor for an element's old number, which those of a warp would read one after the other.
namespace at_once {
typedef unsigned long long Long;
const int WAYS = 4;

// The types by which the table and CUDA's functions know an integer.
template <class T, int size = sizeof(T), bool is_signed = ((T)-1 < (T)0)> struct Known { typedef unsigned Word; };
template <class T, int size> struct Known<T, size, true> { typedef int Word; };
template <class T> struct Known<T, 8, false> { typedef Long Word; };
template <class T> struct Known<T, 8, true> { typedef long long Word; };
template <class T> using Word = typename Known<T>::Word;

// `change` reads an element first: nothing is to be done if it stays as it is. An element is computed with as Element.
#define AT_ONCE(name, nothing_, combined, function) \
  struct name { \
    template <class T> using Element = T; \
    static const bool repeats = true; \
    template <class T> static __device__ __forceinline__ T nothing() { return nothing_; } \
    template <class T> static __device__ __forceinline__ T of(T a, T b) { return combined; } \
    template <class T> static __device__ __forceinline__ void change(T *place, T value) { \
      const T old = *(volatile T *)place; \
      if (of(old, value) != old) function(place, value); \
    } \
    template <class T> static __device__ __forceinline__ void set(T *place, T value) { function(place, value); } \
  };
template <class T> __device__ __forceinline__ constexpr T extreme(bool largest) {
  return (T)-1 > (T)0 ? (largest ? (T)-1 : (T)0) : (T)(((Long)1 << (8 * sizeof(T) - 1)) - largest);
}
AT_ONCE(Largest, extreme<T>(false), a < b ? b : a, atomicMax)
AT_ONCE(Smallest, extreme<T>(true), b < a ? b : a, atomicMin)
AT_ONCE(All, (T)-1, a & b, atomicAnd)
AT_ONCE(Any, (T)0, a | b, atomicOr)
struct Sum {
  template <class T> using Element = T;
  static const bool repeats = false;
  template <class T> static __device__ __forceinline__ T nothing() { return 0; }
  template <class T> static __device__ __forceinline__ T of(T a, T b) { return (T)((Long)a + (Long)b); }
  static __device__ __forceinline__ void change(int *place, int value) { atomicAdd((unsigned *)place, (unsigned)value); }
  static __device__ __forceinline__ void change(unsigned *place, unsigned value) { atomicAdd(place, value); }
  static __device__ __forceinline__ void change(long long *place, long long value) { atomicAdd((Long *)place, (Long)value); }
  static __device__ __forceinline__ void change(Long *place, Long value) { atomicAdd(place, value); }
  template <class T> static __device__ __forceinline__ void set(T *place, T value) { change(place, value); }
};

// Floats of so many bits, whose infinity is given, as these bits. Those of one sign are ordered as integers are. NaN is
// the extreme, but no NaN of an element is replaced; one that replaces a number is the same for all, with a sign by which
// no number that another thread combines, having read the element before, replaces it.
template <int size> struct Bits { typedef unsigned short Type; };
template <> struct Bits<4> { typedef unsigned Type; };
template <> struct Bits<8> { typedef Long Type; };
template <bool largest, int bits, Long infinity> struct OfFloats {
  template <class T> using Element = typename Bits<sizeof(T)>::Type;
  static const bool repeats = true;
  static const Long sign = (Long)1 << (bits - 1), nan = infinity | (infinity & -infinity) >> 1 | (largest ? 0 : sign);
  template <class T> static __device__ __forceinline__ T nothing() { return (T)(infinity | (largest ? sign : 0)); }
  template <class T> static __device__ __forceinline__ bool is_nan(T x) { return (x & (T)(sign - 1)) > (T)infinity; }
  template <class T> static __device__ __forceinline__ bool is_smaller(T a, T b) {
    return a & (T)sign ? !(b & (T)sign) || b < a : !(b & (T)sign) && a < b;
  }
  template <class T> static __device__ __forceinline__ T of(T a, T b) {
    if (is_nan(a)) return a;
    if (is_nan(b)) return (T)nan;
    return (largest ? is_smaller(a, b) : is_smaller(b, a)) ? b : a;
  }
  template <class W> static __device__ __forceinline__ void change(W *place, W value) {
    typedef typename Known<W, sizeof(W), true>::Word Signed;
    W old = *(volatile W *)place, found;
    if constexpr (bits < 32) {  // a word whose sign is another
      for (W fresh; (fresh = of(old, value)) != old; old = found) {
        if ((found = atomicCAS(place, old, fresh)) == old) return;
      }
    } else {
      if (of(old, value) == old) return;
      if (is_nan(value)) value = (W)nan;
      if (value & (W)sign) largest ? atomicMin(place, value) : atomicMax(place, value);
      else largest ? atomicMax((Signed *)place, (Signed)value) : atomicMin((Signed *)place, (Signed)value);
    }
  }
  template <class W> static __device__ __forceinline__ void set(W *place, W value) { change(place, value); }
};
template <int bits, Long infinity> using LargestFloat = OfFloats<true, bits, infinity>;
template <int bits, Long infinity> using SmallestFloat = OfFloats<false, bits, infinity>;

// In a block's memory, where GPUs have no sum of 64 bits.
template <class Op, class W> __device__ __forceinline__ void change_in_table(Op, W *place, W value) {
  Op::change(place, value);
}
template <class W> __device__ __forceinline__ void change_in_table(Sum, W *place, W value) {
  unsigned *words = (unsigned *)place;
  const unsigned low = value, old = atomicAdd(words, low);
  if constexpr (sizeof(W) == 8) {
    const unsigned high = ((Long)value >> 32) + (old + low < low);
    if (high) atomicAdd(words + 1, high);
  }
}

// An element of fewer than 32 bits is changed with its neighbours. One that is not `read` first is changed in any case.
template <class Op, bool read = true, class T> __device__ __forceinline__ void change_element(T *place, Word<T> value) {
  if constexpr (sizeof(T) >= 4) {
    if constexpr (read) Op::change((Word<T> *)place, value);
    else Op::set((Word<T> *)place, value);
  } else {
    const unsigned first = ((size_t)place & 3) * 8, mask = (1u << 8 * sizeof(T)) - 1;
    unsigned *word = (unsigned *)((size_t)place & ~(size_t)3), old = *(volatile unsigned *)word, found;
    for (;;) {
      const T own = (T)(old >> first & mask), fresh = Op::template of<T>(own, (T)value);
      if (fresh == own) return;
      const unsigned bits = (unsigned)fresh & mask;
      if ((found = atomicCAS(word, old, (old & ~(mask << first)) | bits << first)) == old) return;
      old = found;
    }
  }
}

template <class Op, class T> using Value = Word<typename Op::template Element<T>>;

template <class Op, class T> __device__ __forceinline__ auto *as_elements(T *place) {
  return (typename Op::template Element<T> *)place;
}

template <class Op, class T> __device__ __forceinline__ bool combine(T *place, Value<Op, T> value, bool inside) {
  if (inside) change_element<Op>(as_elements<Op>(place), value);
  return false;
}

template <class Op, class T, bool keyed, int size> struct Table {
  static const bool has_recent = keyed && Op::repeats, has_values = !has_recent;
  int keys[keyed && has_values ? size : 1];
  Value<Op, T> values[has_values ? size : 1];
  Long recent[has_recent && sizeof(Value<Op, T>) == 4 ? size : 1];  // an element's number, and below it one for the element
};

template <class Op, class T, bool keyed, int size> __device__ __forceinline__ Table<Op, T, keyed, size> &table_of_block() {
  __shared__ Table<Op, T, keyed, size> table;
  return table;
}

// A kernel may number the threads of a block along several dimensions.
template <class Function> __device__ __forceinline__ void for_each_entry(int size, Function function) {
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  for (int i = thread; i < size; i += blockDim.x * blockDim.y * blockDim.z) function(i);
}

template <class Op, bool keyed, int size, class T> __device__ __forceinline__ bool begin(T *) {
  auto &table = table_of_block<Op, T, keyed, size>();
  for_each_entry(size, [&](int i) {
    if constexpr (keyed && Op::repeats) {
      if (sizeof(Value<Op, T>) == 4) table.recent[i] = ~(Long)0;
    } else {
      if (keyed) table.keys[i] = -1;
      table.values[i] = Op::template nothing<typename Op::template Element<T>>();
    }
  });
  return false;
}

template <class Op, class T> __device__ __forceinline__ bool is_nothing(Value<Op, T> value) {
  return value == (Value<Op, T>)Op::template nothing<typename Op::template Element<T>>();
}

// `first` is the first of all elements.
template <class Op, bool keyed, int size, class T>
__device__ __forceinline__ bool take(T *first, T *place, Value<Op, T> value, bool inside) {
  auto &table = table_of_block<Op, T, keyed, size>();
  if (!inside || is_nothing<Op, T>(value)) return false;
  const int key = place - first;
  auto *element = as_elements<Op>(place);
  const unsigned spread = (unsigned)key * 2654435769u;  // numbers that a step divides lie apart
  if constexpr (!keyed) {
    change_in_table(Op(), table.values + key, value);
  } else if constexpr (Op::repeats && sizeof(Value<Op, T>) == 4) {
    volatile Long *recent = table.recent + spread / (unsigned)(((Long)1 << 32) / size);
    const Long found = *recent;
    const Value<Op, T> old = (Value<Op, T>)(unsigned)found;
    if ((int)(found >> 32) == key && Op::template of<Value<Op, T>>(old, value) == old) return false;
    *recent = (Long)key << 32 | (unsigned)value;
    change_element<Op, false>(element, value);
  } else if constexpr (Op::repeats) {
    change_element<Op>(element, value);
  } else {
    const int begin = spread / (unsigned)(((Long)WAYS << 32) / size) * WAYS;
    for (int i = begin; i < begin + WAYS; i++) {
      int found = *(volatile int *)(table.keys + i);
      if (found == -1) found = atomicCAS(table.keys + i, -1, key);
      if (found == -1 || found == key) {
        change_in_table(Op(), table.values + i, value);
        return false;
      }
    }
    change_element<Op>(element, value);
  }
  return false;
}

template <class Op, bool keyed, int size, class T> __device__ __forceinline__ bool finish(T *first) {
  auto &table = table_of_block<Op, T, keyed, size>();
  if constexpr (keyed && Op::repeats) return false;
  for_each_entry(size, [&](int i) {
    const int key = keyed ? table.keys[i] : i;
    const Value<Op, T> value = table.values[i];
    if (key >= 0 && !is_nothing<Op, T>(value)) change_element<Op>(as_elements<Op>(first + key), value);
  });
  return false;
}
}  // namespace at_once
