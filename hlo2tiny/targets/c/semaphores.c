/* Semaphores, which a thread waits for. threading.c precedes it; no headers are included. */
#ifdef _WIN32
typedef void *semaphore;
void *CreateSemaphoreA(void *security, int value, int most, const char *name);
int ReleaseSemaphore(void *semaphore, int count, int *before);

static void prepare(semaphore *s) { *s = CreateSemaphoreA(0, 0, 0x7fffffff, 0); }
static void post(semaphore *s) { ReleaseSemaphore(*s, 1, 0); }
static void wait(semaphore *s) { WaitForSingleObject(*s, ~0u); }
static void discard(semaphore *s) { CloseHandle(*s); }
#else
#ifdef __APPLE__
typedef void *semaphore;
void *dispatch_semaphore_create(long value);
long dispatch_semaphore_signal(void *semaphore);
long dispatch_semaphore_wait(void *semaphore, unsigned long long until);
void dispatch_release(void *object);

static void prepare(semaphore *s) { *s = dispatch_semaphore_create(0); }
static void post(semaphore *s) { dispatch_semaphore_signal(*s); }
static void wait(semaphore *s) { dispatch_semaphore_wait(*s, ~0ull); }
static void discard(semaphore *s) { dispatch_release(*s); }
#else
typedef opaque semaphore;
int sem_init(void *semaphore, int shared, unsigned value);
int sem_post(void *semaphore);
int sem_wait(void *semaphore);
int sem_destroy(void *semaphore);

static void prepare(semaphore *s) { sem_init(s, 0, 0); }
static void post(semaphore *s) { sem_post(s); }
static void wait(semaphore *s) {
  while (sem_wait(s)) {
  }
}
static void discard(semaphore *s) { sem_destroy(s); }
#endif
#endif
