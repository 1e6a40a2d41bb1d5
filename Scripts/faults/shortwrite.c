/* Preloaded into a command: every third call of write and pwrite writes a part only, every seventh is interrupted.
   cc -shared -fPIC -O1 -o shortwrite.so shortwrite.c -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_uint calls;

/* So that a command which does not go through here is not taken for one that stood the test; a line for each process. */
__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("SHORTWRITE_LOG");
    FILE *file = path ? fopen(path, "a") : 0;
    if (!file) return;
    fprintf(file, "%u\n", atomic_load(&calls));
    fclose(file);
}

/* How much of a call goes through: 0 is an interruption. */
static size_t share(size_t count) {
    unsigned call = atomic_fetch_add(&calls, 1) + 1;
    const char *text = getenv("SHORTWRITE_MOST");
    size_t most = text ? strtoul(text, 0, 10) : 1;
    if (call % 7 == 0) return 0;
    return call % 3 == 0 && count > most ? most : count;
}

#define FORWARD(name, parameters, arguments)                                                                    \
    ssize_t name parameters {                                                                                   \
        static ssize_t(*next) parameters;                                                                       \
        if (!next) { void *found = dlsym(RTLD_NEXT, #name); memcpy(&next, &found, sizeof next); }               \
        size_t part = share(count);                                                                             \
        if (part == 0 && count > 0) { errno = EINTR; return -1; }                                               \
        count = part;                                                                                           \
        return next arguments;                                                                                  \
    }

FORWARD(write, (int file, const void *bytes, size_t count), (file, bytes, count))
FORWARD(pwrite, (int file, const void *bytes, size_t count, off_t place), (file, bytes, count, place))
FORWARD(pwrite64, (int file, const void *bytes, size_t count, off64_t place), (file, bytes, count, place))
FORWARD(copy_file_range,
        (int from, off64_t *in, int to, off64_t *out, size_t count, unsigned int flags),
        (from, in, to, out, count, flags))
