#include "model.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

TABLES

/* ---- the rest is the same for all programs */

__attribute__((visibility("default"))) const char *model_weights = "weights.bin";

static char *mapped; /* the weights, from the first run on */
static char *spare;  /* working memory that no run is using */

int run_plan(char **in, char **out, char *const *constants, char *arena,
             int (*host)(void *, long, char **, char **), void *call, void *const *library,
             void (*parallel)(void (*)(void *const *, long, long), void *const *, long), void *const *python);

static char *weights(void) {
  char *found = __atomic_load_n(&mapped, __ATOMIC_ACQUIRE);
  if (found) return found;
  const int file = open(model_weights, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return 0;
  if (fstat(file, &status) == 0 && (size_t)status.st_size == weights_size) {
    void *const memory = mmap(0, weights_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory != MAP_FAILED) found = memory;
  }
  close(file);
  if (!found) return 0;
  char *other = 0;
  if (memcmp(found, identity, sizeof identity - 1)) {
    munmap(found, weights_size);
    return 0;
  }
  if (__atomic_compare_exchange_n(&mapped, &other, found, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return found;
  munmap(found, weights_size); /* another thread was first */
  return other;
}

#ifdef MODEL_THREADS
void start_threads(int wanted);
void parallel(void (*kernel)(void *const *, long, long), void *const *buffers, long size);

static void start(void) {
  const char *const given = getenv("OMP_NUM_THREADS");
  const long processors = sysconf(_SC_NPROCESSORS_ONLN), wanted = given ? atol(given) : processors;
  start_threads(wanted < 1 ? 1 : wanted < processors ? (int)wanted : (int)processors);
}

static pthread_once_t started = PTHREAD_ONCE_INIT;
#else
static void (*const parallel)(void (*)(void *const *, long, long), void *const *, long) = 0;
#endif

__attribute__((visibility("default"))) int model_run(const void *const *inputs, void *const *outputs) {
  enum { CONSTANTS = sizeof places / sizeof *places };
  char *constants[CONSTANTS], *const base = HAS_WEIGHTS ? weights() : 0;
  if (HAS_WEIGHTS && !base) return MODEL_NO_WEIGHTS;
  for (size_t i = 0; i < CONSTANTS; i++) constants[i] = HAS_WEIGHTS ? base + places[i] : 0;
#ifdef MODEL_THREADS
  pthread_once(&started, start);
#endif
  char *arena = __atomic_exchange_n(&spare, 0, __ATOMIC_ACQUIRE);
  if (!arena && !(arena = aligned_alloc(64, arena_size))) return MODEL_NO_MEMORY;
  run_plan((char **)inputs, (char **)outputs, constants, arena, 0, 0, library, parallel, 0);
  free(__atomic_exchange_n(&spare, arena, __ATOMIC_ACQ_REL));
  return MODEL_OK;
}
