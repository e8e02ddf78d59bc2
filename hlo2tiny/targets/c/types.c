/* Integers of 64 bits, with which kernels compute. Elsewhere `long` counts bytes and elements, so it needs as many bits
   as a pointer, which it does not have on Windows. */
typedef int int64 __attribute__((mode(DI)));
typedef unsigned uint64 __attribute__((mode(DI)));
#ifdef _WIN32
#define long __INTPTR_TYPE__
#endif

