// Tiles of rows in a block's memory, and their products, for wide_heads.cu, attention_gradients.cu and
// attention_bias.cu.
// attention_tiles.py writes the constants before this, and the names in @.
// A warp has 16 own rows. `quad` and `place` are where a lane is in the fragments of m16n8k8 and m16n8k16; numbers of 16
// bits are multiplied as they are (NARROW is their kind), and others as TF32.
constexpr bool WARPGROUPS = HAS_WARPGROUPS && NARROW && TILE == 64;
// Rows lie in parts of 128 bytes, whose 16 bytes are exchanged as multiply_by_warpgroup asks for them.
constexpr int SIZE = NARROW ? 2 : 4, EACH = 16 / SIZE, PART = 128 / SIZE, PART_BYTES = TILE * 128;
constexpr int ONCE = NARROW ? 16 : 8;  // terms of a product of fragments
constexpr int DEPTHS = (DEPTH + ONCE - 1) / ONCE, WIDTHS = (WIDTH + ONCE - 1) / ONCE;
constexpr int DEPTH_PARTS = (DEPTH + PART - 1) / PART, WIDTH_PARTS = (WIDTH + PART - 1) / PART;
constexpr int DEPTH_BYTES = DEPTH_PARTS * PART_BYTES, STAGE = DEPTH_BYTES + WIDTH_PARTS * PART_BYTES;
constexpr int BLOCKS = TILE / 8, WARPS = TILE / 16, THREADS = 32 * WARPS * CHUNKS;
@memory@
const float infinity = __int_as_float(0x7f800000);
const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % WARPS, quad = lane / 4, place = lane % 4;
// A lane's own rows, of which it has two.
auto own_row = [&](int tile, int i) { return tile * TILE + warp * 16 + i * 8 + quad; };
@floats@
@apart@

auto place_of = [](int row, int column) {
  return column / PART * PART_BYTES + row * 128 + (column % PART / EACH ^ row % 8) * 16 + column % EACH * SIZE;
};
const Shared memory_at = shared_address(memory);
// Copies of rows, with zeros where there are none, up to a whole number of fragments. A thread copies from places that
// are known to be apart, some rows and columns. What lies IN_TILES that rounding.cu has made is copied as it is.
auto stage = [&](auto chunks, auto rows, const auto *from, auto place, int first, int numbers, int to) {
  constexpr int count = decltype(chunks)::count, most = decltype(rows)::count;
  // So many threads copy from a row that the next one's are 8 rows further, if that can be, and all threads have one.
  constexpr int divisor = count % 16 ? count & -count : 16;
  constexpr int across = divisor < THREADS / TILE ? THREADS / TILE : divisor, down = THREADS / across;
  const int first_row = threadIdx.x / across, first_chunk = threadIdx.x % across;
  if constexpr (IN_TILES) {
    constexpr int bytes = (count * EACH + PART - 1) / PART * PART_BYTES;
    copy_tile_later<bytes, THREADS>(memory_at + to, from + first / TILE * (long long)(bytes / SIZE), true);
    return;
  }
#pragma unroll
  for (int i = 0; i < (TILE + down - 1) / down; i++)
#pragma unroll
    for (int j = 0; j < (count + across - 1) / across; j++) {
      const int row = first_row + i * down, own = first + row, chunk = first_chunk + j * across, column = chunk * EACH;
      const bool is_there = (most % TILE == 0 || own < most) && column < numbers;
      const bool is_wanted = (TILE % down == 0 || row < TILE) && (count % across == 0 || chunk < count);
      copy_later(memory_at + to + place_of(row, column), from + place(own) + column, is_there, is_wanted);
    }
};
const Count<DEPTHS * ONCE / EACH> depth_chunks;
const Count<WIDTHS * ONCE / EACH> width_chunks;

