/* ---- the interface */

/* So that hlo2tiny knows the files that it may overwrite. */
extern const char model_compiler[];
const char model_compiler[] = @COMPILER@;

@WEIGHTS@
static char arena[@ARENA@] __attribute__((aligned(8)));

void model_run(@PARAMETERS@) {
  const void *const inputs[] = {@INPUTS@};
  void *const outputs[] = {@OUTPUTS@};
  char *results[] = {@RESULTS@};
  run_plan((char **)inputs, results, constants, arena, 0, 0, @LIBRARY@, 0, 0);
@COPIES@}
