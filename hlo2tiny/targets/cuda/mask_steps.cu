// What attention.cu needs to know of each step of SPAN keys of a tile of queries: whether it reads any score (1), and
// whether masks replace any (2). A block finds one byte.
// attention.py writes the constants before this, and the names in @.
const int first = blockIdx.x % STEPS * SPAN, tile = blockIdx.x / STEPS % ROW_PARTS;
const int batch = blockIdx.x / STEPS / ROW_PARTS;
@starts@
bool reads = false, replaces = false;
#pragma unroll 8
for (int at = threadIdx.x * ADJACENT; at < TILE * SPAN; at += THREADS * ADJACENT) {
  const int row = min(tile * TILE + at / SPAN, ROWS - 1), key = min(first + at % SPAN, KEYS - ADJACENT);
  WORD kept = ONES;
  @masks@
  reads |= kept != 0, replaces |= kept != ONES;
}
const bool any = __syncthreads_or(reads), some = __syncthreads_or(replaces);
if (threadIdx.x == 0) steps[blockIdx.x] = any | some << 1;
