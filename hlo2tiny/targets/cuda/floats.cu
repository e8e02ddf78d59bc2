// Numbers of a kind, which is 0 for f32, 1 for bf16 and 2 for f16, as f32; attention.cu and softmax.cu begin with this.
auto widen = [](int kind, unsigned short x) {
  if (kind == 1) return __uint_as_float((uint)x << 16);
  return __uint_as_float(widen_f16(x & 0x7fffu) | (x & 0x8000u) << 16);
};
auto read = [&](int kind, auto x) {
  if constexpr (sizeof x == 2) return widen(kind, x);
  else return (float)x;
};
auto round_to = [&](int kind, float x) {
  const uint whole = (uint)__float_as_int(x), sign = whole & 0x80000000u, size = whole ^ sign;
  if (kind == 1) return __uint_as_float(round_to_bf16(whole) << 16);
  if (kind == 0 || x != x) return x;
  const float normal = __uint_as_float((size + 0xfffu + (size >> 13 & 1)) & ~0x1fffu);
  const float small = (__uint_as_float(size) + 0.75f) - 0.75f;  // multiples of 2^-24
  const float y = size < 0x38800000u ? small : normal > 65504.0f ? infinity : normal;
  return __uint_as_float((uint)__float_as_int(y) | sign);
};
