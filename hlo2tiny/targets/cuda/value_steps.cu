// What attention.cu needs to know of the values of each step of SPAN keys: whether they are not all numbers. A block
// finds one byte. attention.py writes the constants before this, and the names in @.
const int first = blockIdx.x % STEPS * SPAN, batch = blockIdx.x / STEPS;
@starts@
constexpr uint infinite = KIND == 0 ? 0x7f800000 : KIND == 1 ? 0x7f807f80 : 0x7c007c00;
constexpr uint one = KIND == 0 ? 0x800000 : KIND == 1 ? 0x800080 : 0x4000400;
uint found = 0;
#pragma unroll 8
for (int at = threadIdx.x; at < CHUNKS; at += THREADS) {
  const uint4 x = *(const uint4 *)(v + @place@);
  found |= (x.x & infinite) + one | (x.y & infinite) + one | (x.z & infinite) + one | (x.w & infinite) + one;
}
const bool any = __syncthreads_or(found & (KIND ? 0x80008000 : 0x80000000));
if (threadIdx.x == 0) steps[blockIdx.x] = any;
