// What attention.cu needs to know of each step of SPAN keys: of a tile of queries, whether it reads any score (1), and
// whether masks replace any (2); of values, whether they are all numbers (0). A block finds one byte.
// attention.py writes the constants before this, and the names in @.
const int step = blockIdx.x % STEPS, first = step * SPAN;
uint found = 0;
if (blockIdx.x < TILES_OF_MASKS * STEPS) {
  const int tile = blockIdx.x / STEPS % ROW_PARTS, batch = blockIdx.x / STEPS / ROW_PARTS;
  @mask_starts@
#pragma unroll 8
  for (int at = threadIdx.x * ADJACENT; at < TILE * SPAN; at += THREADS * ADJACENT) {
    const int row = min(tile * TILE + at / SPAN, ROWS - 1), key = min(first + at % SPAN, KEYS - ADJACENT);
    WORD kept = ONES;
    @masks@
    found |= (kept != 0) | (kept != ONES) * 2;
  }
} else {
  const int batch = (blockIdx.x - TILES_OF_MASKS * STEPS) / STEPS;
  @value_starts@
  constexpr uint infinite = KIND == 0 ? 0x7f800000 : KIND == 1 ? 0x7f807f80 : 0x7c007c00;
  constexpr uint one = KIND == 0 ? 0x800000 : KIND == 1 ? 0x800080 : 0x4000400;
#pragma unroll 8
  for (int at = threadIdx.x; at < VALUE_CHUNKS; at += THREADS) {
    const uint4 x = *(const uint4 *)(v + @value_place@);
    found |= (x.x & infinite) + one | (x.y & infinite) + one | (x.z & infinite) + one | (x.w & infinite) + one;
  }
  found &= KIND ? 0x80008000 : 0x80000000;
}
const bool any = __syncthreads_or(found & ~2u), second = __syncthreads_or(found & 2u);
if (threadIdx.x == 0) steps[blockIdx.x] = any | second << 1;
