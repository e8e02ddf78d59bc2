/* Pools of threads that wait for parts of kernels. */

typedef void (*work)(void *const *buffers, long begin, long end);

enum {
  MOST = 256,
  CHUNKS = 4,
  STACK = 1 << 22,
  /* Parts of a pool's state: its members in the current loop, whether more may join, whether the caller sleeps until
     they have left, and the number of the loop. */
  MEMBERS = (1 << 16) - 1,
  OPEN = 1 << 16,
  AWAITED = 1 << 17,
  LOOP = 1 << 18
};

/* What one thread writes while others read their own is in a cache line apart: between clusters, a line takes 0.3 us. */
#define LINE_APART _Alignas(64)

struct worker {
  LINE_APART struct pool *pool;
  semaphore start;
  handle thread;
  int asleep;
  LINE_APART unsigned loop; /* the number of the last one that it joined */
  long interruptions;
  int64 calm; /* when those will have been long ago */
  LINE_APART long next; /* of its own parts of the loop; others take them, too, when they have none left */
};

struct pool {
  int workers, owner, ending, patience;
  long spins;
  semaphore done;
  LINE_APART int busy;
  long next;
  LINE_APART work function; /* what workers read when they join is where they look for work */
  void *const *buffers;
  long count, chunks, members;
  unsigned state;
  struct worker all[];
};

/* Run parts of the loop until none is left; a thread that is late or slow runs fewer. Each begins with the same ones, as
   pieces are taken: see types.c. */
static __attribute__((noinline)) void share(struct pool *p, long number) {
  const long count = p->count, chunks = p->chunks, members = p->members;
  for (long member = number; member < number + members; member++) {
    const long owner = member % members, end = chunks * (owner + 1) / members;
    long *const next = owner ? &p->all[owner - 1].next : &p->next;
    for (long i; __atomic_load_n(next, __ATOMIC_RELAXED) < end && (i = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED)) < end;)
      p->function(p->buffers, count * i / chunks, count * (i + 1) / chunks);
  }
}

/* Whether there is a loop that a worker has not been in, and may join. */
static int is_new(const struct worker *self, unsigned state) { return (state & OPEN) && state / LOOP != self->loop; }

