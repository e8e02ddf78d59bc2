/* Runs the program of model.h on files or on made-up numbers, and prints a summary of its results. */

#include "model.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef _WIN32
enum { SEPARATOR = '\\' };
#else
enum { SEPARATOR = '/' };
#endif

static const char usage[] =
    "usage: model [-o FOLDER] [-n RUNS] [FILE …]\n"
    "\n"
    "Runs the program of model.h, @COMPILER@, and prints a summary of its results. Each FILE is an input, in the order of model.h:\n"
    "a .npy file or the raw bytes. For - and for missing inputs, numbers are made up.\n"
    "  -o FOLDER  write the results to FOLDER: out0.npy, out1.npy, …\n"
    "  -n RUNS    run RUNS times, and print how long the fastest run took\n"
#ifdef MODEL_SIZES
    "  NAME=SIZE  one of the sizes of model.h; otherwise, all are @OTHERWISE@\n"
#endif
    ;

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("model: error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(1);
}

static void *memory(size_t size) {
  void *const found = malloc(size + 1);
  if (!found) fail("not enough memory for %zu bytes", size);
  return found;
}

static size_t count(const struct model_tensor *t) { return t->element_size ? t->size / t->element_size : 0; }

/* ---- numbers of each type */

static int is(const struct model_tensor *t, const char *dtype) { return !strcmp(t->dtype, dtype); }

static int is_complex(const struct model_tensor *t) { return !strncmp(t->dtype, "complex", 7); }

/* numpy's letter: f, i, u or b; c for complex numbers; V for formats that numpy does not have. */
static char kind(const struct model_tensor *t) {
  if (is_complex(t)) return 'c';
  if (is(t, "f16") || is(t, "f32") || is(t, "f64")) return 'f';
  if (is(t, "i1")) return 'b';
  if (t->dtype[0] == 'i') return 'i'; /* "index" too */
  return t->dtype[0] == 'u' ? 'u' : 'V';
}

static double half(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                      : exponent     ? ldexp(fraction + 1024, exponent - 25)
                                     : ldexp(fraction, -24);
  return bits >> 15 ? -size : size;
}

/* What is needed to read numbers of a type. */
struct format {
  size_t size, parts; /* the bytes of a number, and the numbers of an element */
  char kind;          /* as above, but f for the parts of complex numbers */
  int is_f16, is_bf16;
};

static struct format format_of(const struct model_tensor *t) {
  const size_t parts = is_complex(t) ? 2 : 1;
  return (struct format){t->element_size / parts, parts, is_complex(t) ? 'f' : kind(t), is(t, "f16"), is(t, "bf16")};
}

