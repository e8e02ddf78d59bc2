// Adds up what blocks of attention_gradients.cu with shares of the others have found.
// attention_gradients.py writes the constants before this, and the names in @.
const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, line = i / COLUMNS;
if (i >= COUNT) return;
const int column = i % COLUMNS, row = line % ROWS, batch = line / ROWS;
float sum = 0;
#pragma unroll
for (int s = 0; s < SHARES; s++) sum += parts[s * COUNT + i];
auto *const to = out + @place@;
if constexpr (sizeof *to == 2) *to = (unsigned short)narrow_pair<KIND>(sum, 0);
else *to = sum;
