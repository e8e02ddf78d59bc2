
/* ---- the sizes of open dimensions, which `model_run` takes first

   There is code only for some of their values; for others, runs end with MODEL_NO_SIZES. `model_describe` and
   `model_run_arrays` are about the first ones listed. */
enum { MODEL_NO_SIZES = 16 }; /* there is no code for these sizes; `model_error` lists those that exist */
#define MODEL_SIZES @COUNT@

struct model_sizes {
  size_t count;             /* how many sizes a run takes, MODEL_SIZES */
  const char *const *names; /* in the model */
  size_t choices;           /* for how many values of all of them there is code */
  const int64_t *values;    /* `count` numbers for each of these */
};

const struct model_sizes *model_describe_sizes(void);

/* The inputs and results for MODEL_SIZES sizes, or null if there is no code for them. */
const struct model_info *model_describe_for(const int64_t *sizes);

/* `model_run_arrays` for these sizes. */
int model_run_for(model_context *context, const int64_t *sizes, const void *const *inputs, void *const *outputs);
