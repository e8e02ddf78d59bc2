// Tridiagonal systems; tridiagonal.py writes the kernels that call these functions.
namespace matrices {
// Some rows of columns in shared memory, where those of a row are neighbours, so that threads can have a column each.
template <class T, int threads, int rows, int columns> struct Tile {
  static constexpr int step = columns | 1, size = rows * step;
  T *first;
  T &at(int i, int j) const { return first[i * step + j]; }
  // Reads or writes the first `count` rows of `used` columns, several numbers at once; `column` has the address of each.
  template <class F> void read(int count, int used, F column) const {
    constexpr int few = 8;
    for (int begin = threadIdx.x; begin < rows * used; begin += few * threads) {
      T x[few];
#pragma unroll
      for (int q = 0; q < few; q++)
        if (const int number = begin + q * threads, i = number % rows; number < rows * used && i < count)
          x[q] = column(number / rows)[i];
#pragma unroll
      for (int q = 0; q < few; q++)
        if (const int number = begin + q * threads, i = number % rows; number < rows * used && i < count)
          at(i, number / rows) = x[q];
    }
  }
  template <class F> void write(int count, int used, F column) const {
#pragma unroll 4
    for (int number = threadIdx.x; number < rows * used; number += threads)
      if (const int i = number % rows; i < count) column(number / rows)[i] = at(i, number / rows);
  }
};
// Rows of a tile that a thread reads before it computes.
constexpr int AT_ONCE = 4;

// Eliminates the numbers below the diagonal of tridiagonal matrices, as LAPACK's gtsv does: of two rows, the one whose
// number is larger stays. U replaces the three diagonals, its second one above the diagonal `lower`; what the rows below
// were multiplied by and whether the rows were exchanged are in `factors`. Functions have the addresses of a matrix, and
// say whether its systems are already solved.
template <int threads, int n, int rows, int systems, class T, class L, class M, class U, class F, class I, class S>
void gttrf(T *shared, int count, L lower, M middle, U upper, F factors, I infos, S solved) {
  typedef matrices::Tile<T, threads, rows, systems> Tile;
  constexpr int few = AT_ONCE;
  const Tile dl{shared}, d{dl.first + Tile::size}, du{d.first + Tile::size}, by{du.first + Tile::size};
  const Tile exchanged{by.first + Tile::size};
  const int s = threadIdx.x;
  bool all = true;
  for (int s = 0; s < count; s++) all &= solved(s);
  if (all) return;
  T pivot(0), right(0);
  int info = 0;
  if (s < count) pivot = middle(s)[0], right = upper(s)[0];
  for (int begin = 0; begin < n; begin += rows) {
    // A row of the tile has the number below row k of the matrix, and those of row k + 1.
    const int left = n - begin < rows ? n - begin : rows, next = n - 1 - begin < rows ? n - 1 - begin : rows;
    dl.read(next, count, [&](int s) { return lower(s) + begin; });
    d.read(next, count, [&](int s) { return middle(s) + begin + 1; });
    du.read(next, count, [&](int s) { return upper(s) + begin + 1; });
    __syncthreads();
    for (int first = 0; s < count && first < left; first += few) {
      T below[few], diagonal[few], above[few];
#pragma unroll
      for (int q = 0; q < few; q++)
        below[q] = dl.at(first + q, s), diagonal[q] = d.at(first + q, s), above[q] = du.at(first + q, s);
#pragma unroll
      for (int q = 0; q < few; q++) {
        const int i = first + q, k = begin + i;
        if (k >= n) break;
        const bool swaps = k < n - 1 && !(sum_of_halves(pivot) >= sum_of_halves(below[q]));
        const T large = swaps ? below[q] : pivot;
        if (!info && real(large) == 0 && imag(large) == 0) info = k + 1;
        const bool goes_on = k < n - 1 && !info, is_long = goes_on && k < n - 2, exchanges = goes_on && swaps;
        const T factor = goes_on ? divide(swaps ? pivot : below[q], large) : T(0);
        const T kept = exchanges ? diagonal[q] : right, other = exchanges ? right : diagonal[q];
        dl.at(i, s) = !is_long ? below[q] : swaps ? above[q] : T(0);
        d.at(i, s) = exchanges ? below[q] : pivot;
        du.at(i, s) = kept;
        by.at(i, s) = factor, exchanged.at(i, s) = T(exchanges);
        pivot = goes_on ? subtract_product(other, factor, kept) : diagonal[q];
        right = is_long && swaps ? negative(product(factor, above[q])) : above[q];
      }
    }
    __syncthreads();
    dl.write(next, count, [&](int s) { return lower(s) + begin; });
    d.write(left, count, [&](int s) { return middle(s) + begin; });
    du.write(left, count, [&](int s) { return upper(s) + begin; });
    by.write(left, count, [&](int s) { return factors(s) + begin; });
    exchanged.write(left, count, [&](int s) { return factors(s) + n + begin; });
    __syncthreads();
  }
  if (s < count && !solved(s)) *infos(s) = info;
}

// Solves the systems of `count` such matrices for `used` columns, `columns` for each matrix; a singular matrix's rows
// remain as they are where the elimination ended. `x` has the address of a column.
template <
    int threads, int n, int rows, int systems, int columns, class T, class L, class M, class U, class F, class I, class S,
    class X>
void gttrs(T *shared, int count, L lower, M middle, U upper, F factors, I infos, S solved, int used, X x) {
  typedef matrices::Tile<T, threads, rows, systems> Tile;
  typedef matrices::Tile<T, threads, rows, systems * columns> Right;
  constexpr int few = AT_ONCE;
  const Right b{shared};
  const Tile dl{b.first + Right::size}, d{dl.first + Tile::size}, du{d.first + Tile::size};
  const int j = threadIdx.x, s = j / columns;
  bool all = true;
  for (int s = 0; s < count; s++) all &= solved(s);
  if (all) return;
  const int info = j >= used ? 0 : solved(s) ? 1 : *infos(s), end = info ? info - 1 : n - 1;
  T value(0), before(0);
  if (j < used) value = x(j)[0];
  for (int begin = 0; begin < n; begin += rows) {
    const int left = n - begin < rows ? n - begin : rows, next = n - 1 - begin < rows ? n - 1 - begin : rows;
    dl.read(next, count, [&](int s) { return factors(s) + begin; });
    d.read(next, count, [&](int s) { return factors(s) + n + begin; });
    b.read(next, used, [&](int j) { return x(j) + begin + 1; });
    __syncthreads();
    for (int first = 0; j < used && first < left; first += few) {
      T below[few], factor[few], exchanged[few];
#pragma unroll
      for (int q = 0; q < few; q++)
        below[q] = b.at(first + q, j), factor[q] = dl.at(first + q, s), exchanged[q] = d.at(first + q, s);
#pragma unroll
      for (int q = 0; q < few; q++) {
        const int k = begin + first + q;
        if (k >= n) break;
        const bool exchanges = k < end && real(exchanged[q]) != 0;
        const T kept = exchanges ? below[q] : value, other = exchanges ? value : below[q];
        b.at(first + q, j) = kept;
        value = k < end ? subtract_product(other, factor[q], kept) : other;
      }
    }
    __syncthreads();
    if (n > rows) b.write(left, used, [&](int j) { return x(j) + begin; });
    __syncthreads();
  }
  for (int begin = (n - 1) / rows * rows; begin >= 0; begin -= rows) {
    const int left = n - begin < rows ? n - begin : rows, next = n - 1 - begin < rows ? n - 1 - begin : rows;
    dl.read(next, count, [&](int s) { return lower(s) + begin; });
    d.read(left, count, [&](int s) { return middle(s) + begin; });
    du.read(next, count, [&](int s) { return upper(s) + begin; });
    if (begin + rows < n) b.read(left, used, [&](int j) { return x(j) + begin; });
    __syncthreads();
    for (int last = (left - 1) / few * few; j < used && !info && last >= 0; last -= few) {
      T right[few], second[few], above[few], pivot[few];
#pragma unroll
      for (int q = 0; q < few; q++) {
        const int i = last + q;
        right[q] = b.at(i, j), second[q] = dl.at(i, s), above[q] = du.at(i, s), pivot[q] = d.at(i, s);
      }
#pragma unroll
      for (int q = few - 1; q >= 0; q--) {
        const int k = begin + last + q;
        if (k >= n) continue;
        T sum = right[q];
        if (k < n - 1) sum = subtract_product(sum, above[q], value);
        if (k < n - 2) sum = subtract_product(sum, second[q], before);
        before = value;
        b.at(last + q, j) = value = divide(sum, pivot[q]);
      }
    }
    __syncthreads();
    b.write(left, used, [&](int j) { return x(j) + begin; });
    __syncthreads();
  }
}

// Long tridiagonal systems in chunks of rows, each of which a thread eliminates by rotations, so that it needs no pivots of
// other chunks. What it leaves is a link: two equations of the unknowns p and q before and at its first row and u and v at
// and after its last one; a row of them has their coefficients and the right side.
template <class R> bool is_safe(R pivot) { return pivot > 1000 * epsilon<R>() && pivot < 1000; }
template <class T> T over(T a, Real<T> by) { return whole<T>(real(a) / by, imag(a) / by); }

// Two rows turned so that the second one has a zero at a place, and the first one the number that is returned.
template <int at, int size, class T> Real<T> rotate(T (&x)[size], T (&y)[size]) {
  const Real<T> norm = sqrt(square(x[at]) + square(y[at]));
  if (norm == 0) return 0;
  const T c = over(x[at], norm), s = over(y[at], norm);
#pragma unroll
  for (int i = 0; i < size; i++) {
    const T first = add_product(product(conjugate(c), x[i]), conjugate(s), y[i]);
    y[i] = subtract_product(product(c, y[i]), s, x[i]);
    x[i] = first;
  }
  x[at] = T(norm), y[at] = T(0);
  return norm;
}

// A chunk's link, and the equation of each of its unknowns but the last one, which are `step` apart in `kept`. Whether no
// pivot is near zero: else the elimination of the whole matrix has to say whether it is singular.
template <int n, class T>
bool shorten(const T *lower, const T *middle, const T *upper, const T *b, int begin, int end, T *link, T *kept, int step) {
  auto read = [&](int k, T (&row)[6]) {
    T numbers[4] = {k ? lower[k - 1] : T(0), middle[k], k < n - 1 ? upper[k] : T(0), b[k]};
    const Real<T> most = larger(larger(larger_half(numbers[0]), larger_half(numbers[1])), larger_half(numbers[2]));
    const Real<T> by = most > 0 && is_finite(most) ? scalbn((Real<T>)1, -ilogb(most)) : 1;
    row[0] = row[1] = T(0);
#pragma unroll
    for (int i = 0; i < 4; i++) row[i + 2] = scale(numbers[i], by);
  };
  T x[6] = {T(0), T(1), T(-1), T(0), T(0), T(0)}, y[6], z[6], next[6];
  read(begin, z);
  const T first[6] = {z[2], T(0), z[3], z[4], T(0), z[5]};
#pragma unroll
  for (int i = 0; i < 6; i++) y[i] = first[i];
  bool safe = true;
  if (begin + 1 < end) read(begin + 1, next);
#pragma unroll 1
  for (int k = begin + 1; k < end; k++) {
#pragma unroll
    for (int i = 0; i < 6; i++) z[i] = next[i];
    if (k + 1 < end) read(k + 1, next);
    rotate<2>(x, y);
    safe &= is_safe(rotate<2>(x, z));
#pragma unroll
    for (int i = 0; i < 6; i++) kept[((k - begin - 1) * 6 + i) * step] = x[i];
    auto shift = [](const T (&from)[6], T (&to)[6]) {
      to[0] = from[0], to[1] = from[1], to[2] = from[3], to[3] = from[4], to[4] = T(0), to[5] = from[5];
    };
    shift(y, x);
    shift(z, y);
  }
#pragma unroll
  for (int i = 0; i < 5; i++) link[i] = x[i + i / 4], link[i + 5] = y[i + i / 4];
  return safe;
}

// A link of two that follow each other, and the equations of the unknowns between them.
template <class T> bool join(T (&link)[2][5], const T *next, T *kept) {
  T x[4][7];
#pragma unroll
  for (int i = 0; i < 2; i++) {
    const T first[7] = {link[i][2], link[i][3], link[i][0], link[i][1], T(0), T(0), link[i][4]};
    const T second[7] = {next[5 * i], next[5 * i + 1], T(0), T(0), next[5 * i + 2], next[5 * i + 3], next[5 * i + 4]};
#pragma unroll
    for (int l = 0; l < 7; l++) x[i][l] = first[l], x[i + 2][l] = second[l];
  }
  rotate<0>(x[0], x[1]);
  rotate<0>(x[2], x[3]);
  const bool safe = is_safe(rotate<0>(x[0], x[2]));
  rotate<1>(x[1], x[2]);
  const Real<T> pivot = rotate<1>(x[1], x[3]);
#pragma unroll
  for (int l = 0; l < 7; l++) kept[l] = x[0][l], kept[l + 7] = x[1][l];
#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int l = 0; l < 5; l++) link[i][l] = x[i + 2][l + 2];
  return safe && is_safe(pivot);
}

// The unknowns between two joined links, from those before and after both.
template <class T> void part(const T *kept, const T *before, const T *after, T *between) {
  auto solve = [&](const T *row) {
    T sum = subtract_product(subtract_product(row[6], row[2], before[0]), row[3], before[1]);
    return subtract_product(subtract_product(sum, row[4], after[0]), row[5], after[1]);
  };
  const T v = over(solve(kept + 7), real(kept[8]));
  between[0] = over(subtract_product(solve(kept), kept[1], v), real(kept[0])), between[1] = v;
}

// The unknowns before and at the beginning of each chunk, by a warp, each lane of which joins some links; then one joins
// theirs. Whether no pivot is near zero.
template <int chunks, class T> bool join_all(const T *links, T *joins, T *tops, T *bounds, const int *safes) {
  constexpr int each = (chunks + 31) / 32, lanes = (chunks + each - 1) / each;
  const int lane = threadIdx.x, begin = lane * each, end = begin + each < chunks ? begin + each : chunks;
  T link[2][5];
  auto load = [&](const T *from) {
#pragma unroll
    for (int i = 0; i < 10; i++) link[i / 5][i % 5] = from[i];
  };
  bool safe = true;
  if (lane < lanes) {
    load(links + begin * 10);
    for (int c = begin; c < end; c++) safe &= safes[c] != 0;
    for (int c = begin + 1; c < end; c++) safe &= join(link, links + c * 10, joins + c * 14);
#pragma unroll
    for (int i = 0; i < 10; i++) tops[lane * 24 + i] = link[i / 5][i % 5];
  }
  __syncthreads();
  if (!lane) {
    load(tops);
    for (int l = 1; l < lanes; l++) safe &= join(link, tops + l * 24, tops + l * 24 + 10);
    T x[3] = {link[0][1], link[0][2], link[0][4]}, y[3] = {link[1][1], link[1][2], link[1][4]};  // p and v are none
    const Real<T> pivot = rotate<0>(x, y);
    safe &= is_safe(pivot) && is_safe(length(y[1]));
    T *const last = bounds + 2 * chunks;
    last[0] = divide(y[2], y[1]), last[1] = T(0);
    bounds[0] = T(0), bounds[1] = over(subtract_product(x[2], x[1], last[0]), pivot);
    for (int l = lanes - 1; l > 0; l--)
      part(tops + l * 24 + 10, bounds, l + 1 < lanes ? bounds + 2 * (l + 1) * each : last, bounds + 2 * l * each);
  }
  __syncthreads();
  if (lane < lanes)
    for (int c = end - 1; c > begin; c--) part(joins + c * 14, bounds + 2 * begin, bounds + 2 * c + 2, bounds + 2 * c);
  return combine_lanes<All, 32>((int)safe);
}

// A chunk's unknowns, from those at its ends.
template <class T> void extend(const T *kept, int step, const T *bounds, int begin, int end, T *x) {
  T next = bounds[2], after = bounds[3];
  x[end - 1] = next;
#pragma unroll 4
  for (int k = end - 1; k > begin; k--) {
    const T *const row = kept + (k - begin - 1) * 6 * step;
    T sum = subtract_product(subtract_product(row[5 * step], row[0], bounds[0]), row[step], bounds[1]);
    sum = subtract_product(subtract_product(sum, row[4 * step], after), row[3 * step], next);
    after = next;
    x[k - 1] = next = over(sum, real(row[2 * step]));
  }
}

// What eigen.py's function of this name does with a tridiagonal system, in a thread; x has `columns` numbers in a row.
template <int n, int columns, class T> void solve_perturbed(const T *below, const T *middle, const T *above, T *upper, T *x) {
  typedef Real<T> R;
  auto is_zero = [](T a) { return real(a) == 0 && imag(a) == 0; };
  auto total = [](const T (&row)[3]) { return length(row[0]) + length(row[1]) + length(row[2]); };
  auto most = [](const T (&row)[3]) { return larger(larger(length(row[0]), length(row[1])), length(row[2])); };
  auto minus_product = [](T a, T b, T c) { return add(a, negative(product(b, c))); };  // rounded twice, as numpy does
  T pivot[3] = {n ? middle[0] : T(0), n > 1 ? above[0] : T(0), T(0)};
  R scale = total(pivot), largest = most(pivot);
  for (int k = 1; k < n; k++) {
    const T row[3] = {below[k], middle[k], k < n - 1 ? above[k] : T(0)};
    const R own = total(row), size = length(pivot[0]);
    const bool apart = is_zero(row[0]), exchanged = !apart && length(row[0]) / own > (size == 0 ? 0 : size / scale);
    T first[3], second[3];
#pragma unroll
    for (int i = 0; i < 3; i++) {
      first[i] = exchanged ? row[i] : pivot[i], second[i] = exchanged ? pivot[i] : row[i];
      upper[3 * (k - 1) + i] = first[i];
    }
    const T factor = divide(second[0], is_zero(first[0]) ? T(1) : first[0]);
    pivot[0] = apart ? row[1] : minus_product(second[1], factor, first[1]);
    pivot[1] = exchanged ? negative(product(factor, row[2])) : row[2], pivot[2] = T(0);
    for (int j = 0; j < columns; j++) {
      T *const a = x + (k - 1) * columns + j, *const b = a + columns;
      const T one = exchanged ? *b : *a, two = exchanged ? *a : *b;
      *a = one, *b = apart ? two : minus_product(two, factor, one);
    }
    scale = exchanged ? length(pivot[0]) + length(pivot[1]) : own;
    if (k < n - 1) largest = larger(largest, most(first));
  }
  largest = larger(largest, length(pivot[0]));
  const R tiny = sizeof(R) == 4 ? (R)1.17549435e-38 : (R)2.2250738585072014e-308;
  for (int k = n - 1; k >= 0; k--) {
    R high = 0;
    for (int j = 0; j < columns; j++) {
      T sum = x[k * columns + j];
      if (k < n - 1) sum = minus_product(sum, upper[3 * k + 1], x[(k + 1) * columns + j]);
      if (k < n - 2) sum = minus_product(sum, upper[3 * k + 2], x[(k + 2) * columns + j]);
      x[k * columns + j] = sum, high = larger(high, length(sum));
    }
    T by = k < n - 1 ? upper[3 * k] : pivot[0];
    R step = larger(epsilon<R>() * largest, tiny), size;
    if (signbit(real(by))) step = -step;
    for (; size = length(by), size < 1 && (size == 0 || high * tiny > size); step *= 2) by = add(by, T(step));
    const bool is_tiny = size < tiny;
    by = divide(T(1), is_tiny ? over(by, tiny) : by);
    for (int j = 0; j < columns; j++) {
      T *const a = x + k * columns + j;
      *a = product(is_tiny ? over(*a, tiny) : *a, by);
    }
  }
}
}  // namespace matrices
