// LAPACK's functions for one small matrix, by the threads of a block. matrices.py writes the kernels that call them.
// Matrices are views: of columns in memory, of their transpose, or of either with conjugated numbers. All threads call
// each function with equal sizes, and see in shared memory, or through their processor's cache in global memory, what
// the others have written before a barrier. Sums have one order, so that results do not depend on the run.
namespace matrices {
template <class R> struct Complex {
  R x, y;
  Complex() = default;
  Complex(R real, R imag = 0) : x(real), y(imag) {}
};
template <class T> struct RealOf { typedef T type; };
template <class R> struct RealOf<Complex<R>> { typedef R type; };
template <class T> using Real = typename RealOf<T>::type;

inline float fused(float a, float b, float c) { return fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return fma(a, b, c); }
template <class R> R magnitude(R a) { return a < 0 ? -a : a; }
template <class R> R larger(R a, R b) { return a < b ? b : a; }
template <class R> R epsilon() { return sizeof(R) == 4 ? (R)1.1920929e-7 : (R)2.220446049250313e-16; }

template <class R> R real(R a) { return a; }
template <class R> R real(Complex<R> a) { return a.x; }
template <class R> R imag(R) { return 0; }
template <class R> R imag(Complex<R> a) { return a.y; }
// The number with these halves.
template <class T> T whole(Real<T> real, Real<T> imag) {
  T made = T(real);
  if constexpr (sizeof(T) > sizeof(real)) made.y = imag;
  return made;
}
template <class R> R conjugate(R a) { return a; }
template <class R> Complex<R> conjugate(Complex<R> a) { return {a.x, -a.y}; }
template <class R> R scale(R a, R by) { return a * by; }
template <class R> Complex<R> scale(Complex<R> a, R by) { return {a.x * by, a.y * by}; }
template <class R> R add(R a, R b) { return a + b; }
template <class R> Complex<R> add(Complex<R> a, Complex<R> b) { return {a.x + b.x, a.y + b.y}; }
// a + b·c
template <class R> R add_product(R a, R b, R c) { return fused(b, c, a); }
template <class R> Complex<R> add_product(Complex<R> a, Complex<R> b, Complex<R> c) {
  return {fused(b.x, c.x, fused(-b.y, c.y, a.x)), fused(b.x, c.y, fused(b.y, c.x, a.y))};
}
template <class T> T negative(T a) { return scale(a, (Real<T>)-1); }
template <class R> R product(R a, R b) { return a * b; }
template <class R> Complex<R> product(Complex<R> a, Complex<R> b) { return add_product(Complex<R>(0), a, b); }
template <class T> T subtract_product(T a, T b, T c) { return add_product(a, negative(b), c); }
template <class R> R divide(R a, R b) { return a / b; }
template <class R> Complex<R> divide(Complex<R> a, Complex<R> b) {  // by the larger half, so that no square overflows
  if (magnitude(b.x) >= magnitude(b.y)) {
    const R ratio = b.x == 0 ? b.y : b.y / b.x, by = b.x + b.y * ratio;
    return {(a.x + a.y * ratio) / by, (a.y - a.x * ratio) / by};
  }
  const R ratio = b.x / b.y, by = b.x * ratio + b.y;
  return {(a.x * ratio + a.y) / by, (a.y * ratio - a.x) / by};
}
template <class T> Real<T> square(T a) { return fused(real(a), real(a), imag(a) * imag(a)); }
template <class T> Real<T> sum_of_halves(T a) { return magnitude(real(a)) + magnitude(imag(a)); }
template <class T> Real<T> larger_half(T a) { return larger(magnitude(real(a)), magnitude(imag(a))); }
template <class T> bool is_finite(T a) { return isfinite(real(a)) && isfinite(imag(a)); }
template <class T> Real<T> length(T a) {
  const Real<T> most = larger_half(a);
  return imag(a) == 0 || most == 0 ? most : most * sqrt(square(divide(a, T(most))));
}

template <class R> R sum_of_warp(R a) { return combine_lanes<Sum, 32>(a); }
template <class R> Complex<R> sum_of_warp(Complex<R> a) { return {sum_of_warp(a.x), sum_of_warp(a.y)}; }
// The number that another lane of a group of `width` has.
template <int width, class R> R from_lane(R a, int lane) { return __shfl_sync(~0u, a, lane, width); }
template <int width, class R> Complex<R> from_lane(Complex<R> a, int lane) {
  return {from_lane<width>(a.x, lane), from_lane<width>(a.y, lane)};
}

template <class T, int row, int column, bool conjugated = false> struct View {
  typedef T Number;
  T *first;
  T get(int i, int j) const {
    const T value = first[i * row + j * column];
    return conjugated ? conjugate(value) : value;
  }
  void set(int i, int j, T value) const { first[i * row + j * column] = conjugated ? conjugate(value) : value; }
};

// Threads in groups of neighbours, one group for each column that is processed at the same time.
template <int threads, int size> struct Groups {
  static constexpr int width = size > 16 ? 32 : size > 8 ? 16 : 8, count = threads / width;
  const int lane = threadIdx.x % width, number = threadIdx.x / width;
};

template <int threads, int m, int n, class A, class B> void copy(A from, B to) {
  const Groups<threads, m> group;
  for (int j = group.number; j < n; j += group.count)
    for (int i = group.lane; i < m; i += group.width) to.set(i, j, from.get(i, j));
  __syncthreads();
}

// The Cholesky factor below and on the diagonal, and LAPACK's info.
template <int threads, int n, class A> int potrf(A a) {
  typedef typename A::Number T;
  static_assert(n <= threads);
  const Groups<threads, n> group;
  for (int j = 0; j < n; j++) {
    const Real<T> pivot = real(a.get(j, j));
    if (!(pivot > 0)) return j + 1;
    const Real<T> root = sqrt(pivot);
    if (const int i = j + 1 + threadIdx.x; i < n) a.set(i, j, divide(a.get(i, j), T(root)));
    __syncthreads();
    if (!threadIdx.x) a.set(j, j, T(root));
    for (int k = j + 1 + group.number; k < n; k += group.count) {
      const T by = conjugate(a.get(k, j));
      for (int i = k + group.lane; i < n; i += group.width) a.set(i, k, subtract_product(a.get(i, k), a.get(i, j), by));
    }
    __syncthreads();
  }
  return 0;
}

// LU factors, the rows counted from 1 that rows were exchanged with, and LAPACK's info.
template <int threads, int m, int n, class A> int getrf(A a, int *pivots) {
  typedef typename A::Number T;
  static_assert(m <= threads && n <= threads);
  __shared__ int chosen;
  __shared__ Real<T> halves[2];
  const Groups<threads, m> group;
  int info = 0;
  for (int j = 0; j < (m < n ? m : n); j++) {
    if (threadIdx.x < 32) {
      Real<T> most = -1;
      int at = m;
      for (int i = j + threadIdx.x; i < m; i += 32) {
        const Real<T> x = sum_of_halves(a.get(i, j));
        if (x > most) most = x, at = i;
      }
      for (int step = 16; step; step /= 2) {  // the first of the largest
        const Real<T> other = __shfl_xor_sync(~0u, most, step);
        const int there = __shfl_xor_sync(~0u, at, step);
        if (other > most || (other == most && there < at)) most = other, at = there;
      }
      if (!threadIdx.x) {
        chosen = at < m ? at : j;
        pivots[j] = chosen + 1;
        const T x = a.get(chosen, j);
        halves[0] = real(x), halves[1] = imag(x);
      }
    }
    __syncthreads();
    const int pivot = chosen;
    const T by = whole<T>(halves[0], halves[1]);
    const bool is_zero = real(by) == 0 && imag(by) == 0;
    if (is_zero && !info) info = j + 1;
    if (!is_zero) {
      if (const int k = threadIdx.x; pivot != j && k < n && k != j) {
        const T x = a.get(j, k);
        a.set(j, k, a.get(pivot, k));
        a.set(pivot, k, x);
      }
      if (const int i = j + 1 + threadIdx.x; i < m) {
        const T x = i == pivot ? a.get(j, j) : a.get(i, j);
        a.set(i, j, divide(x, by));
        if (i == pivot) a.set(j, j, by);
      }
    }
    __syncthreads();
    for (int k = j + 1 + group.number; k < n; k += group.count) {
      const T x = a.get(j, k);
      for (int i = j + 1 + group.lane; i < m; i += group.width)
        a.set(i, k, subtract_product(a.get(i, k), a.get(i, j), x));
    }
    __syncthreads();
  }
  return info;
}

// X in A·X = B, overwriting B, whose `count` columns are at most `columns`; A is lower triangular if solving begins with
// its first row. A group has a few columns of B in registers, each lane some rows of them.
template <int threads, int n, int columns, bool forward, bool unit, class A, class B> void trsm(A a, B b, int count) {
  typedef typename A::Number T;
  typedef Groups<threads, n> Group;
  const Group group;
  constexpr int width = Group::width, own = (n + width - 1) / width, most = (columns + Group::count - 1) / Group::count;
  constexpr int room = own <= 4 ? 4 : own <= 8 ? 2 : 1, few = most < room ? most : room;
  auto row_of = [](int l) { return forward ? l : n - 1 - l; };
  for (int begin = group.number; begin < count + group.number; begin += few * Group::count) {
    T x[few][own];
#pragma unroll
    for (int at = 0; at < few * own; at++) {
      const int j = begin + at / own * Group::count, l = at % own * width + group.lane;
      x[at / own][at % own] = j < count && l < n ? b.get(row_of(l), j) : T(0);
    }
#pragma unroll
    for (int q = 0; q < own; q++)
#pragma unroll 2
      for (int k = q * width; k < (q + 1 < own ? (q + 1) * width : n); k++) {
        const int row = row_of(k);
        T by[few];
#pragma unroll
        for (int c = 0; c < few; c++) by[c] = from_lane<width>(x[c][q], k % width);
        if (!unit) {  // one quotient for each lane
          T quotient = by[0];
#pragma unroll
          for (int c = 1; c < few; c++)
            if (group.lane == c) quotient = by[c];
          quotient = divide(quotient, a.get(row, row));
#pragma unroll
          for (int c = 0; c < few; c++) by[c] = from_lane<width>(quotient, c);
        }
#pragma unroll
        for (int c = 0; c < few; c++)
          if (group.lane == k % width) x[c][q] = by[c];
#pragma unroll
        for (int at = q * few; at < few * own; at++) {
          const int l = at / few * width + group.lane;
          T *const y = &x[at % few][at / few];
          if (l > k && l < n) *y = subtract_product(*y, a.get(row_of(l), row), by[at % few]);
        }
      }
#pragma unroll
    for (int at = 0; at < few * own; at++) {
      const int j = begin + at / own * Group::count, l = at % own * width + group.lane;
      if (j < count && l < n) b.set(row_of(l), j, x[at / own][at % own]);
    }
  }
}

// Columns in a warp's registers, of which each lane has every 32nd row, without their part along a reflector: c -=
// f·v·(vᴴ·c). v is in column k of A below the diagonal, with 1 on it.
template <int m, int few, int own, class A>
void reflect(typename A::Number (&x)[few][own], A a, int k, typename A::Number factor) {
  typedef typename A::Number T;
  const int lane = threadIdx.x % 32;
  T v[own], sums[few];
#pragma unroll
  for (int c = 0; c < few; c++) sums[c] = T(0);
#pragma unroll
  for (int q = 0; q < own; q++)
    if (k < (q + 1) * 32) {
      const int i = q * 32 + lane;
      v[q] = i > k && i < m ? a.get(i, k) : T(i == k);
    }
#pragma unroll
  for (int q = 0; q < own; q++)
    if (k < (q + 1) * 32)
#pragma unroll
      for (int c = 0; c < few; c++) sums[c] = add_product(sums[c], conjugate(v[q]), x[c][q]);
#pragma unroll
  for (int step = 16; step; step /= 2)
#pragma unroll
    for (int c = 0; c < few; c++) sums[c] = add(sums[c], from_lane<32>(sums[c], lane ^ step));
#pragma unroll
  for (int c = 0; c < few; c++) sums[c] = product(factor, sums[c]);
#pragma unroll
  for (int q = 0; q < own; q++)
    if (k < (q + 1) * 32 && k <= q * 32 + lane)
#pragma unroll
      for (int c = 0; c < few; c++) x[c][q] = subtract_product(x[c][q], v[q], sums[c]);
}

// The same for the reflectors from `first` to `end`, in order if their product is `transposed`, and the columns of C
// from `begin` to `limit` whose distance is `step`, by a warp, which reads and writes each of them once.
template <int m, bool transposed, bool one = false, class A, class C>
void reflect(A a, const typename A::Number *taus, int first, int end, C c, int begin, int limit, int step) {
  typedef typename A::Number T;
  constexpr int own = (m + 31) / 32, bytes = own * sizeof(T), few = one ? 1 : bytes <= 16 ? 4 : bytes <= 64 ? 2 : 1;
  const int lane = threadIdx.x % 32;
#pragma unroll 1
  for (; begin < limit; begin += few * step) {
    T x[few][own];
#pragma unroll
    for (int at = 0; at < few * own; at++) {
      const int i = at % own * 32 + lane, j = begin + at / own * step;
      x[at / own][at % own] = i < m && j < limit ? c.get(i, j) : T(0);
    }
#pragma unroll 1
    for (int l = first; l < end; l++) {
      const int k = transposed ? l : first + end - 1 - l;
      reflect<m>(x, a, k, transposed ? conjugate(taus[k]) : taus[k]);
    }
#pragma unroll
    for (int at = 0; at < few * own; at++) {
      const int i = at % own * 32 + lane, j = begin + at / own * step;
      if (i < m && j < limit) c.set(i, j, x[at / own][at % own]);
    }
  }
  __syncwarp();
}

// The reflector that leaves one number of column k from the diagonal on, by a warp.
template <int m, class A> void larfg(A a, int k, typename A::Number *taus) {
  typedef typename A::Number T;
  typedef Real<T> R;
  const int lane = threadIdx.x % 32;
  constexpr int own = (m + 31) / 32;  // rows of a lane
  const T alpha = a.get(k, k);
  R most = 0, below = 0;
#pragma unroll own
  for (int i = k + 1 + lane; i < m; i += 32) {
    const T x = a.get(i, k);
    most = larger(most, larger_half(x));
    below = real(x) != 0 || imag(x) != 0 || below != 0;
  }
  most = larger(combine_lanes<Largest, 32>(most), larger_half(alpha));
  below = combine_lanes<Largest, 32>(below);
  T tau(0);
  if (below != 0 || imag(alpha) != 0) {
    R sum = 0;
#pragma unroll own
    for (int i = k + lane; i < m; i += 32) sum += square(divide(a.get(i, k), T(most)));
    const R norm = most * sqrt(combine_lanes<Sum, 32>(sum)), beta = real(alpha) < 0 ? norm : -norm;
    tau = whole<T>((beta - real(alpha)) / beta, -imag(alpha) / beta);
    const T by = add(alpha, T(-beta));
#pragma unroll own
    for (int i = k + 1 + lane; i < m; i += 32) a.set(i, k, divide(a.get(i, k), by));
    __syncwarp();
    if (!lane) a.set(k, k, T(beta));
  }
  if (!lane) taus[k] = tau;
}

// A warp has every so many columns, and makes the reflectors of these. Those of a panel, one for each warp, are applied
// to the columns after it together.
template <int threads, int m, int n, class A> void geqrf(A a, typename A::Number *taus) {
  constexpr int warps = threads / 32, count = m < n ? m : n;
  const int warp = threadIdx.x / 32;
  for (int first = 0; first < count; first += warps) {
    const int after = first + warps, end = after < count ? after : count, own = first + warp;
    for (int k = first; k < end; k++) {
      if (k == own) larfg<m>(a, k, taus);
      __syncthreads();
      if (k < own) reflect<m, true, true>(a, taus, k, k + 1, a, own, after < n ? after : n, warps);
    }
    reflect<m, true>(a, taus, first, end, a, after + warp, n, warps);
  }
}

// The first n columns of the product of k reflectors, overwriting these: the last panel of them first.
template <int threads, int m, int n, int k, class A> void orgqr(A a, const typename A::Number *taus) {
  typedef typename A::Number T;
  constexpr int warps = threads / 32, own = (m + 31) / 32;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int j = k + warp; j < n; j += warps)
    for (int i = lane; i < m; i += 32) a.set(i, j, T(i == j));
  for (int first = (k - 1) / warps * warps; first >= 0; first -= warps) {
    const int end = first + warps < k ? first + warps : k, j = first + warp;
    reflect<m, false>(a, taus, first, end, a, end + warp, n, warps);
    T x[1][own];
    if (j < end) {
      const T tau = taus[j];
#pragma unroll
      for (int q = 0; q < own; q++) {
        const int i = q * 32 + lane;
        x[0][q] = i == j ? add(T(1), negative(tau)) : i > j && i < m ? negative(product(tau, a.get(i, j))) : T(0);
      }
#pragma unroll 1
      for (int r = j - 1; r >= first; r--) reflect<m>(x, a, r, taus[r]);
    }
    __syncthreads();  // all warps have read the panel's reflectors
#pragma unroll
    for (int q = 0; q < own; q++)
      if (const int i = q * 32 + lane; j < end && i < m) a.set(i, j, x[0][q]);
  }
}

