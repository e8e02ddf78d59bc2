// From C99: add two numbers, and count calls in a state that is updated in place.
#include <stdio.h>

#include "model.h"

int main(void) {
  model_context *context;
  int error = model_create(&context, NULL, 1);
  if (error) return fprintf(stderr, "%s\n", model_error(error)), 1;
  const float x[2] = {1, 2}, y[2] = {10, 20};
  int32_t calls = 0;
  float sum[2];
  for (int turn = 0; turn < 3 && !error; turn++) error = model_run(context, x, y, &calls, sum);
  if (error) return fprintf(stderr, "%s\n", model_error(error)), 1;
  printf("%g %g after %d calls\n", sum[0], sum[1], (int)calls);
  model_destroy(context);
  return 0;
}
