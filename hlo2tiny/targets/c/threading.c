/* Starting and ending threads, and how long they look for work, for threads.c and grid.c. clock.c precedes it. No
   headers are included, which for some systems come only with their development kits: declarations match the C libraries
   of Linux, Android, Apple's systems and Windows. */

/* Room for a lock, a semaphore, a thread's attributes or a set of signals. */
typedef struct { _Alignas(16) char bytes[128]; } opaque;

#ifdef _WIN32
typedef void *handle;
typedef unsigned thread_result;
void *CreateThread(void *security, unsigned long stack, thread_result (*function)(void *), void *argument, unsigned flags,
                   unsigned *number);
unsigned WaitForSingleObject(void *object, unsigned milliseconds);
int CloseHandle(void *object);

static int start_thread(handle *thread, unsigned long stack, thread_result (*function)(void *), void *argument) {
  return (*thread = CreateThread(0, stack, function, argument, 0x10000 /* the size is reserved */, 0)) != 0;
}
static void join_thread(handle thread) {
  WaitForSingleObject(thread, ~0u);
  CloseHandle(thread);
}
static void block_signals(opaque *old) { (void)old; }
static void restore_signals(const opaque *old) { (void)old; }
static int process(void) { return 1; } /* no process is a copy of another */
static long interruptions(void) { return -1; }
#else
typedef unsigned long handle;
typedef void *thread_result;
int pthread_create(handle *thread, const void *attributes, thread_result (*function)(void *), void *argument);
int pthread_join(handle thread, void **result);
int pthread_attr_init(void *attributes);
int pthread_attr_setstacksize(void *attributes, unsigned long size);
int pthread_sigmask(int how, const void *set, void *old);
int getpid(void);
int getrusage(int who, void *usage);

#ifdef __APPLE__
enum { BLOCK = 1, SET = 3 };
#else
enum { BLOCK = 0, SET = 2 };
#endif

/* Some systems' own choice of a stack's size is too small for a product. */
static int start_thread(handle *thread, unsigned long stack, thread_result (*function)(void *), void *argument) {
  opaque attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  return pthread_create(thread, &attributes, function, argument) == 0;
}
static void join_thread(handle thread) { pthread_join(thread, 0); }
/* Threads that are started now leave signals to the process's other threads. */
static void block_signals(opaque *old) {
  opaque all;
  for (int i = 0; i < (int)sizeof all.bytes; i++) all.bytes[i] = -1;
  pthread_sigmask(BLOCK, &all, old);
}
static void restore_signals(const opaque *old) { pthread_sigmask(SET, old, 0); }
static int process(void) { return getpid(); }
/* How often others have taken the processor from this thread, or from this process where nobody counts that by thread;
   -1 if it is not known. The number is the last one of what all these systems write. */
static long interruptions(void) {
  long usage[64];
#ifdef __APPLE__
  return getrusage(0, usage) ? -1 : usage[17];
#else
  return getrusage(1, usage) ? -1 : usage[17];
#endif
}
#endif

enum {
  /* How long a thread looks for work before it sleeps, in ns; longer would take time from others on a busy machine. It
     looks as many times as long where nobody has interrupted it for CALM ns. */
  LOOKING = 20000,
  PATIENCE = 8,
  CALM = 100000000,
  LOOKS = 200,        /* measured to find out how long one takes */
  MOST_LOOKS = 20000, /* where the clock is too coarse for that */
};

/* Let the other thread of a core run while this one looks for work. */
static void relax(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("isb");
#endif
}

/* How often a thread of this processor looks for work in the time that LOOKING says. */
static long count_looks(void) {
  static int nothing;
  long least = LOOKING;
  for (int attempt = 0; attempt < 3; attempt++) {
    const int64 begin = nanoseconds();
    for (int i = 0; i < LOOKS; i++) {
      __atomic_load_n(&nothing, __ATOMIC_ACQUIRE);
      relax();
    }
    const long taken = (long)(nanoseconds() - begin);
    if (taken < least) least = taken;
  }
  const long looks = (long)LOOKING * LOOKS / (least > 0 ? least : 1);
  return looks < MOST_LOOKS ? looks : MOST_LOOKS;
}
