/* The processes of a program, as threads, each with memory of its own: they exchange values by copying them from each
   other's memory. A process that fails, or that waits for one that will not come, ends the run of all. */

#ifdef _WIN32
void InitializeSRWLock(void *), AcquireSRWLockExclusive(void *), ReleaseSRWLockExclusive(void *);
void InitializeConditionVariable(void *), WakeAllConditionVariable(void *);
int SleepConditionVariableSRW(void *condition, void *lock, unsigned milliseconds, unsigned flags);

static void lock(opaque *mutex) { AcquireSRWLockExclusive(mutex); }
static void unlock(opaque *mutex) { ReleaseSRWLockExclusive(mutex); }
static void sleep_until(opaque *changed, opaque *mutex) { SleepConditionVariableSRW(changed, mutex, ~0u, 0); }
static int sleep_for_a_second(opaque *changed, opaque *mutex) { return !SleepConditionVariableSRW(changed, mutex, 1000, 0); }
static void wake(opaque *changed) { WakeAllConditionVariable(changed); }
static void prepare(opaque *mutex, opaque *changed) {
  InitializeSRWLock(mutex);
  InitializeConditionVariable(changed);
}
static void discard(opaque *mutex, opaque *changed) { (void)mutex, (void)changed; }
#else
int pthread_mutex_init(void *, const void *), pthread_mutex_destroy(void *);
int pthread_mutex_lock(void *), pthread_mutex_unlock(void *);
int pthread_cond_init(void *, const void *), pthread_cond_destroy(void *);
int pthread_cond_wait(void *, void *), pthread_cond_timedwait(void *, void *, const void *), pthread_cond_broadcast(void *);

static void lock(opaque *mutex) { pthread_mutex_lock(mutex); }
static void unlock(opaque *mutex) { pthread_mutex_unlock(mutex); }
static void sleep_until(opaque *changed, opaque *mutex) { pthread_cond_wait(changed, mutex); }
/* Returns nonzero if nothing changed. */
static int sleep_for_a_second(opaque *changed, opaque *mutex) {
  struct moment end;
  clock_gettime(0 /* the clock of the day, on all systems */, &end);
  end.seconds++;
  return pthread_cond_timedwait(changed, mutex, &end);
}
static void wake(opaque *changed) { pthread_cond_broadcast(changed); }
static void prepare(opaque *mutex, opaque *changed) {
  pthread_mutex_init(mutex, 0);
  pthread_cond_init(changed, 0);
}
static void discard(opaque *mutex, opaque *changed) {
  pthread_cond_destroy(changed);
  pthread_mutex_destroy(mutex);
}
#endif
void *calloc(unsigned long count, unsigned long size);
void free(void *);

enum { MOST = 256, STACK = 1 << 23, FAILED = 1, APART = 2, NO_THREAD = 3 };

/* Where a group of processes waits for each other. */
struct meeting {
  int arrived, step;
  long iteration;
};

/* One call's arguments, in the order of run_plan. */
struct run {
  int (*function)(char **, char **, char *const *, char *, int (*)(void *, long, char **, char **), void *, void *const *,
                  void (*)(void (*)(void *const *, long, long), void *const *, long), void *const *);
  char ***in, ***out, **arenas;
  char *const *constants;
  int (**hosts)(void *, long, char **, char **);
  void **failures; /* where handlers say why they failed */
  void *const *library;
  void (*parallel)(void (*)(void *const *, long, long), void *const *, long);
  void *const *python; /* what the first process, which runs in the caller's thread, asks about signals */
};

struct member {
  struct team *team;
  int number;
  long runs; /* how many it has begun */
  handle thread;
};

/* The first member runs in the caller's thread. The others' threads are started by the first run, and wait for the next. */
struct team {
  opaque lock, changed;
  int count, threads, owner, ending;
  int waiting, finished, failed;
  long spins, runs;
  const struct run *run;
  char *places[MOST]; /* for each process, what the others may read */
  int steps[MOST];    /* for each process, the collective that it waits in; -1: none, -2: it has finished */
  struct member members[MOST];
  int groups;
  struct meeting meetings[];
};

