/* ---- the file of the weights */

static void unmap_weights(const char *weights);

#ifdef EMBEDDED
static int map_weights(const char *path, const char **weights) {
  (void)path;
  *weights = (const char *)embedded;
  return 1;
}
static void unmap_weights(const char *weights) { (void)weights; }
#elif defined _WIN32
int MultiByteToWideChar(unsigned page, unsigned flags, const char *from, int size, unsigned short *to, int most);
void *CreateFileW(const unsigned short *path, unsigned access, unsigned share, void *security, unsigned how, unsigned flags,
                  void *other);
int GetFileSizeEx(void *file, int64 *size);
void *CreateFileMappingW(void *file, void *security, unsigned protection, unsigned high, unsigned low, const void *name);
void *MapViewOfFile(void *mapping, unsigned access, unsigned high, unsigned low, size_t size);
int UnmapViewOfFile(const void *view);
int CloseHandle(void *object);

static int map_weights(const char *path, const char **weights) {
  unsigned short wide[4096];
  int64 size = -1;
  if (!MultiByteToWideChar(65001 /* UTF-8 */, 0, path, -1, wide, 4096)) return 0;
  void *const file = CreateFileW(wide, 0x80000000u /* read */, 1 /* share */, 0, 3 /* existing */, 0, 0);
  if (file == (void *)-1) return 0;
  void *const mapping = GetFileSizeEx(file, &size) ? CreateFileMappingW(file, 0, 2 /* read only */, 0, 0, 0) : 0;
  *weights = mapping && (size_t)size == weights_size ? MapViewOfFile(mapping, 4 /* read */, 0, 0, 0) : 0;
  if (mapping) CloseHandle(mapping);
  CloseHandle(file);
  return 1;
}
static void unmap_weights(const char *weights) { UnmapViewOfFile(weights); }
#else
int open(const char *path, int flags, ...);
int close(int file);
#ifdef __wasi__ /* cannot map files */
int64 lseek(int file, int64 offset, int whence);
ptrdiff_t read(int file, void *to, size_t size);
enum { READ_ONLY = 0x04000000 };

static char *file_memory(int file) {
  char *const memory = malloc(weights_size);
  size_t done = 0;
  for (ptrdiff_t now = 1; memory && now > 0 && done < weights_size; done += now > 0 ? now : 0)
    now = read(file, memory + done, weights_size - done);
  if (memory && done == weights_size) return memory;
  free(memory);
  return 0;
}
static void unmap_weights(const char *weights) { free((void *)weights); }
#else
/* 64-bit systems: an offset has as many bits as a pointer. */
ptrdiff_t lseek(int file, ptrdiff_t offset, int whence);
void *mmap(void *at, size_t size, int protection, int flags, int file, ptrdiff_t offset);
int munmap(void *memory, size_t size);
#ifdef __APPLE__
enum { READ_ONLY = 0x1000000 /* and closed by exec */ };
#else
enum { READ_ONLY = 02000000 };
#endif

static char *file_memory(int file) {
  char *const memory = mmap(0, weights_size, 1 /* read */, 2 /* private */, file, 0);
  return memory == (char *)-1 ? 0 : memory;
}
static void unmap_weights(const char *weights) { munmap((void *)weights, weights_size); }
#endif

/* Map the file, if it has the right size; return whether it can be read. */
static int map_weights(const char *path, const char **weights) {
  const int file = open(path, READ_ONLY);
  if (file < 0) return 0;
  const int fits = (size_t)lseek(file, 0, 2) == weights_size && lseek(file, 0, 0) == 0;
  *weights = fits ? file_memory(file) : 0;
  close(file);
  return 1;
}
#endif