/* The number at `at`, or its bits as an integer if the format is not known here. */
static double number(const struct format *f, const char *at) {
  uint64_t bits = 0;
  memcpy(&bits, at, f->size); /* all machines that this is for are little-endian */
  if (f->is_f16) return half(bits);
  if (f->is_bf16) bits <<= 16;
  if (f->kind == 'f' || f->is_bf16) {
    float narrow;
    double wide;
    memcpy(&narrow, &bits, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return f->size == 8 ? wide : narrow;
  }
  if (f->kind == 'i' && f->size < 8 && bits >> (8 * f->size - 1)) return (double)bits - ldexp(1, 8 * f->size);
  return f->kind == 'i' ? (double)(int64_t)bits : (double)bits;
}

/* Make up numbers between -1 and 1, small integers, or both truth values. */
static void make_up(const struct model_tensor *t, char *to) {
  const struct format f = format_of(t);
  size_t done = 0;
  for (size_t i = 0; i < 17 && done < t->size; i++, done += f.size) {
    const int step = i * 7 % 17;
    const float narrow = (step - 8) / 8.0f;
    const double wide = narrow;
    uint32_t bits;
    uint64_t whole = step % (f.kind == 'b' || f.size == 1 ? 2 : 8);
    memcpy(&bits, &narrow, sizeof bits);
    if (f.is_bf16) whole = bits >> 16;
    if (f.is_f16) whole = step == 8 ? 0 : (bits >> 16 & 0x8000) | ((bits >> 13 & 0x3ffff) - (112 << 10));
    if (f.size == 4 && f.kind == 'f') memcpy(&whole, &narrow, sizeof narrow);
    if (f.size == 8 && f.kind == 'f') memcpy(&whole, &wide, sizeof wide);
    memcpy(to + done, &whole, f.size);
  }
  for (; done < t->size; done *= 2) memcpy(to + done, to, t->size - done < done ? t->size - done : done); /* the same again */
}

/* ---- files */

static void describe(const struct model_tensor *t, char *to, size_t size) {
  snprintf(to, size, "%c%c%zu", t->element_size == 1 || kind(t) == 'V' ? '|' : '<', kind(t), t->element_size);
}

static void write_array(const struct model_tensor *t, const char *folder, size_t number, const char *data) {
  char path[4096], descr[32], head[2048];
  if (snprintf(path, sizeof path, "%s/out%zu.npy", folder, number) >= (int)sizeof path) fail("%s is too long", folder);
  describe(t, descr, sizeof descr);
  int length = snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
  for (size_t i = 0; i < t->rank && length < 1900; i++)
    length += snprintf(head + length, sizeof head - length, "%zu,", t->shape[i]);
  length += snprintf(head + length, sizeof head - length, "), }");
  while ((length + 11) % 64) head[length++] = ' ';
  head[length++] = '\n';
  FILE *const file = fopen(path, "wb");
  if (!file) fail("cannot write %s", path);
  fwrite("\x93NUMPY\x01\x00", 1, 8, file);
  fputc(length & 255, file);
  fputc(length >> 8, file);
  fwrite(head, 1, length, file);
  fwrite(data, 1, t->size, file);
  if (ferror(file) | fclose(file)) fail("cannot write %s", path);
}

/* Whether the header of a .npy file has the type and shape of an input. */
static int fits(const struct model_tensor *t, const char *head) {
  char descr[32];
  describe(t, descr, sizeof descr);
  const char *type = strstr(head, "'descr':"), *at = strstr(head, "'shape':");
  if (!type || !at || strstr(head, "'fortran_order': True")) return 0;
  type += strcspn(type + 8, "'") + 9;
  if (kind(t) != 'V' && strncmp(type, descr, strlen(descr))) return 0;
  if (kind(t) == 'V' && strtoul(type + 2, 0, 10) != t->element_size) return 0;
  at += strcspn(at, "(") + 1;
  for (size_t i = 0; i < t->rank; i++) {
    char *end;
    if (strtoull(at, &end, 10) != t->shape[i] || end == at) return 0;
    at = end + strspn(end, ", ");
  }
  return *at == ')';
}

static void read_array(const struct model_tensor *t, size_t number, const char *path, char *to) {
  FILE *const file = fopen(path, "rb");
  if (!file) fail("cannot read %s", path);
  unsigned char start[12];
  const size_t found = fread(start, 1, 12, file);
  long begin = 0;
  if (found == 12 && !memcmp(start, "\x93NUMPY", 6)) {
    size_t length = start[8] | start[9] << 8;
    begin = 10;
    if (start[6] > 1) length |= (size_t)start[10] << 16 | (size_t)start[11] << 24, begin = 12;
    if (length > 1 << 20) fail("%s has a damaged header", path);
    char *const head = memory(length);
    if (fseek(file, begin, SEEK_SET) || fread(head, 1, length, file) != length) fail("%s is truncated", path);
    head[length] = 0;
    if (!fits(t, head)) fail("%s has %s, but input %zu has another type or shape: see model.h", path, head, number);
    free(head);
    begin += length;
  }
  if (fseek(file, begin, SEEK_SET) || fread(to, 1, t->size, file) != t->size || fgetc(file) != EOF)
    fail("%s does not hold exactly %zu bytes, the size of input %zu", path, t->size, number);
  fclose(file);
}

/* ---- the program */

static void summarise(const struct model_tensor *t, size_t place, const char *data) {
  const struct format f = format_of(t);
  const size_t numbers = count(t) * f.parts;
  double low = INFINITY, high = -INFINITY;
  size_t finite = 0;
  for (size_t i = 0; i < numbers; i++) {
    const double x = number(&f, data + i * f.size);
    if (!__builtin_isfinite(x)) continue;
    low = x < low ? x : low;
    high = x > high ? x : high;
    finite++;
  }
  printf("%zu%s", place, *t->name ? " " : "");
  for (const char *c = t->name; *c; c++) putchar((unsigned char)*c < 32 || *c == 127 ? '?' : *c);
  printf(": %s[", t->dtype);
  for (size_t i = 0; i < t->rank; i++) printf("%s%zu", i ? ", " : "", t->shape[i]);
  printf("]");
  if (finite) printf(" min %g max %g", low, high);
  if (finite < numbers) printf(" not finite %zu", numbers - finite);
  printf(numbers ? " [" : " empty");
  for (size_t i = 0; i < numbers && i < 4; i++) printf("%s%g", i ? ", " : "", number(&f, data + i * f.size));
  puts(numbers > 4 ? ", …]" : numbers ? "]" : "");
}

#ifdef MODEL_SIZES
static int64_t sizes[MODEL_SIZES];

/* Whether an argument is NAME=SIZE, which is then noted. */
static int is_size(const char *text) {
  const struct model_sizes *const known = model_describe_sizes();
  for (size_t i = 0; i < known->count; i++) {
    const size_t length = strlen(known->names[i]);
    if (strncmp(text, known->names[i], length) || text[length] != '=') continue;
    char *end;
    sizes[i] = strtoll(text + length + 1, &end, 10);
    if (end == text + length + 1 || *end) fail("%s: expected a number after =", text);
    return 1;
  }
  return 0;
}

/* The inputs and results for the sizes among the arguments. */
static const struct model_info *describe_for(int argc, char **argv) {
  @FIRST_SIZES@
  for (int i = 1; i < argc; i++) is_size(argv[i]);
  const struct model_info *const found = model_describe_for(sizes);
  if (!found) fail("%s", model_error(@NO_SIZES@));
  return found;
}
static int run(model_context *context, void **inputs, void **outputs) {
  return model_run_for(context, sizes, (const void *const *)inputs, outputs);
}
#else
static int is_size(const char *text) { return (void)text, 0; }
static const struct model_info *describe_for(int argc, char **argv) { return (void)argc, (void)argv, model_describe(); }
static int run(model_context *context, void **inputs, void **outputs) {
  return model_run_arrays(context, (const void *const *)inputs, outputs);
}
#endif

int main(int argc, char **argv) {
  const char *folder = 0;
  long runs = 0;
  const struct model_info *const m = describe_for(argc, argv);
  void **const inputs = memory((m->input_count + 1) * sizeof *inputs);
  void **const outputs = memory((m->output_count + 1) * sizeof *outputs);
  size_t given = 0;
  char beside[4096];
  const char *weights = "weights.safetensors";
  size_t slash = strlen(argv[0]);
  while (slash && argv[0][slash] != '/' && argv[0][slash] != SEPARATOR) slash--;
  if (slash && snprintf(beside, sizeof beside, "%.*s/%s", (int)slash, argv[0], weights) < (int)sizeof beside)
    weights = beside;
  for (size_t i = 0; i < m->input_count; i++) inputs[i] = 0;
  for (int i = 1; i < argc; i++) {
    if (is_size(argv[i])) continue;
    const int option = !strcmp(argv[i], "-o") || !strcmp(argv[i], "-n");
    if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) return fputs(usage, stdout), 0;
    if ((option && i + 1 == argc) || (argv[i][0] == '-' && argv[i][1] && !option)) return fputs(usage, stderr), 2;
    if (option && argv[i][1] == 'o') folder = argv[++i];
    else if (option) runs = atol(argv[++i]);
    else if (given == m->input_count) fail("%s is one input too many: the program has %zu", argv[i], given);
    else {
      const struct model_tensor *const t = &m->inputs[given];
      inputs[given] = memory(t->size);
      if (strcmp(argv[i], "-")) read_array(t, given, argv[i], inputs[given]);
      else make_up(t, inputs[given]);
      given++;
    }
  }
  for (; given < m->input_count; given++) make_up(&m->inputs[given], inputs[given] = memory(m->inputs[given].size));
  for (size_t i = 0; i < m->output_count; i++) outputs[i] = memory(m->outputs[i].size);
  model_context *context;
  int failed = model_create(&context, weights, 0);
#ifdef MODEL_HANDLERS
  if (failed == MODEL_HANDLER_FAILED) fail("%s", model_failure(0));
#endif
  if (failed == MODEL_NO_WEIGHTS || failed == MODEL_OTHER_WEIGHTS) fail("%s: %s", weights, model_error(failed));
  if (failed) fail("%s", model_error(failed));
  double best = INFINITY;
  for (long i = 0; i < runs || i == 0; i++) {
    struct timespec start, end;
    timespec_get(&start, TIME_UTC);
    failed = run(context, inputs, outputs);
    timespec_get(&end, TIME_UTC);
#ifdef MODEL_HANDLERS
    if (failed == MODEL_HANDLER_FAILED) fail("%s", model_failure(context));
#endif
    if (failed) fail("%s", model_error(failed));
    best = fmin(best, 1e3 * (end.tv_sec - start.tv_sec) + 1e-6 * (end.tv_nsec - start.tv_nsec));
  }
  for (size_t i = 0; i < m->output_count; i++) {
    summarise(&m->outputs[i], i, outputs[i]);
    if (folder) write_array(&m->outputs[i], folder, i, outputs[i]);
  }
  if (runs > 0) printf("fastest of %ld run%s: %.3f ms\n", runs, runs > 1 ? "s" : "", best);
  for (size_t i = 0; i < m->input_count; i++) free(inputs[i]);
  for (size_t i = 0; i < m->output_count; i++) free(outputs[i]);
  model_destroy(context);
  free(inputs);
  free(outputs);
}
