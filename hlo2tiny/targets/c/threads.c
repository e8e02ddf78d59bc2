/* The thread pool: threads that wait for parts of kernels, one pool per process for all programs. This file includes no
   headers: its declarations match the C libraries of Linux, whose semaphores and signal sets fit into `opaque`. */

typedef void (*work)(void *const *buffers, long begin, long end);
typedef struct { _Alignas(16) char bytes[128]; } opaque;

int pthread_create(unsigned long *thread, const void *attributes, void *(*function)(void *), void *argument);
int pthread_sigmask(int how, const void *set, void *old);
int sem_init(void *semaphore, int shared, unsigned value);
int sem_post(void *semaphore);
int sem_wait(void *semaphore);
int getpid(void);

enum { MOST = 256, BLOCK = 0, SET = 2, CHUNKS = 4, OPEN = 1 << 16 };

static opaque start[MOST], done;
static int workers, owner, busy, woken[MOST];
static work function;
static void *const *buffers;
static long count, chunks, next;
/* The number of workers in the current loop, plus OPEN while more may join. */
static int state;

/* Run parts of the loop until none is left; a thread that is late or slow runs fewer. */
static void share(void) {
  for (long i; (i = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < chunks;)
    function(buffers, count * i / chunks, count * (i + 1) / chunks);
}

static int join(void) {
  int now = __atomic_load_n(&state, __ATOMIC_RELAXED);
  while (now & OPEN)
    if (__atomic_compare_exchange_n(&state, &now, now + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 1;
  return 0;
}

static void *worker(void *number) {
  for (;;) {
    while (sem_wait(&start[(long)number])) {
    }
    __atomic_exchange_n(&woken[(long)number], 0, __ATOMIC_SEQ_CST);
    if (!join()) continue;
    share();
    /* `parallel` waits for the last worker to leave. */
    if (__atomic_sub_fetch(&state, 1, __ATOMIC_ACQ_REL) == 0) sem_post(&done);
  }
  return 0;
}

/* Start threads until there are as many as wanted, or no more can be started. */
__attribute__((visibility("default"))) void start_threads(int wanted) {
  opaque all, old;
  if (wanted > MOST) wanted = MOST;
  owner = getpid();
  sem_init(&done, 0, 0);
  for (int i = 0; i < (int)sizeof all.bytes; i++) all.bytes[i] = -1;
  pthread_sigmask(BLOCK, &all, &old); /* the process's other threads handle signals */
  while (workers + 1 < wanted) {
    unsigned long thread;
    sem_init(&start[workers + 1], 0, 0);
    if (pthread_create(&thread, 0, worker, (void *)(long)(workers + 1))) break;
    workers++;
  }
  pthread_sigmask(SET, &old, 0);
}

/* Run a kernel's outermost loop together with the workers that join in time. In a forked process, or while the pool is
   busy, the caller runs it alone. */
__attribute__((visibility("default"))) void parallel(work kernel, void *const *arguments, long size) {
  if (!workers || getpid() != owner || __atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) {
    kernel(arguments, 0, size);
    return;
  }
  function = kernel;
  buffers = arguments;
  count = size;
  chunks = (workers + 1) * CHUNKS < size ? (workers + 1) * CHUNKS : size;
  __atomic_store_n(&next, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&state, OPEN, __ATOMIC_RELEASE);
  for (int i = 1; i <= workers; i++)
    if (!__atomic_exchange_n(&woken[i], 1, __ATOMIC_SEQ_CST)) sem_post(&start[i]);
  share();
  if (__atomic_and_fetch(&state, ~OPEN, __ATOMIC_ACQ_REL))
    while (sem_wait(&done)) {
    }
  __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}
