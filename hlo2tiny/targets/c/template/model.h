/* The interface of a program that hlo2tiny compiled to C.

SIGNATURE
*/

#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One input or result. Its elements are contiguous, in row-major order and in the machine's byte order:
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

extern const struct model_info model_info;

/* The path of weights.bin, by default in the current folder; set it before the first run if the file is elsewhere. The
   first run maps the file into memory, where it stays. */
extern const char *model_weights;

enum {
  MODEL_OK = 0,
  MODEL_NO_WEIGHTS = 1, /* the file model_weights cannot be read, or belongs to another program */
  MODEL_NO_MEMORY = 2   /* not enough memory for the run's working memory */
};

/* Runs the program. `inputs` and `outputs` are arrays of pointers in the order of model_info; each pointer must be aligned
   for its elements, and may be null if the tensor has no elements. Results must not overlap each other or the inputs,
   except that a result may be in the memory of an input where the list above says so; other inputs are only read. Several
   threads may call this at the same time. Returns MODEL_OK, or why nothing ran. */
int model_run(const void *const *inputs, void *const *outputs);

#ifdef __cplusplus
}
#endif
#endif
