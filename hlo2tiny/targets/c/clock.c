/* The time, for profiles and for threads that look for work. No headers are included: see threading.c. On the systems that
   this supports, clock_gettime's numbers and long have 64 bits. */
#ifdef _WIN32
int QueryPerformanceCounter(int64 *), QueryPerformanceFrequency(int64 *);

static int64 nanoseconds(void) {
  int64 now, second;
  QueryPerformanceCounter(&now);
  QueryPerformanceFrequency(&second);
  return now / second * 1000000000 + now % second * 1000000000 / second;
}
#else
struct moment {
  long seconds, nanoseconds;
};
int clock_gettime(int, struct moment *);

#ifdef __APPLE__
enum { MONOTONIC = 6 };
#elif defined __FreeBSD__
enum { MONOTONIC = 4 };
#else
enum { MONOTONIC = 1 };
#endif

static int64 nanoseconds(void) {
  struct moment now;
  clock_gettime(MONOTONIC, &now);
  return (int64)now.seconds * 1000000000 + now.nanoseconds;
}
#endif