/* What a program says about a collective: for each process, the parts of its result. */
struct exchange {
  int step, parts;
  long bytes;               /* of a part */
  const int *sources;       /* whose value a part is from, or -1 for zeros */
  const int *offsets;       /* which part of that value */
  const int *meetings;      /* where the process waits, or -1 if it need not wait */
  const int *sizes;         /* how many wait there */
};

static _Thread_local struct member *self;

static void fail(struct team *team, int how) {
  if (!team->failed) __atomic_store_n(&team->failed, how, __ATOMIC_RELEASE);
  wake(&team->changed);
}

/* Whether another thread ends the run. */
static int is_stopped(const struct team *team) {
  const int *const number = team->run->python[4];
  return number && __atomic_load_n(number, __ATOMIC_ACQUIRE);
}

/* Sleep until something changes. Every second, the first process asks whether a signal handler ends the run. */
static void rest(struct team *team) {
  if (!sleep_for_a_second(&team->changed, &team->lock) || self->number) return;
  if (is_stopped(team)) fail(team, FAILED);
  void *const *python = team->run->python;
  unlock(&team->lock);
  const int state = ((int (*)(void))python[0])(), stop = ((int (*)(void))python[1])();
  if (stop) ((void (*)(void))python[2])();
  ((void (*)(int))python[3])(state);
  lock(&team->lock);
  if (stop) fail(team, FAILED);
}

/* Wait until all of a group have come to the same collective; nonzero if the run has failed. */
static int meet(struct team *team, struct meeting *meeting, int size, int step) {
  lock(&team->lock);
  if (!self->number && is_stopped(team)) fail(team, FAILED);
  if (!team->failed && meeting->arrived && meeting->step != step) fail(team, APART);
  if (team->failed) {
    unlock(&team->lock);
    return 1;
  }
  const long iteration = meeting->iteration;
  meeting->step = step;
  if (++meeting->arrived == size) {
    meeting->arrived = 0;
    team->waiting -= size - 1;
    __atomic_store_n(&meeting->iteration, iteration + 1, __ATOMIC_RELEASE);
    wake(&team->changed);
    unlock(&team->lock);
    return 0;
  }
  team->steps[self->number] = step;
  team->waiting++;
  if (team->waiting + team->finished == team->count) fail(team, APART);
  unlock(&team->lock);
  for (long i = 0; i < team->spins; i++)
    if (__atomic_load_n(&meeting->iteration, __ATOMIC_ACQUIRE) != iteration || __atomic_load_n(&team->failed, __ATOMIC_ACQUIRE))
      break;
    else
      relax();
  lock(&team->lock);
  while (meeting->iteration == iteration && !team->failed) rest(team);
  const int met = meeting->iteration != iteration;
  if (met) team->steps[self->number] = -1;
  unlock(&team->lock);
  return !met;
}

/* Called by a program: this process's number. */
EXPORTED int process_number(void) { return self->number; }

/* Called by a program: copy the parts of a result out of the others' values; nonzero if the run has failed. */
EXPORTED int exchange(const struct exchange *e, char *in, char *out) {
  struct team *team = self->team;
  const int number = self->number, place = e->meetings[number];
  struct meeting *meeting = team->meetings + (place < 0 ? 0 : place);
  team->places[number] = in;
  if (place >= 0 && meet(team, meeting, e->sizes[number], e->step)) return 1;
  for (int i = 0; i < e->parts; i++) {
    const int source = e->sources[number * e->parts + i];
    const long offset = e->offsets[number * e->parts + i];
    if (source < 0)
      __builtin_memset(out + i * e->bytes, 0, e->bytes);
    else
      __builtin_memcpy(out + i * e->bytes, team->places[source] + offset * e->bytes, e->bytes);
  }
  return place >= 0 && meet(team, meeting, e->sizes[number], e->step); /* until all have read */
}

/* What the others call in long loops instead of Python's functions. */
static int nothing(void) { return 0; }

