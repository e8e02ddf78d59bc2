/* Runs a program once and prints its results in hexadecimal digits: on a board that qemu emulates, where a debugger's
   calls print, and on this machine. On a board, the last line is how many bytes of the stack the run has used.

   `tested.h` has the arrays: INPUTS and RESULTS are the arguments of model_run, `results` and `sizes` what to print. */
#include "model.h"
#include "tested.h"

#if defined __arm__ || defined __riscv
extern unsigned char stack_begin[], stack_end[];

static long debugger(long operation, const void *argument) {
#ifdef __arm__
  register long r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
#else
  register long a0 __asm__("a0") = operation;
  register const void *a1 __asm__("a1") = argument;
  __asm__ volatile(".balign 16\n.option push\n.option norvc\nslli zero, zero, 0x1f\nebreak\nsrai zero, zero, 7\n"
                   ".option pop"
                   : "+r"(a0)
                   : "r"(a1)
                   : "memory");
  return a0;
#endif
}
static void print(const char *text) { debugger(4 /* write a string */, text); }
#else
int printf(const char *format, ...);
static void print(const char *text) { printf("%s", text); }
#endif

static void print_bytes(const unsigned char *bytes, long size) {
  char line[65];
  int length = 0;
  for (long i = 0; i < size; i++) {
    line[length++] = "0123456789abcdef"[bytes[i] >> 4];
    line[length++] = "0123456789abcdef"[bytes[i] & 15];
    if (length == 64 || i + 1 == size) {
      line[length] = 0;
      print(line);
      length = 0;
    }
  }
  print("\n");
}

static void run(void) {
  model_run(ARGUMENTS);
  for (int i = 0; i < RESULTS; i++) print_bytes(results[i], sizes[i]);
}

#if defined __arm__ || defined __riscv
static void __attribute__((used)) begin(void) {
#if defined __ARM_FP
  *(volatile unsigned *)0xe000ed88 |= 15u << 20; /* the processor's floats may be used */
  __asm__ volatile("dsb\nisb");
#endif
  unsigned char *const here = __builtin_frame_address(0);
  for (volatile unsigned char *at = stack_begin; at < here - 256; at++) *at = 0xa5;
  model_run(ARGUMENTS);
  const volatile unsigned char *deepest = stack_begin;
  while (*deepest == 0xa5) deepest++;
  const unsigned used = (unsigned)(here - (const unsigned char *)deepest);
  run();
  const unsigned char bytes[4] = {used >> 24, used >> 16, used >> 8, used};
  print_bytes(bytes, 4);
  const unsigned long ended[2] = {0x20026, 0};
  debugger(0x20 /* end with a status */, ended);
  for (;;) {}
}

#ifdef __arm__
void reset(void);
__attribute__((section(".first"), used)) static const void *const vectors[] = {stack_end, (const void *)reset};
void reset(void) { begin(); }
#else
__asm__(".section .first, \"ax\"\nla sp, stack_end\ncall begin\n");
#endif
#else
int main(void) { run(); }
#endif