// Columns of C times the product of k reflectors, or its conjugate transpose. A warp has columns of its own.
template <int threads, int m, int k, bool transposed, class A, class C>
void ormqr(A a, const typename A::Number *taus, C c, int count) {
  reflect<m, transposed>(a, taus, 0, k, c, threadIdx.x / 32, count, threads / 32);
}

// A power of two by which numbers up to `most` are not far from 1.
template <class R> R scale_of(R most) {
  const R step = 65536, limit = sizeof(R) == 4 ? (R)1e30 : (R)1e280;
  R result = 1;
  while (most * result > step) result /= step;
  while (most * result * step < 1 && result < limit && most > 0) result *= step;
  return result;
}

// c and g of the unitary J = [[c, g], [-ḡ, c]] that makes Jᴴ·[[p, x], [x̄, q]]·J diagonal: p - t and q + t.
template <class T> struct Rotation {
  Real<T> c, t;
  T g;
  Rotation(Real<T> cosine, Real<T> change, T part) : c(cosine), t(change), g(part) {}
  Rotation(Real<T> p, Real<T> q, T x, Real<T> size) {
    const Real<T> theta = (q - p) / (2 * size), root = sqrt(theta * theta + 1);
    const Real<T> tangent = theta < 0 ? -1 / (root - theta) : 1 / (root + theta);
    c = 1 / sqrt(tangent * tangent + 1);
    t = tangent * size;
    g = scale(divide(x, T(size)), tangent * c);
  }
  void turn(T &x, T &y) const {
    const T first = add_product(scale(x, c), negative(conjugate(g)), y);
    y = add_product(scale(y, c), g, x);
    x = first;
  }
  template <class V> void turn(V v, int i, int p, int q) const {
    T x = v.get(i, p), y = v.get(i, q);
    turn(x, y);
    v.set(i, p, x), v.set(i, q, y);
  }
};

