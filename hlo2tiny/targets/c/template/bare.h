/* The interface of a program that hlo2tiny compiled for processors without an operating system, in C99 and C++.

@SIGNATURE@

   Weights, constant:       @WEIGHTS@ bytes
   Working memory, static:  @ARENA@ bytes
   Arithmetic:              @ARITHMETIC@ */

#ifndef MODEL_H
#define MODEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the program. Arrays are contiguous, in row-major order and aligned for their elements. Results must not overlap
   each other or the inputs. Working memory is static, so an interrupt or another task must not run the program at the
   same time. Elements are
   f32, f64, i8 to i64, ui8 to ui64   C's own types of that size
   i1                                 one byte, 0 or 1; any other value of an input counts as 1
   bf16, f16                          the two bytes of the format
   complex<f32>, complex<f64>         the real part, then the imaginary part
   narrower types                     one byte: the value of an integer, the bits of a float
   For a quantized type, the storage type is listed. */
void model_run(@PARAMETERS@);

#ifdef __cplusplus
}
#endif
#endif
