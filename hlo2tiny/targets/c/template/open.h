
/* ---- the sizes of open dimensions, which `model_run` takes first

   Runs check them, and what the model says of them. `model_describe` and `model_run_arrays` are about sizes of 1. */
enum { MODEL_NO_SIZES = 16 }; /* this code and those after it: sizes that the model does not take; see `model_error` */
#define MODEL_SIZES @COUNT@

struct model_sizes {
  size_t count;             /* how many sizes a run takes, MODEL_SIZES */
  const char *const *names; /* in the model */
  const int64_t *most;      /* the largest that each may be */
};

const struct model_sizes *model_describe_sizes(void);

/* MODEL_OK, or why the program does not run with MODEL_SIZES sizes. */
int model_check_sizes(const int64_t *sizes);

/* The inputs and results for MODEL_SIZES sizes, until the next call in this thread; null if the program does not take
   them. */
const struct model_info *model_describe_for(const int64_t *sizes);

/* `model_run_arrays` for these sizes.@GROWS@ */
int model_run_for(model_context *context, const int64_t *sizes, const void *const *inputs, void *const *outputs);
