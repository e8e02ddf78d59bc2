/* Does on Windows what the package does in Python with the code of a program: loads the parts of it, which link.py of this
   machine made, and calls it. windows.exe ARENA THREADS FUNCTION… -- CONSTANT… -- INPUT… -- RESULT SIZE… */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

typedef int (*run_plan)(char **, char **, char *const *, char *, void *, void *, void *const *, void *, void *const *);

static void *found(const char *file, const char *name) {
  void *const address = (void *)GetProcAddress(LoadLibraryA(file), name);
  if (!address) printf("%s in %s: error %lu\n", name, file, GetLastError()), exit(1);
  return address;
}

static char *contents(const char *path) {
  FILE *const file = fopen(path, "rb");
  if (!file) printf("%s cannot be read\n", path), exit(1);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char *const memory = _aligned_malloc(size + 1, 64);
  fread(memory, 1, size, file);
  fclose(file);
  return memory;
}

static int nothing(void) { return 0; }

int main(int argc, char **argv) {
  void *library[64], *const python[] = {nothing, nothing, nothing, nothing};
  char *constants[64], *inputs[64], *results[64], **at = argv + 3;
  size_t sizes[64], count = 0;
  const int threads = atoi(argv[2]);
  void *parallel = 0;
  if (threads > 1) {
    ((void (*)(int))found("threads.dll", "start_threads"))(threads);
    parallel = found("threads.dll", "parallel");
  }
  for (int i = 0; strcmp(*at, "--"); i++, at++) {
    char file[256];
    snprintf(file, sizeof file, "%s.dll", *at);
    library[i] = found(file, *at);
  }
  for (int i = 0; strcmp(*++at, "--"); i++) constants[i] = contents(*at);
  for (int i = 0; strcmp(*++at, "--"); i++) inputs[i] = contents(*at);
  char **const files = ++at;
  for (; *at; at += 2, count++) results[count] = _aligned_malloc(sizes[count] = atoll(at[1]), 64);
  const run_plan run = (run_plan)found("program.dll", "run_plan");
  if (run(inputs, results, constants, _aligned_malloc(atoll(argv[1]) + 64, 64), 0, 0, library, parallel, python)) return 2;
  for (size_t i = 0; i < count; i++) {
    FILE *const file = fopen(files[2 * i], "wb");
    fwrite(results[i], 1, sizes[i], file);
    fclose(file);
  }
  printf("%lld\n", *(long long *)found("program.dll", "profile_iterations"));
  return 0;
}