// The columns of pair `i` in one of `size - 1` rounds (of an even size), in which each pair meets once.
inline void pair_of(int i, int round, int size, int &p, int &q) {
  const int a = i ? (round + i) % (size - 1) : size - 1, b = (round - i + size - 1) % (size - 1);
  p = a < b ? a : b, q = a < b ? b : a;
}
constexpr int SWEEPS = 40;

// The index of each of n numbers in sorted order; equal ones keep their order.
template <int threads, int n, bool descending, class R> void order(const R *values, int *places) {
  for (int i = threadIdx.x; i < n; i += threads) {
    int place = 0;
#pragma unroll 4
    for (int j = 0; j < n; j++) {
      const bool before = descending ? values[j] > values[i] : values[j] < values[i];
      place += before || (values[j] == values[i] && j < i);
    }
    places[i] = place;
  }
  __syncthreads();
}

template <int threads, int n, class A> void unit(A a) {
  typedef typename A::Number T;
  const Groups<threads, n> group;
  for (int j = group.number; j < n; j += group.count)
    for (int i = group.lane; i < n; i += group.width) a.set(i, j, T(i == j));
}

// Eigenvalues in ascending order, and eigenvectors, of the Hermitian matrix below the diagonal of `from`: by Jacobi's
// method in `a` and `v`, all pairs of a round at once.
template <int threads, int n, bool vectors, class F, class A, class V, class Out>
int syevd(F from, A a, V v, Out out, Real<typename A::Number> *values) {
  typedef typename A::Number T;
  typedef Real<T> R;
  constexpr int size = n + n % 2, half = size / 2;
  static_assert(half <= threads);
  __shared__ R cosines[half], changes[half], parts[half][2], diagonal[n];
  __shared__ int places[n];
  const Groups<threads, n> group;
  R most = 0;
  int finite = 1;
  for (int j = group.number; j < n; j += group.count)
    for (int i = j + group.lane; i < n; i += group.width) {
      const T x = i == j ? T(real(from.get(i, j))) : from.get(i, j);
      most = larger(most, larger_half(x)), finite &= is_finite(x);
    }
  most = combine_lanes<Largest, threads>(most);
  finite = combine_lanes<All, threads>(finite);
  if (!finite) {
    const R nan = NAN;
    for (int i = threadIdx.x; i < n; i += threads) values[i] = nan;
    if (vectors)
      for (int j = group.number; j < n; j += group.count)
        for (int i = group.lane; i < n; i += group.width) out.set(i, j, T(nan));
    return 0;
  }
  const R by = scale_of(most), limit = most * by * epsilon<R>() / 8;
  for (int j = group.number; j < n; j += group.count)
    for (int i = j + group.lane; i < n; i += group.width) {
      const T x = scale(i == j ? T(real(from.get(i, j))) : from.get(i, j), by);
      a.set(i, j, x);
      a.set(j, i, conjugate(x));
    }
  if (vectors) unit<threads, n>(v);
  __syncthreads();
  int goes_on = n > 1;
  for (int sweep = 0; goes_on && sweep < SWEEPS; sweep++) {
    goes_on = 0;
    for (int round = 0; round < size - 1; round++) {
      if (const int i = threadIdx.x; i < half) {
        int p, q;
        pair_of(i, round, size, p, q);
        cosines[i] = 1, changes[i] = parts[i][0] = parts[i][1] = 0;
        const T x = q < n ? a.get(p, q) : T(0);
        const R length = matrices::length(x);
        if (!(length <= limit)) {
          const Rotation<T> rotation(real(a.get(p, p)), real(a.get(q, q)), x, length);
          cosines[i] = rotation.c, changes[i] = rotation.t;
          parts[i][0] = real(rotation.g), parts[i][1] = imag(rotation.g);
          goes_on = 1;
        }
      }
      __syncthreads();
      auto rotation_of = [&](int i) { return Rotation<T>(cosines[i], changes[i], whole<T>(parts[i][0], parts[i][1])); };
      for (int number = threadIdx.x; number < half * half; number += threads) {
        const int i = number % half, j = number / half;
        if (i > j || (cosines[i] == 1 && cosines[j] == 1 && changes[i] == 0 && changes[j] == 0)) continue;
        const Rotation<T> left = rotation_of(i), right = rotation_of(j);
        int rows[2], columns[2];
        pair_of(i, round, size, rows[0], rows[1]);
        pair_of(j, round, size, columns[0], columns[1]);
        if (i == j) {
          const int p = rows[0], q = rows[1];
          a.set(p, p, T(real(a.get(p, p)) - left.t)), a.set(q, q, T(real(a.get(q, q)) + left.t));
          a.set(p, q, T(0)), a.set(q, p, T(0));
          continue;
        }
        T x[2][2];
        for (int r = 0; r < 2; r++)
          for (int c = 0; c < 2; c++) x[r][c] = rows[r] < n && columns[c] < n ? a.get(rows[r], columns[c]) : T(0);
        for (int r = 0; r < 2; r++) right.turn(x[r][0], x[r][1]);
        for (int c = 0; c < 2; c++) {
          x[0][c] = conjugate(x[0][c]), x[1][c] = conjugate(x[1][c]);
          left.turn(x[0][c], x[1][c]);
        }
        for (int r = 0; r < 2; r++)
          for (int c = 0; c < 2; c++)
            if (rows[r] < n && columns[c] < n) {
              a.set(rows[r], columns[c], conjugate(x[r][c]));
              a.set(columns[c], rows[r], x[r][c]);
            }
      }
      if (vectors)
        for (int j = group.number; j < half; j += group.count) {
          if (changes[j] == 0) continue;
          const Rotation<T> rotation = rotation_of(j);
          int p, q;
          pair_of(j, round, size, p, q);
          for (int i = group.lane; i < n; i += group.width) rotation.turn(v, i, p, q);
        }
      __syncthreads();
    }
    goes_on = combine_lanes<Any, threads>(goes_on);
  }
  for (int i = threadIdx.x; i < n; i += threads) diagonal[i] = real(a.get(i, i));
  __syncthreads();
  order<threads, n, false>(diagonal, places);
  for (int i = threadIdx.x; i < n; i += threads) values[places[i]] = diagonal[i] / by;
  if (vectors)
    for (int j = group.number; j < n; j += group.count)
      for (int i = group.lane; i < n; i += group.width) out.set(i, places[j], v.get(i, j));
  return goes_on;
}

