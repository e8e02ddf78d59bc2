// Numbers of a kind, which is 0 for f32, 1 for bf16 and 2 for f16, as f32; attention.cu and softmax.cu begin with this.
auto widen = [](int kind, unsigned short x) { return kind == 1 ? widened<1>(x) : widened<2>(x); };
auto read = [&](int kind, auto x) {
  if constexpr (sizeof x == 2) return widen(kind, x);
  else return (float)x;
};
auto round_to = [&](int kind, float x) {
  return kind == 0 ? x : kind == 1 ? __uint_as_float(narrow_pair<1>(0, x)) : widened<2>(narrow_pair<2>(x, 0) & 0xffff);
};
