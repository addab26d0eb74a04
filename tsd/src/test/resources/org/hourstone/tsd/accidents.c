/*
 * Preloaded into a daemon, makes operations on the files of a RocksDB store fail. What fails is in a
 * file of five 32-bit numbers, named by ACCIDENTS, which a test changes while the daemon runs: the
 * error (0 for none), the operations, the kinds of files, how many of a thousand fail, and a count of
 * those that did.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, WRITE = 2, SYNC = 4, OPEN = 8, READ = 16, RENAME = 32 };
enum { LOG = 1, TABLE = 2, MANIFEST = 4, OTHER = 8 };
enum { MOST = 65536 };

static volatile uint32_t *plan;
static volatile unsigned char kinds[MOST];

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("ACCIDENTS");
  int (*open_file)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int fd = path ? open_file(path, O_RDWR) : -1;
  if (fd >= 0) {
    void *mapped = mmap(0, 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    plan = mapped == MAP_FAILED ? 0 : mapped;
    close(fd);
  }
}

/* The kind of a file, 0 if it is not one of the store's data files. */
static int kind(const char *path) {
  const char *name = strrchr(path, '/');
  size_t length = strlen(path);
  name = name ? name + 1 : path;
  if (length > 4 && name[0] >= '0' && name[0] <= '9') {
    const char *end = path + length - 4;
    if (!strcmp(end, ".log")) return LOG;
    if (!strcmp(end, ".sst")) return TABLE;
  }
  if (!strncmp(name, "MANIFEST-", 9)) return MANIFEST;
  if (!strcmp(name, "CURRENT") || !strncmp(name, "OPTIONS-", 8) || strstr(name, "dbtmp")) return OTHER;
  return 0;
}

static int fails(uint32_t operation, int kind) {
  static __thread unsigned seed;
  if (!plan || !kind || !plan[0] || !(plan[1] & operation) || !(plan[2] & kind)) return 0;
  if (!seed) seed = (unsigned)(uintptr_t)&seed | 1;
  if ((uint32_t)(rand_r(&seed) % 1000) >= plan[3]) return 0;
  plan[4]++;
  errno = plan[0];
  return 1;
}

static int kind_of(int fd) { return fd >= 0 && fd < MOST ? kinds[fd] : 0; }

static int opened(const char *name, const char *path, int flags, mode_t mode) {
  int its = kind(path);
  if (fails(flags & O_CREAT ? CREATE : OPEN, its)) return -1;
  int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, name);
  int fd = next(path, flags, mode);
  if (fd >= 0 && fd < MOST) kinds[fd] = its;
  return fd;
}

#define OPENING(name)                             \
  int name(const char *path, int flags, ...) {    \
    va_list more;                                 \
    va_start(more, flags);                        \
    mode_t mode = va_arg(more, int);              \
    va_end(more);                                 \
    return opened(#name, path, flags, mode);      \
  }
OPENING(open)
OPENING(open64)

int close(int fd) {
  static int (*next)(int);
  if (!next) next = dlsym(RTLD_NEXT, "close");
  if (fd >= 0 && fd < MOST) kinds[fd] = 0;
  return next(fd);
}

/* A part of what is written may arrive. */
static size_t part(size_t size) { return size > 1 && (size & 3) ? size / 2 : 0; }

ssize_t write(int fd, const void *bytes, size_t size) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = dlsym(RTLD_NEXT, "write");
  if (fails(WRITE, kind_of(fd))) {
    int error = errno;
    if (part(size)) next(fd, bytes, part(size));
    errno = error;
    return -1;
  }
  return next(fd, bytes, size);
}

#define PWRITE(name)                                                                \
  ssize_t name(int fd, const void *bytes, size_t size, off_t at) {                   \
    static ssize_t (*next)(int, const void *, size_t, off_t);                        \
    if (!next) next = dlsym(RTLD_NEXT, #name);                                       \
    return fails(WRITE, kind_of(fd)) ? -1 : next(fd, bytes, size, at);               \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

#define PREAD(name)                                                                 \
  ssize_t name(int fd, void *bytes, size_t size, off_t at) {                         \
    static ssize_t (*next)(int, void *, size_t, off_t);                              \
    if (!next) next = dlsym(RTLD_NEXT, #name);                                       \
    return fails(READ, kind_of(fd)) ? -1 : next(fd, bytes, size, at);                \
  }
PREAD(pread)
PREAD(pread64)

#define SYNCING(name)                                       \
  int name(int fd) {                                        \
    static int (*next)(int);                                \
    if (!next) next = dlsym(RTLD_NEXT, #name);              \
    return fails(SYNC, kind_of(fd)) ? -1 : next(fd);        \
  }
SYNCING(fsync)
SYNCING(fdatasync)

int sync_file_range(int fd, off64_t at, off64_t size, unsigned flags) {
  static int (*next)(int, off64_t, off64_t, unsigned);
  if (!next) next = dlsym(RTLD_NEXT, "sync_file_range");
  return fails(SYNC, kind_of(fd)) ? -1 : next(fd, at, size, flags);
}

int rename(const char *from, const char *to) {
  static int (*next)(const char *, const char *);
  if (!next) next = dlsym(RTLD_NEXT, "rename");
  return fails(RENAME, kind(to)) ? -1 : next(from, to);
}