// Numbers of f32 that are not IN_TILES are rounded to TF32 in memory, unless they are the sums of two.
auto round_numbers = [&](int from, int bytes) {
  for (int i = threadIdx.x; i < bytes / 16; i += THREADS) {
    float4 *const place = (float4 *)(memory + from) + i, x = *place;
    *(uint4 *)place = make_uint4(round_to_tf32(x.x), round_to_tf32(x.y), round_to_tf32(x.z), round_to_tf32(x.w));
  }
};
auto split = [&](uint x, uint *parts) {
  if (EXACT) take_apart(__uint_as_float(x), parts);
  else parts[0] = x;
};
// c = own rows times the others, of so many fragments of terms.
auto multiply = [&](auto terms, float (*c)[4], int own, int others) {
  constexpr int unrolled = NARROW ? 16 : EXACT ? 2 : 8;  // more take nvrtc seconds
#pragma unroll unrolled
  for (int t = 0; t < decltype(terms)::count; t++) {
    uint a[4], parts[4][PARTS];
    load_tiles(a, memory_at + own + place_of(warp * 16 + lane % 16, t * ONCE + lane / 16 * (ONCE / 2)));
    if (!NARROW)
      for (int i = 0; i < 4; i++) split(a[i], parts[i]);
#pragma unroll
    for (int n = 0; n < BLOCKS; n += 2) {
      uint b[4], others_parts[4][PARTS];
      const int row = n * 8 + lane / 16 * 8 + lane % 8;
      load_tiles(b, memory_at + others + place_of(row, t * ONCE + lane / 8 % 2 * (ONCE / 2)));
      if constexpr (NARROW) {
        add_product_of_narrow_tiles<NARROW>(c[n], a[0], a[1], a[2], a[3], b[0], b[1]);
        add_product_of_narrow_tiles<NARROW>(c[n + 1], a[0], a[1], a[2], a[3], b[2], b[3]);
      } else {
        for (int i = 0; i < 4; i++) split(b[i], others_parts[i]);
        add_product(c[n], parts, 0, 1, 2, 3, others_parts[0], others_parts[1]);
        add_product(c[n + 1], parts, 0, 1, 2, 3, others_parts[2], others_parts[3]);
      }
    }
  }
};
// The scores of own queries or keys and others, and the gradients of their weights.
auto multiply_tiles = [&](float (*scores)[4], float (*gradients)[4], int own, int others) {
  if constexpr (WARPGROUPS)
    multiply_memory<NARROW, DEPTHS, WIDTHS>(
        scores, memory_at + own, memory_at + others, gradients, memory_at + own + DEPTH_BYTES,
        memory_at + others + DEPTH_BYTES);
  else {
    multiply(Count<DEPTHS>(), scores, own, others);
    multiply(Count<WIDTHS>(), gradients, own + DEPTH_BYTES, others + DEPTH_BYTES);
  }
};
// c += x times the others, of some of their columns.
auto add = [&](auto columns, float (*c)[4], const float (*x)[4], int others, int begin) {
  constexpr int count = decltype(columns)::count;
  if constexpr (NARROW) {
    uint a[TILE / 16][4];
#pragma unroll
    for (int i = 0; i < TILE / 4; i++) {
      const float *const pair = &x[i / 4 * 2 + i % 4 / 2][i % 2 * 2];
      a[i / 4][i % 4] = narrow_pair<NARROW>(pair[0], pair[1]);
    }
    if constexpr (WARPGROUPS) {
      multiply_by_warpgroup<NARROW, false, count / 8, TILE / 16>(c, a, memory_at + others + begin / 64 * 8192, true);
    } else {
#pragma unroll
      for (int t = 0; t < TILE / 16; t++)
#pragma unroll
        for (int j = 0; j < count; j += 2) {
          uint b[4];
          const int column = begin + 8 * (j + lane / 16);
          load_transposed_tiles(b, memory_at + others + place_of(t * 16 + lane % 16, column));
          add_product_of_narrow_tiles<NARROW>(c[j], a[t][0], a[t][1], a[t][2], a[t][3], b[0], b[1]);
          add_product_of_narrow_tiles<NARROW>(c[j + 1], a[t][0], a[t][1], a[t][2], a[t][3], b[2], b[3]);
        }
    }
  } else {
#pragma unroll
    for (int t = 0; t < BLOCKS; t++) {
      uint a[4][PARTS];
      for (int i = 0; i < 4; i++) take_apart(x[t][i], a[i]);
#pragma unroll
      for (int j = 0; j < count; j++) {
        uint b[2][PARTS];
        for (int i = 0; i < 2; i++)
          split(*(const uint *)(memory + others + place_of(t * 8 + 2 * place + i, begin + j * 8 + quad)), b[i]);
        add_product(c[j], a, 0, 2, 1, 3, b[0], b[1]);
      }
    }
  }
};
// Stores what a lane has of so many fragments of columns, from one on, for those of its own rows that there are.
auto store = [&](
    auto columns, const float (*x)[4], int tile, int count, auto *to, auto kind, auto place_in, int begin, int most,
    long long apart, bool vector) {
#pragma unroll
  for (int i = 0; i < 2; i++) {
    const int row = own_row(tile, i);
    if (row >= count) continue;
    auto *const own = to + place_in(row);
#pragma unroll
    for (int j = 0; j < decltype(columns)::count; j++) {
      const int column = begin + 8 * j + 2 * place, left = most - column;
      if (left <= 0) continue;
      const float low = x[j][2 * i], high = x[j][2 * i + 1];
      if constexpr (sizeof *to == 2) {
        const uint both = narrow_pair<decltype(kind)::count>(low, high);
        if (vector) *(uint *)(own + column) = both;
        else {
          own[column * apart] = both;
          if (left > 1) own[(column + 1) * apart] = both >> 16;
        }
      } else if (vector) *(float2 *)(own + column) = make_float2(low, high);
      else {
        own[column * apart] = low;
        if (left > 1) own[(column + 1) * apart] = high;
      }
    }
  }
};
