/* The indices of the largest numbers of a row, the first of equal ones first, from the largest on. A heap holds the
   largest so far, with their indices in the 31 bits below: the smallest is its root, and one comparison with
   that rules most numbers out. Parts of the row are visited far from each other, because each number of a row that rises
   would enter the heap from left to right. */

#define SELECTION static __attribute__((unused))
#ifndef LARGEST_OF
#define LARGEST_OF SELECTION
#endif
enum {
  SPAN_OF_ROW = 64,   /* numbers that are compared with the root together, as vectors */
  PART_OF_ROW = 1024, /* numbers that are visited in order */
};

SELECTION __attribute__((noinline)) void sink(int64 *held, int count, int at) {
  const int64 moved = held[at];
  for (int child; (child = 2 * at + 1) < count; at = child) {
    child += child + 1 < count && held[child + 1] < held[child];
    if (moved <= held[child]) break;
    held[at] = held[child];
  }
  held[at] = moved;
}

SELECTION inline int64 with_place(int number, int place) { return number * ((int64)1 << 31) + (0x7fffffff - place); }

/* IEEE 754's totalOrder as that of integers. */
SELECTION inline int order_of_float(float x) {
  const union {
    float number;
    int bits;
  } word = {x};
  return word.bits ^ (word.bits >> 31 & 0x7fffffff);
}

SELECTION inline int order_of_int(int x) { return x; }

SELECTION inline int order_of_unsigned(unsigned x) { return (int)(x ^ 0x80000000u); }

/* A number without a common factor with `count`, about 0.6 of it. */
SELECTION __attribute__((noinline)) int stride_of(int count) {
  for (int stride = count - count / 8 * 3;; stride++) {
    int a = count, b = stride;
    while (b) {
      const int rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1) return stride;
  }
}

/* Writes the `count` largest of `size` numbers to `held`, and returns the first. */
#define LARGEST(TYPE, NAME, ORDER) \
  LARGEST_OF __attribute__((noinline)) int64 NAME(int64 *held, const TYPE *row, int size, int count) { \
    for (int i = 0; i < count; i++) held[i] = with_place(ORDER(row[i]), i); \
    for (int i = count / 2 - 1; i >= 0; i--) sink(held, count, i); \
    const int parts = (size - count + PART_OF_ROW - 1) / PART_OF_ROW, stride = stride_of(parts); \
    for (int visited = 0, part = 0; visited < parts; visited++, part = (int)(((int64)part + stride) % parts)) { \
      const int begin = count + part * PART_OF_ROW, stop = size - begin < PART_OF_ROW ? size : begin + PART_OF_ROW; \
      for (int i = begin; i < stop;) { \
        /* A number that is equal to the root enters if it comes first. */ \
        const int64 root = (held[0] >> 31) - (0x7fffffff - (held[0] & 0x7fffffff) > i); \
        const int least = root < -0x80000000ll ? -0x7fffffff - 1 : (int)root; \
        const int end = stop - i < SPAN_OF_ROW ? stop : i + SPAN_OF_ROW; \
        int larger = stop - i < SPAN_OF_ROW || root != least; \
        if (!larger) \
          for (int j = 0; j < SPAN_OF_ROW; j++) larger |= ORDER(row[i + j]) > least; \
        for (; larger && i < end; i++) { \
          const int64 number = with_place(ORDER(row[i]), i); \
          if (number > held[0]) held[0] = number, sink(held, count, 0); \
        } \
        i = end; \
      } \
    } \
    for (int last = count - 1; last > 0; last--) { \
      const int64 smallest = held[0]; \
      held[0] = held[last]; \
      held[last] = smallest; \
      sink(held, last, 0); \
    } \
    return held[0]; \
  }
LARGEST(float, largest_float, order_of_float)
LARGEST(int, largest_int, order_of_int)
LARGEST(unsigned, largest_unsigned, order_of_unsigned)
