/* How a program that hlo2tiny compiled to C is called.

SIGNATURE
*/

#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One input or result. Its elements lie side by side, the last dimension innermost, in the machine's byte order:
   f32, f64, i8 to i64, ui8 to ui64   as C has them
   i1                                 a byte, 0 or 1; of inputs, any but 0 is 1
   bf16, f16                          the two bytes of the format
   complex<f32>, complex<f64>         the real part, then the imaginary part
   narrower types                     a byte each: an integer's value, a float's bits
   A quantized type is listed as the type that stores it. */
struct model_tensor {
  const char *name;    /* in the model; "" where it has none */
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

/* The path of weights.bin, beside which this file lies; to be set before the first run if that is not the current
   folder. The file is mapped into memory once, and stays so. */
extern const char *model_weights;

enum {
  MODEL_OK = 0,
  MODEL_NO_WEIGHTS = 1, /* the file of model_weights cannot be read, or belongs to another program */
  MODEL_NO_MEMORY = 2   /* for what a run needs besides inputs and results */
};

/* Run the program: the inputs are read where they lie, the results are written where `outputs` point, both in the order
   of model_info, each at an address that suits its elements. A tensor of no elements may be a null pointer. Results must
   not overlap one another or the inputs. Several threads may run at a time. Returns MODEL_OK or why nothing ran. */
int model_run(const void *const *inputs, void *const *outputs);

#ifdef __cplusplus
}
#endif
#endif
