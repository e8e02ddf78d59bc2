/* Runs a program that hlo2tiny compiled, once for each set of inputs in a file: their bytes, one after the other. Each
   input and result has memory of its own, of exactly its size, so that AddressSanitizer sees what is beside it. */

#include "model.h"

#include <stdio.h>
#include <stdlib.h>

static void *memory(size_t size) {
  void *const found = malloc(size);
  if (!found && size) exit(3);
  return found;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  FILE *const file = fopen(argv[1], "rb");
  if (!file) return 2;
  const struct model_info *const m = model_describe();
  model_context *context;
  if (model_create(&context, 0, 2)) return 5;
  void **const inputs = memory((m->input_count + 1) * sizeof *inputs);
  void **const outputs = memory((m->output_count + 1) * sizeof *outputs);
  for (long left = atol(argv[2]); left > 0; left--) {
    for (size_t i = 0; i < m->input_count; i++) {
      const size_t size = m->inputs[i].size;
      inputs[i] = memory(size);
      if (fread(inputs[i], 1, size, file) != size) return 2;
    }
    for (size_t i = 0; i < m->output_count; i++) outputs[i] = memory(m->outputs[i].size);
    if (model_run_arrays(context, (const void *const *)inputs, outputs)) return 4;
    for (size_t i = 0; i < m->input_count; i++) free(inputs[i]);
    for (size_t i = 0; i < m->output_count; i++) free(outputs[i]);
    printf("ran\n");
    fflush(stdout);
  }
  model_destroy(context);
  free(inputs);
  free(outputs);
  fclose(file);
  return 0;
}