// Columns from `first` to `end` that are orthogonal to those before them: what is left of a unit vector.
template <int threads, int m, class U> void complete(U u, int first, int end) {
  typedef typename U::Number T;
  typedef Real<T> R;
  __shared__ R parts[2][2][m];  // a column and its products with those before it, in halves
  auto get = [](R (&from)[2][m], int i) { return whole<T>(from[0][i], from[1][i]); };
  auto set = [](R (&to)[2][m], int i, T x) { to[0][i] = real(x), to[1][i] = imag(x); };
  for (int j = first; j < end; j++) {
    R least = 2;
    int row = m;
#pragma unroll 1
    for (int i = threadIdx.x; i < m; i += threads) {
      R sum = 0;
      for (int l = 0; l < j; l++) sum += square(u.get(i, l));
      if (sum < least) least = sum, row = i;
    }
    const R smallest = -combine_lanes<Largest, threads>(-least);
    row = -combine_lanes<Largest, threads>(least == smallest ? -row : -m);
    for (int i = threadIdx.x; i < m; i += threads) set(parts[0], i, T(i == row));
    __syncthreads();
#pragma unroll 1
    for (int again = 0; again < 2; again++) {
      for (int l = threadIdx.x / 32; l < j; l += threads / 32) {
        T sum(0);
        for (int i = threadIdx.x % 32; i < m; i += 32) sum = add_product(sum, conjugate(u.get(i, l)), get(parts[0], i));
        sum = sum_of_warp(sum);
        if (threadIdx.x % 32 == 0) set(parts[1], l, sum);
      }
      __syncthreads();
      R own = 0;
#pragma unroll 1
      for (int i = threadIdx.x; i < m; i += threads) {
        T x = get(parts[0], i);
        for (int l = 0; l < j; l++) x = subtract_product(x, u.get(i, l), get(parts[1], l));
        set(parts[0], i, x);
        own += square(x);
      }
      const R norm = sqrt(combine_lanes<Sum, threads>(own));
      for (int i = threadIdx.x; i < m; i += threads) set(parts[0], i, scale(get(parts[0], i), 1 / norm));
      __syncthreads();
    }
    for (int i = threadIdx.x; i < m; i += threads) u.set(i, j, get(parts[0], i));
    __syncthreads();
  }
}