static int join(struct worker *self) {
  unsigned now = __atomic_load_n(&self->pool->state, __ATOMIC_ACQUIRE);
  while (is_new(self, now))
    if (__atomic_compare_exchange_n(&self->pool->state, &now, now + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
      self->loop = now / LOOP;
      return 1;
    }
  return 0;
}

/* How many times as long as on a busy machine a worker may look for work. */
static int patience(struct worker *self) {
  const int64 now = nanoseconds();
  if (now < self->calm) return 1;
  const long found = interruptions();
  if (found >= 0 && found == self->interruptions) return PATIENCE;
  self->interruptions = found;
  self->calm = now + CALM;
  return 1;
}

/* Share loops, and sleep when there has been none for a while. */
static void serve(struct worker *self) {
  struct pool *const p = self->pool;
  for (;;) {
    int asked = 0;
    for (long spins = p->spins; spins >= 0; spins--) {
      if (join(self)) {
        share(p, self - p->all + 1);
        if ((__atomic_sub_fetch(&p->state, 1, __ATOMIC_ACQ_REL) & (AWAITED | MEMBERS)) == AWAITED) post(&p->done);
        spins = p->spins;
        asked = 0;
      }
      if (!spins && p->spins && !asked) {
        asked = patience(self);
        __atomic_store_n(&p->patience, asked, __ATOMIC_RELAXED);
        spins = p->spins * (asked - 1);
      }
      if (__atomic_load_n(&p->ending, __ATOMIC_ACQUIRE)) return;
      relax();
    }
    /* Whoever changes `asleep` back to 0 makes sure that the worker wakes. */
    __atomic_store_n(&self->asleep, 1, __ATOMIC_SEQ_CST);
    const int stay = is_new(self, __atomic_load_n(&p->state, __ATOMIC_SEQ_CST));
    if (!stay || !__atomic_exchange_n(&self->asleep, 0, __ATOMIC_SEQ_CST)) wait(&self->start);
  }
}

static thread_result started(void *self) { return serve((struct worker *)self), (thread_result)0; }

/* Start threads until there are as many as wanted, or no more can be started. */
static void start_workers(struct pool *p, int wanted, long spins) {
  opaque old;
  block_signals(&old);
  p->owner = process();
  p->spins = spins;
  p->patience = 1;
  prepare(&p->done);
  while (p->workers + 1 < wanted) {
    struct worker *const next = &p->all[p->workers];
    next->pool = p;
    next->asleep = 0;
    next->interruptions = 0;
    next->calm = 0;
    next->loop = p->state / LOOP;
    prepare(&next->start);
    if (!start_thread(&next->thread, STACK, started, next)) {
      discard(&next->start);
      break;
    }
    p->workers++;
  }
  restore_signals(&old);
}

#ifdef STANDALONE
/* A program has a pool for each of its contexts. */
static _Thread_local struct pool *current;

unsigned long model_pool_size(int threads) {
  return sizeof(struct pool) + (threads < MOST ? threads : MOST) * sizeof(struct worker);
}

void model_start_pool(struct pool *p, int threads) {
  p->workers = p->busy = p->ending = p->state = 0;
  start_workers(p, threads < MOST ? threads : MOST, count_looks());
}

void model_use_pool(struct pool *p) { current = p; }

void model_end_pool(struct pool *p) {
  __atomic_store_n(&p->ending, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < p->workers && p->owner == process(); i++) {
    post(&p->all[i].start);
    join_thread(p->all[i].thread);
    discard(&p->all[i].start);
  }
  discard(&p->done);
}

#define PARALLEL model_parallel
#else
/* A process has one pool for all programs. */
static _Alignas(64) char room[sizeof(struct pool) + MOST * sizeof(struct worker)];
static struct pool *const current = (struct pool *)room;

/* Idle threads spin for a while if each has a processor to itself. */
EXPORTED void start_threads(int wanted, int processors) {
  start_workers(current, wanted < MOST ? wanted : MOST, wanted <= processors ? count_looks() : 0);
}

#define PARALLEL parallel
#endif

/* Run a kernel's outermost loop together with the workers that join in time. In a forked process, or while the pool is
   busy, the caller runs it alone. */
EXPORTED void PARALLEL(work kernel, void *const *arguments, long size) {
  struct pool *const p = current;
  if (!p->workers || process() != p->owner || __atomic_exchange_n(&p->busy, 1, __ATOMIC_ACQUIRE)) {
    kernel(arguments, 0, size);
    return;
  }
  p->function = kernel;
  p->buffers = arguments;
  p->count = size;
  p->members = p->workers + 1;
  p->chunks = p->members * CHUNKS < size ? p->members * CHUNKS : size;
  p->next = 0;
  for (long i = 1; i < p->members; i++) p->all[i - 1].next = p->chunks * i / p->members;
  __atomic_store_n(&p->state, (p->state / LOOP + 1) * LOOP | OPEN, __ATOMIC_SEQ_CST);
  for (int i = 0; i < p->workers; i++) {
    int *const asleep = &p->all[i].asleep;
    if (__atomic_load_n(asleep, __ATOMIC_SEQ_CST) && __atomic_exchange_n(asleep, 0, __ATOMIC_SEQ_CST)) post(&p->all[i].start);
  }
  share(p, 0);
  unsigned state = __atomic_and_fetch(&p->state, ~OPEN, __ATOMIC_ACQ_REL);
  const long patience = __atomic_load_n(&p->patience, __ATOMIC_RELAXED);
  for (long spins = p->spins * patience; (state & MEMBERS) && spins > 0; spins--) {
    relax();
    state = __atomic_load_n(&p->state, __ATOMIC_ACQUIRE);
  }
  if ((state & MEMBERS) && (__atomic_fetch_or(&p->state, AWAITED, __ATOMIC_ACQ_REL) & MEMBERS)) wait(&p->done);
  __atomic_store_n(&p->busy, 0, __ATOMIC_RELEASE);
}
