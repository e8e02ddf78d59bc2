/* Participants: threads that run one program together, each with memory of its own, and exchange values by copying them
   out of each other's memory. A participant that fails, or that waits for one that will not come, ends the run of all. */

#ifdef _WIN32
void InitializeSRWLock(void *), AcquireSRWLockExclusive(void *), ReleaseSRWLockExclusive(void *);
void InitializeConditionVariable(void *), WakeAllConditionVariable(void *);
int SleepConditionVariableSRW(void *condition, void *lock, unsigned milliseconds, unsigned flags);

static void lock(opaque *mutex) { AcquireSRWLockExclusive(mutex); }
static void unlock(opaque *mutex) { ReleaseSRWLockExclusive(mutex); }
static void sleep_until(opaque *changed, opaque *mutex) { SleepConditionVariableSRW(changed, mutex, ~0u, 0); }
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
int pthread_cond_wait(void *, void *), pthread_cond_broadcast(void *);

static void lock(opaque *mutex) { pthread_mutex_lock(mutex); }
static void unlock(opaque *mutex) { pthread_mutex_unlock(mutex); }
static void sleep_until(opaque *changed, opaque *mutex) { pthread_cond_wait(changed, mutex); }
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

enum { MOST = 256, STACK = 1 << 23, FAILED = 1, APART = 2, NO_THREAD = 3 };

/* Where a group of participants waits for each other. */
struct meeting {
  int arrived, step;
  long turn;
};

struct team {
  opaque lock, changed;
  int count, waiting, finished, failed;
  long spins;
  struct meeting *meetings;
  char *places[MOST]; /* for each participant, what the others may read */
  int steps[MOST];    /* for each participant, the collective that it waits in; -1: none, -2: it has finished */
};

/* One call's arguments, in the order of run_plan. */
struct run {
  int (*function)(char **, char **, char *const *, char *, int (*)(void *, long, char **, char **), void *, void *const *,
                  void (*)(void (*)(void *const *, long, long), void *const *, long), void *const *);
  char ***in, ***out, **arenas;
  char *const *constants;
  int (**hosts)(void *, long, char **, char **);
  void *const *library;
  void (*parallel)(void (*)(void *const *, long, long), void *const *, long);
  struct team *team;
};

struct member {
  const struct run *run;
  int number;
};

/* What a program says of a collective: for each participant, the parts of its result. */
struct exchange {
  int step, parts;
  long bytes;               /* of a part */
  const int *sources;       /* whose value a part is from, or -1 for zeros */
  const int *offsets;       /* which part of that value */
  const int *meetings;      /* where the participant waits, or -1 if it need not wait */
  const int *sizes;         /* how many wait there */
};

static _Thread_local const struct member *self;

static void fail(struct team *team, int how) {
  if (!team->failed) __atomic_store_n(&team->failed, how, __ATOMIC_RELEASE);
  wake(&team->changed);
}

/* Wait until all of a group have come to the same collective; nonzero if the run has failed. */
static int meet(struct team *team, struct meeting *meeting, int size, int step) {
  lock(&team->lock);
  if (!team->failed && meeting->arrived && meeting->step != step) fail(team, APART);
  if (team->failed) {
    unlock(&team->lock);
    return 1;
  }
  const long turn = meeting->turn;
  meeting->step = step;
  if (++meeting->arrived == size) {
    meeting->arrived = 0;
    team->waiting -= size - 1;
    __atomic_store_n(&meeting->turn, turn + 1, __ATOMIC_RELEASE);
    wake(&team->changed);
    unlock(&team->lock);
    return 0;
  }
  team->steps[self->number] = step;
  team->waiting++;
  if (team->waiting + team->finished == team->count) fail(team, APART);
  unlock(&team->lock);
  for (long i = 0; i < team->spins; i++)
    if (__atomic_load_n(&meeting->turn, __ATOMIC_ACQUIRE) != turn || __atomic_load_n(&team->failed, __ATOMIC_ACQUIRE))
      break;
  lock(&team->lock);
  while (meeting->turn == turn && !team->failed) sleep_until(&team->changed, &team->lock);
  const int met = meeting->turn != turn;
  if (met) team->steps[self->number] = -1;
  unlock(&team->lock);
  return !met;
}

/* Called by a program: this participant's number. */
EXPORTED int participant(void) { return self->number; }

/* Called by a program: copy the parts of a result out of the others' values; nonzero if the run has failed. */
EXPORTED int exchange(const struct exchange *e, char *in, char *out) {
  struct team *team = self->run->team;
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

/* What a program calls in long loops in place of Python's functions. */
static int nothing(void) { return 0; }

static void run_member(const struct member *member) {
  self = member;
  const struct run *r = member->run;
  void *const asked[] = {(void *)nothing, (void *)nothing, (void *)nothing, (void *)nothing, &r->team->failed};
  const int n = member->number, wrong = r->function(r->in[n], r->out[n], r->constants, r->arenas[n], r->hosts[n], 0,
                                                    r->library, r->parallel, asked);
  struct team *team = r->team;
  lock(&team->lock);
  if (team->steps[n] < 0) team->steps[n] = -2;
  team->finished++;
  if (wrong)
    fail(team, FAILED);
  else if (team->finished < team->count && team->waiting + team->finished == team->count)
    fail(team, APART);
  unlock(&team->lock);
}

static thread_result started(void *member) { return run_member(member), (thread_result)0; }

/* Let a run fail that another thread is waiting for. */
EXPORTED void stop_participants(struct team *team) {
  lock(&team->lock);
  fail(team, FAILED);
  unlock(&team->lock);
}

EXPORTED long team_size(void) { return sizeof(struct team); }

EXPORTED void prepare_team(struct team *team, int count, long spins, struct meeting *meetings) {
  team->count = count;
  team->spins = spins;
  team->meetings = meetings;
  team->waiting = team->finished = team->failed = 0;
  for (int i = 0; i < count; i++) team->steps[i] = -1;
  prepare(&team->lock, &team->changed);
}

/* Run all participants, the first one in this thread. Returns 0, or why the run failed; `steps` then says where each
   participant was. */
EXPORTED int run_participants(const struct run *run, int *steps) {
  struct team *team = run->team;
  struct member members[MOST];
  handle threads[MOST];
  int count = 1;
  for (int i = 0; i < team->count; i++) members[i] = (struct member){run, i};
  opaque old;
  block_signals(&old);
  while (count < team->count && start_thread(threads + count, STACK, started, members + count)) count++;
  restore_signals(&old);
  if (count < team->count) {
    lock(&team->lock);
    fail(team, NO_THREAD);
    unlock(&team->lock);
  } else
    run_member(members);
  for (int i = 1; i < count; i++) join_thread(threads[i]);
  for (int i = 0; i < team->count; i++) steps[i] = team->steps[i];
  const int wrong = team->failed;
  discard(&team->lock, &team->changed);
  return wrong;
}
