/* Runs a compiled program on arrays that lie on the GPU: device LIBRARY WEIGHTS FOLDER RUNS [RESULT=INPUT …]
   Reads FOLDER/in0.raw, … and writes FOLDER/out0.raw, …; a RESULT lies in the memory of an INPUT. Prints the seconds that the
   context, the first run and a later one (the median) took, and with a stream of its own the median again, in JSON. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model.h"

typedef unsigned long long address;

static void expect(int right, const char *what) {
  if (right) return;
  fprintf(stderr, "device: %s\n", what);
  exit(1);
}
static void *function(void *library, const char *name) {
  void *const found = dlsym(library, name);
  expect(found != 0, name);
  return found;
}
static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **given) {
  expect(count > 4, "device LIBRARY WEIGHTS FOLDER RUNS [RESULT=INPUT …]");
  void *const library = dlopen(given[1], RTLD_NOW), *const driver = dlopen("libcuda.so.1", RTLD_NOW);
  expect(library && driver, "a library cannot be loaded");
  int (*const create)(model_context **, const char *, int) = function(library, "model_create");
  int (*const run)(model_context *, const void *const *, void *const *) = function(library, "model_run_arrays");
  int (*const set_stream)(model_context *, void *) = function(library, "model_set_stream");
  void (*const destroy)(model_context *) = function(library, "model_destroy");
  const char *(*const error)(int) = function(library, "model_error");
  const struct model_info *(*const describe)(void) = function(library, "model_describe");
  int (*const init)(unsigned) = function(driver, "cuInit");
  int (*const retain)(void **, int) = function(driver, "cuDevicePrimaryCtxRetain");
  int (*const push)(void *) = function(driver, "cuCtxPushCurrent_v2");
  int (*const pop)(void **) = function(driver, "cuCtxPopCurrent_v2");
  int (*const release)(int) = function(driver, "cuDevicePrimaryCtxRelease_v2");
  int (*const allocate)(address *, size_t) = function(driver, "cuMemAlloc_v2");
  int (*const free_memory)(address) = function(driver, "cuMemFree_v2");
  int (*const upload)(address, const void *, size_t) = function(driver, "cuMemcpyHtoD_v2");
  int (*const download)(void *, address, size_t, void *) = function(driver, "cuMemcpyDtoHAsync_v2");
  int (*const create_stream)(void **, unsigned) = function(driver, "cuStreamCreate");
  int (*const destroy_stream)(void *) = function(driver, "cuStreamDestroy_v2");
  int (*const wait)(void *) = function(driver, "cuStreamSynchronize");
  const struct model_info *const m = describe();
  const int runs = atoi(given[4]);
  void *gpu, *stream, **const inputs = calloc(m->input_count + 1, sizeof *inputs);
  void **const outputs = calloc(m->output_count + 1, sizeof *outputs);
  double *const times = calloc(runs + 1, sizeof *times), marks[4];
  char path[4096];
  expect(!init(0) && !retain(&gpu, 0) && !push(gpu), "there is no GPU");
  for (size_t i = 0; i < m->input_count; i++) {
    const size_t size = m->inputs[i].size;
    char *const bytes = malloc(size + 1);
    address place;
    snprintf(path, sizeof path, "%s/in%zu.raw", given[3], i);
    FILE *const file = fopen(path, "rb");
    expect(file && fread(bytes, 1, size + 1, file) == size && !fclose(file), path);
    expect(!allocate(&place, size + 1) && !upload(place, bytes, size), "there is too little memory");
    inputs[i] = (void *)(uintptr_t)place;
    free(bytes);
  }
  for (int i = 5; i < count; i++) {
    unsigned result, input;
    expect(sscanf(given[i], "%u=%u", &result, &input) == 2, "RESULT=INPUT");
    outputs[result] = inputs[input];
  }
  for (size_t i = 0; i < m->output_count; i++) {
    address place = (address)(uintptr_t)outputs[i];
    expect(place || !allocate(&place, m->outputs[i].size + 1), "there is too little memory");
    outputs[i] = (void *)(uintptr_t)place;
  }
  model_context *context;
  marks[0] = now();
  int failed = create(&context, given[2], 0);
  expect(!failed, error(failed));
  marks[1] = now();
  failed = run(context, (const void *const *)inputs, outputs);
  expect(!failed, error(failed));
  marks[2] = now();
  expect(!create_stream(&stream, 1), "there is no stream");
  for (int with_stream = 0; with_stream < 2; with_stream++) {
    if (with_stream) set_stream(context, stream);
    for (int i = 0; i < runs; i++) {
      const double begin = now();
      failed = run(context, (const void *const *)inputs, outputs);
      expect(!failed, error(failed));
      if (with_stream) expect(!wait(stream), "the stream failed");
      times[i] = now() - begin;
    }
    qsort(times, runs, sizeof *times, ascending);
    marks[3] = with_stream ? marks[3] : times[runs / 2];
  }
  printf("[%g, %g, %g, %g]\n", marks[1] - marks[0], marks[2] - marks[1], marks[3], times[runs / 2]);
  for (size_t i = 0; i < m->output_count; i++) {
    char *const bytes = malloc(m->outputs[i].size + 1);
    expect(!download(bytes, (address)(uintptr_t)outputs[i], m->outputs[i].size, stream) && !wait(stream), "no result");
    snprintf(path, sizeof path, "%s/out%zu.raw", given[3], i);
    FILE *const file = fopen(path, "wb");
    expect(file && fwrite(bytes, 1, m->outputs[i].size, file) == m->outputs[i].size && !fclose(file), path);
    free(bytes);
  }
  destroy(context);
  for (size_t i = 0; i < m->input_count; i++) free_memory((address)(uintptr_t)inputs[i]);
  for (size_t i = 0; i < m->output_count; i++) {
    int is_input = 0;
    for (size_t n = 0; n < m->input_count; n++) is_input |= inputs[n] == outputs[i];
    if (!is_input) free_memory((address)(uintptr_t)outputs[i]);
  }
  destroy_stream(stream);
  pop(&gpu);
  return release(0);
}
