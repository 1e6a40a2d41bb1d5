#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSystemShim.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <stdio.h>
#include <unistd.h>

static struct flock range(int kind, long long start, long long count) {
    struct flock range = {0};
    range.l_type = kind == 2 ? F_WRLCK : kind == 1 ? F_RDLCK : F_UNLCK;
    range.l_whence = SEEK_SET;
    range.l_start = (off_t)start;
    range.l_len = (off_t)count;
    return range;
}

int godwit_lock_bytes(int file, int kind, long long start, long long count) {
    struct flock wanted = range(kind, start, count);
    return fcntl(file, F_SETLK, &wanted);
}

int godwit_bytes_are_free(int file, long long start, long long count) {
    struct flock wanted = range(2, start, count);
    return fcntl(file, F_GETLK, &wanted) == 0 && wanted.l_type == F_UNLCK;
}

int godwit_processor_count(void) {
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

#ifdef __linux__
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

int godwit_rename_without_replacing(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int godwit_rename_exchanging(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

long godwit_copy_file_range(int from, int to, unsigned long count) {
    return copy_file_range(from, NULL, to, NULL, count, 0);
}
#else
int godwit_rename_without_replacing(const char *from, const char *to) {
    (void)from;
    (void)to;
    errno = ENOSYS;
    return -1;
}

int godwit_rename_exchanging(const char *one, const char *other) {
    (void)one;
    (void)other;
    errno = ENOSYS;
    return -1;
}

long godwit_copy_file_range(int from, int to, unsigned long count) {
    (void)from;
    (void)to;
    (void)count;
    errno = ENOSYS;
    return -1;
}
#endif
