constexpr int PARTS = EXACT ? 2 : 1;
// A number as one of TF32, or, to be exact, as the sum of two.
auto take_apart = [](float x, uint *parts) {
  parts[0] = round_to_tf32(x);
  if (EXACT) {
    const float rest = x - __uint_as_float(parts[0]);
    parts[PARTS - 1] = round_to_tf32(rest == rest ? rest : 0.0f);
  }
};
auto add_product = [](float *c, const uint (*a)[PARTS], int a0, int a1, int a2, int a3, const uint *b0, const uint *b1) {
  if (EXACT) {
    add_product_of_tiles(c, a[a0][PARTS - 1], a[a1][PARTS - 1], a[a2][PARTS - 1], a[a3][PARTS - 1], b0[0], b1[0]);
    add_product_of_tiles(c, a[a0][0], a[a1][0], a[a2][0], a[a3][0], b0[PARTS - 1], b1[PARTS - 1]);
  }
  add_product_of_tiles(c, a[a0][0], a[a1][0], a[a2][0], a[a3][0], b0[0], b1[0]);
};
auto power = [](float x) { return EXACT ? expf(x) : NARROW ? narrow_exp(x) : __expf(x); };