static void run_member(struct member *member) {
  self = member;
  struct team *team = member->team;
  const struct run *r = team->run;
  const int n = member->number;
  void *asked[] = {(void *)nothing, (void *)nothing, (void *)nothing, (void *)nothing, &team->failed};
  for (int i = 0; i < 4 && !n; i++) asked[i] = r->python[i];
  const int wrong = r->function(r->in[n], r->out[n], r->constants, r->arenas[n], r->hosts[n], r->failures[n], r->library, r->parallel,
                                asked);
  lock(&team->lock);
  if (team->steps[n] < 0) team->steps[n] = -2;
  __atomic_store_n(&team->finished, team->finished + 1, __ATOMIC_RELEASE);
  if (wrong)
    fail(team, FAILED);
  else if (team->finished < team->count && team->waiting + team->finished == team->count)
    fail(team, APART);
  if (team->finished == team->count) wake(&team->changed);
  unlock(&team->lock);
}

/* Take part in the team's runs. */
static thread_result serve(void *given) {
  struct member *member = given;
  struct team *team = member->team;
  for (;;) {
    for (long i = 0; i < team->spins && __atomic_load_n(&team->runs, __ATOMIC_ACQUIRE) == member->runs; i++) relax();
    lock(&team->lock);
    while (team->runs == member->runs) sleep_until(&team->changed, &team->lock);
    member->runs = team->runs;
    const int ending = team->ending;
    unlock(&team->lock);
    if (ending) return (thread_result)0;
    run_member(member);
  }
}

/* Begin a run, or end the threads. */
static void begin(struct team *team) {
  lock(&team->lock);
  __atomic_store_n(&team->runs, team->runs + 1, __ATOMIC_RELEASE);
  wake(&team->changed);
  unlock(&team->lock);
}

static void own(struct team *team) {
  team->threads = 1;
  team->owner = process();
  prepare(&team->lock, &team->changed);
}

/* Start the threads that do not exist yet; nonzero if all exist. */
static int start_members(struct team *team) {
  opaque old;
  block_signals(&old);
  for (; team->threads < team->count; team->threads++) {
    struct member *const next = team->members + team->threads;
    *next = (struct member){team, team->threads, team->runs, next->thread};
    if (!start_thread(&next->thread, STACK, serve, next)) break;
  }
  restore_signals(&old);
  return team->threads == team->count;
}

/* Make a run fail that another thread is waiting for. */
EXPORTED void stop_processes(struct team *team) {
  lock(&team->lock);
  fail(team, FAILED);
  unlock(&team->lock);
}

/* A team of `count` processes, of which several groups wait for each other; null if there is no memory for it. */
EXPORTED struct team *make_team(int count, int groups, int processors) {
  struct team *team = calloc(1, sizeof(struct team) + groups * sizeof(struct meeting));
  if (!team) return 0;
  team->count = count;
  team->groups = groups;
  team->spins = count <= processors ? count_looks() : 0;
  own(team);
  return team;
}

/* Ends a team that runs nothing. Its threads are not those of a forked process. */
EXPORTED void end_team(struct team *team) {
  if (team->owner == process()) {
    team->ending = 1;
    begin(team);
    for (int i = 1; i < team->threads; i++) join_thread(team->members[i].thread);
    discard(&team->lock, &team->changed);
  }
  free(team);
}

/* Run all processes. Returns 0, or why the run failed; `steps` then says where each process was. A team has one run
   at a time. */
EXPORTED int run_processes(struct team *team, const struct run *run, int *steps) {
  if (team->owner != process()) own(team);
  if (!start_members(team)) return NO_THREAD;
  team->run = run;
  team->waiting = team->finished = team->failed = 0;
  for (int i = 0; i < team->count; i++) team->steps[i] = -1;
  for (int i = 0; i < team->groups; i++) team->meetings[i].arrived = 0;
  struct member first = {team, 0, 0, 0};
  begin(team);
  run_member(&first);
  for (long i = 0; i < team->spins && __atomic_load_n(&team->finished, __ATOMIC_ACQUIRE) < team->count; i++) relax();
  lock(&team->lock);
  while (team->finished < team->count) rest(team);
  unlock(&team->lock);
  for (int i = 0; i < team->count; i++) steps[i] = team->steps[i];
  return team->failed;
}
