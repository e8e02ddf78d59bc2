// From C99. The cache is donated: each call writes a row of it in place.
#include <stdio.h>

#include "model.h"

int main(void) {
  model_context *context;
  int error = model_create(&context, NULL, 1);
  const float x[2] = {1, 2};
  float cache[6] = {0}, doubled[2];
  for (int32_t iteration = 0; iteration < 3 && !error; iteration++) error = model_run(context, x, &iteration, cache, doubled);
  if (error) return fprintf(stderr, "%s\n", model_error(error)), 1;
  printf("%g %g, cached %g %g\n", doubled[0], doubled[1], cache[4], cache[5]);
  model_destroy(context);
  return 0;
}
