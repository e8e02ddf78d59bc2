/* What libraries and executables for Windows need besides Windows' own libraries: instead of mingw's C runtime, of
   which zig would compile a thousand files first. */

typedef __SIZE_TYPE__ size_t;
typedef unsigned long long options;

/* ---- thread-local variables: the system copies what lies between these for each thread */

unsigned _tls_index;
__attribute__((section(".tls"))) static char begin;
__attribute__((section(".tls$ZZZ"))) static char end;
const struct {
  const void *begin, *end;
  unsigned *index;
  const void *callbacks;
  unsigned zeros, flags;
} _tls_used = {&begin, &end, &_tls_index, 0, 0, 0};

/* ---- a function that the system's library has under another name */

long long _time64(long long *);
long time(long *unused) { return (long)_time64(0); }

#ifndef EXECUTABLE
/* ---- the entry of a library, which has nothing to do */

int DllMainCRTStartup(void *library, unsigned reason, void *reserved) { return 1; }
#else
/* ---- the entry of an executable */

int main(int, char **);
void _set_app_type(int), exit(int);
int _configure_narrow_argv(int), _initialize_narrow_environment(void);
int *__p___argc(void);
char ***__p___argv(void);

void mainCRTStartup(void) {
  _set_app_type(1 /* a console's */);
  _configure_narrow_argv(1 /* without wildcards */);
  _initialize_narrow_environment();
  exit(main(*__p___argc(), *__p___argv()));
}

void __main(void) {}

/* ---- functions that only headers of Windows define, in terms of those in its library */

typedef __builtin_va_list arguments;
enum { STANDARD = 2 /* the result of snprintf is C99's */ };
int __stdio_common_vfprintf(options, void *file, const char *format, void *locale, arguments);
int __stdio_common_vsprintf(options, char *to, size_t size, const char *format, void *locale, arguments);
void *__acrt_iob_func(unsigned number);
int _timespec64_get(void *time, int base);

int vfprintf(void *file, const char *format, arguments all) {
  return __stdio_common_vfprintf(0, file, format, 0, all);
}

int printf(const char *format, ...) {
  arguments all;
  __builtin_va_start(all, format);
  const int written = vfprintf(__acrt_iob_func(1), format, all);
  __builtin_va_end(all);
  return written;
}

int snprintf(char *to, size_t size, const char *format, ...) {
  arguments all;
  __builtin_va_start(all, format);
  const int written = __stdio_common_vsprintf(STANDARD, to, size, format, 0, all);
  __builtin_va_end(all);
  return written;
}
#endif
