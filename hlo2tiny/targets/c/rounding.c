/* The square root and the whole part of a number, for processors that have no instructions for them and no math
   library. Both are exact, so the results are those of other processors. Printed once for each type. */
MAYBE_UNUSED static T TRUNC(T x) {
  union {
    T number;
    BITS bits;
  } w = {x};
  const BITS one = 1;
  const int bias = (1 << (WIDTH - FRACTION - 2)) - 1;
  const int exponent = (int)(w.bits >> FRACTION & (BITS)(2 * bias + 1)) - bias;
  if (exponent < 0)
    w.bits &= one << (WIDTH - 1);
  else if (exponent < FRACTION)
    w.bits &= ~((one << (FRACTION - exponent)) - 1);
  return w.number;
}

/* Finds one bit of the root after the other: those of the result, and one more to round by. */
MAYBE_UNUSED static T SQRT(T x) {
  union {
    T number;
    BITS bits;
  } w = {x};
  const BITS one = 1;
  const int bias = (1 << (WIDTH - FRACTION - 2)) - 1;
  if (!(x > 0) || w.bits >> FRACTION == (BITS)(2 * bias + 1)) return x < 0 ? __builtin_nanf("") : x;
  int exponent = (int)(w.bits >> FRACTION);
  BITS left = w.bits & ((one << FRACTION) - 1), root = 0, rest = 0;
  if (exponent)
    left |= one << FRACTION;
  else
    exponent = 1;
  for (; !(left >> FRACTION); exponent--) left <<= 1;
  exponent -= bias;
  left <<= WIDTH - FRACTION - 2 + (exponent & 1);
  for (int i = 0; i < FRACTION + 2; i++, left <<= 2) {
    rest = rest << 2 | left >> (WIDTH - 2);
    const BITS trial = root << 2 | 1;
    const int fits = rest >= trial;
    root = root << 1 | (BITS)fits;
    if (fits) rest -= trial;
  }
  w.bits = ((BITS)((exponent >> 1) + bias - 1) << FRACTION) + ((root + 1) >> 1);
  return w.number;
}
