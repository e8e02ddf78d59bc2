/* The interface of a program that hlo2tiny compiled, in C99 and C++.

@SIGNATURE@
@ABOUT@*/

#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What runs need: the mapped weights, working memory and threads. A context serves one run at a time, so threads that run
   the program at the same time need one each; they share the memory of mapped weights. */
typedef struct model_context model_context;

enum {
  MODEL_OK = 0,
  MODEL_NO_WEIGHTS = 1,    /* the file of the weights cannot be read */
  MODEL_OTHER_WEIGHTS = 2, /* the file has the weights of another program, or is truncated */
  MODEL_NO_MEMORY = 3,     /* not enough memory for the context */
  MODEL_NO_ARRAY = 4,      /* a pointer is null although its tensor has elements */
  MODEL_BUSY = 5           /* the context is in use by another run */@FAILED@
};

/* What one of these codes means, as a sentence without a full stop. */
const char *model_error(int code);

/* Creates a context, or returns why there is none. All memory is allocated and all threads are started here.
   weights  the path of weights.safetensors; null: in the current folder. Not used if the program has no such file.
   threads  how many threads a run may use, including the caller's; 0: as many as there are processors, or what the
            environment variable OMP_NUM_THREADS says if that is less. Results are the same for any number. */
int model_create(model_context **context, const char *weights, int threads);

/* Ends the context's threads and frees its memory. The context may be null. */
void model_destroy(model_context *context);

/* Runs the program and returns MODEL_OK, or why nothing ran. Arrays are contiguous, in row-major order and aligned for
   their elements. Results must not overlap each other or the inputs. */
int model_run(model_context *context@PARAMETERS@);

/* The same for programs that handle any model: `inputs` and `outputs` are arrays of pointers in the order of
   `model_describe`. A result may be in the memory of an input where the list above says so. */
int model_run_arrays(model_context *context, const void *const *inputs, void *const *outputs);

/* An input or result. Its elements are
   f32, f64, i8 to i64, ui8 to ui64   C's own types of that size
   i1                                 one byte, 0 or 1; any other value of an input counts as 1
   bf16, f16                          the two bytes of the format
   complex<f32>, complex<f64>         the real part, then the imaginary part
   narrower types                     one byte: the value of an integer, the bits of a float
   For a quantized type, `dtype` is its storage type. */
struct model_tensor {
  const char *name;    /* in the model, or "" if it has none */
  const char *dtype;   /* as above */
  size_t element_size; /* in bytes */
  size_t rank;
  const size_t *shape; /* `rank` sizes */
  size_t size;         /* of all elements, in bytes */
};

struct model_info {
  size_t input_count, output_count;
  const struct model_tensor *inputs, *outputs;
};

const struct model_info *model_describe(void);
@MORE@
#ifdef __cplusplus
}
#endif
#endif