// Singular values in descending order, and vectors, of `from` with m rows and no more columns: by Jacobi's method on its
// columns in `a`, each pair of a round by a warp. U has `count` columns.
template <int threads, int m, int n, int count, bool vectors, class F, class A, class V, class U, class W>
int gesvd(F from, A a, V v, U u, W w, Real<typename A::Number> *values) {
  typedef typename A::Number T;
  typedef Real<T> R;
  constexpr int size = n + n % 2;
  __shared__ R norms[n];
  __shared__ int places[n];
  const Groups<threads, m> group;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  R most = 0;
  for (int j = group.number; j < n; j += group.count)
    for (int i = group.lane; i < m; i += group.width) most = larger(most, larger_half(from.get(i, j)));
  const R by = scale_of(combine_lanes<Largest, threads>(most));
  const R limit = epsilon<R>() * sqrt((R)m), none = sizeof(R) == 4 ? (R)1e-30 : (R)1e-290;
  for (int j = group.number; j < n; j += group.count)
    for (int i = group.lane; i < m; i += group.width) a.set(i, j, scale(from.get(i, j), by));
  if (vectors) unit<threads, n>(v);
  __syncthreads();
  int goes_on = n > 1;
  for (int sweep = 0; goes_on && sweep < SWEEPS; sweep++) {
    goes_on = 0;
    for (int round = 0; round < size - 1; round++) {
      for (int number = warp; number < size / 2; number += threads / 32) {
        int p, q;
        pair_of(number, round, size, p, q);
        if (q >= n) continue;
        R first = 0, second = 0;
        T inner(0);
        for (int i = lane; i < m; i += 32) {
          const T x = a.get(i, p), y = a.get(i, q);
          first += square(x), second += square(y);
          inner = add_product(inner, conjugate(x), y);
        }
        first = sum_of_warp(first), second = sum_of_warp(second), inner = sum_of_warp(inner);
        const R length = matrices::length(inner);
        if (first <= none || second <= none || length <= limit * sqrt(first) * sqrt(second)) continue;
        const Rotation<T> rotation(first, second, inner, length);
        for (int i = lane; i < m; i += 32) rotation.turn(a, i, p, q);
        if (vectors)
          for (int i = lane; i < n; i += 32) rotation.turn(v, i, p, q);
        goes_on = 1;
      }
      __syncthreads();
    }
    goes_on = combine_lanes<Any, threads>(goes_on);
  }
  int rank = 0;
#pragma unroll 1
  for (int j = warp; j < n; j += threads / 32) {
    R sum = 0;
    for (int i = lane; i < m; i += 32) sum += square(a.get(i, j));
    sum = sum_of_warp(sum);
    if (!lane) norms[j] = sqrt(sum);
  }
  __syncthreads();
  order<threads, n, true>(norms, places);
#pragma unroll 4
  for (int j = 0; j < n; j++) rank += norms[j] * norms[j] > none;
  for (int j = threadIdx.x; j < n; j += threads) values[places[j]] = norms[j] / by;
  if (vectors) {
#pragma unroll 1
    for (int j = group.number; j < n; j += group.count) {
      for (int i = group.lane; i < m; i += group.width)
        if (places[j] < rank) u.set(i, places[j], divide(a.get(i, j), T(norms[j])));
      for (int i = group.lane; i < n; i += group.width) w.set(i, places[j], v.get(i, j));
    }
    __syncthreads();
    complete<threads, m>(u, rank, count);
  }
  return goes_on;
}
}  // namespace matrices
