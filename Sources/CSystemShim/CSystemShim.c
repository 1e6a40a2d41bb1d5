#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSystemShim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>
#include <sys/xattr.h>
#endif
#ifdef __APPLE__
#include <TargetConditionals.h>
#include <copyfile.h>
#include <mach-o/dyld.h>
#if TARGET_OS_OSX
#include <sys/types.h>
#include <sys/acl.h>
#endif
#endif
#if !(TARGET_OS_TV || TARGET_OS_WATCH)
#include <signal.h>
#include <spawn.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

void godwit_share_one_heap(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
#endif
}

long long godwit_addresses_left(void) {
#ifdef __linux__
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    char text[32] = {0};
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    long long taken = count > 0 ? strtoll(text, NULL, 10) * sysconf(_SC_PAGESIZE) : 0;
    if (taken <= 0 || limit.rlim_cur > LLONG_MAX) return -1;
    return taken < (long long)limit.rlim_cur ? (long long)limit.rlim_cur - taken : 0;
#else
    return -1;
#endif
}

void godwit_give_back_large_blocks(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

void godwit_give_way(int steps) {
#ifdef __linux__
    if (getpriority(PRIO_PROCESS, 0) < 5 * steps) setpriority(PRIO_PROCESS, 0, 5 * steps);
#else
    (void)steps;
#endif
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

void godwit_start_flushing(int file, long long start, long long count) {
#ifdef __linux__
    sync_file_range(file, start, count, SYNC_FILE_RANGE_WRITE);
#else
    (void)file, (void)start, (void)count;
#endif
}

int godwit_release_range(int file, long long start, long long count) {
#if defined(__linux__)
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, start, count);
#elif defined(F_PUNCHHOLE)
    struct fpunchhole hole = {0};
    hole.fp_offset = start;
    hole.fp_length = count;
    return fcntl(file, F_PUNCHHOLE, &hole);
#else
    (void)file, (void)start, (void)count;
    errno = ENOTSUP;
    return -1;
#endif
}

#if defined(__linux__)
/* Maximum size of a value, and of all names together: 64 KiB, xattr(7), XATTR_SIZE_MAX and XATTR_LIST_MAX. */
enum { attributes_capacity = 1 << 16 };

/* 0 also if the file system has no attributes, or if only the system may set this one. */
static int copy_attribute(const char *from, int to, const char *name, void *value) {
    ssize_t size = getxattr(from, name, value, attributes_capacity);
    if (size >= 0 && fsetxattr(to, name, value, (size_t)size, 0) == 0) return 0;
    return errno == ENOTSUP || errno == EPERM || errno == EACCES || errno == ENODATA || errno == ENOENT ? 0 : -1;
}

int godwit_copy_access_list(const char *from, int to) {
    char *value = malloc(attributes_capacity);
    int result = value == NULL ? -1 : copy_attribute(from, to, "system.posix_acl_access", value);
    int number = errno;
    free(value);
    errno = number;
    return result;
}

int godwit_copy_attributes(const char *from, int to) {
    char *names = malloc(2 * attributes_capacity);
    if (names == NULL) return -1;
    ssize_t length = listxattr(from, names, attributes_capacity);
    int result = length >= 0 || errno == ENOTSUP || errno == ENOENT ? 0 : -1;
    for (ssize_t place = 0; result == 0 && place < length; place += (ssize_t)strlen(names + place) + 1) {
        result = copy_attribute(from, to, names + place, names + attributes_capacity);
    }
    int number = errno;
    free(names);
    errno = number;
    return result;
}
#elif defined(__APPLE__)
int godwit_copy_attributes(const char *from, int to) {
    int file = open(from, O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno == ENOENT ? 0 : -1;
    int result = fcopyfile(file, to, NULL, COPYFILE_ACL | COPYFILE_XATTR);
    int number = errno;
    close(file);
    errno = number;
    return result;
}

int godwit_copy_access_list(const char *from, int to) {
#if TARGET_OS_OSX
    acl_t list = acl_get_file(from, ACL_TYPE_EXTENDED);
    if (list == NULL) return 0;
    int result = acl_set_fd(to, list);
    int number = errno;
    acl_free(list);
    errno = number;
    return result;
#else
    (void)from, (void)to;
    return 0;
#endif
}
#else
int godwit_copy_attributes(const char *from, int to) {
    (void)from, (void)to;
    return 0;
}

int godwit_copy_access_list(const char *from, int to) { return godwit_copy_attributes(from, to); }
#endif

#if TARGET_OS_TV || TARGET_OS_WATCH
/* Apps cannot start processes on these systems. */
int godwit_start(const char *program, char *const arguments[], int *input, int *output) {
    (void)program;
    (void)arguments;
    (void)input;
    (void)output;
    errno = ENOSYS;
    return -1;
}
#else
extern char **environ;

static int close_on_exec(int ends[2]) {
    for (int i = 0; i < 2; i++) {
        /* Above the standard descriptors; otherwise the child's dup2 of one pipe would replace the other. */
        int moved = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
        int failure = errno;
        close(ends[i]);
        ends[i] = moved;
        if (moved < 0) {
            close(ends[1 - i]);
            errno = failure;
            return -1;
        }
    }
    return 0;
}

static int make_pipe(int ends[2]) {
#ifdef __linux__
    /* Atomically closed on exec, because another thread may start a child at the same time. */
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
#else
    if (pipe(ends) != 0) return -1;
#endif
    return close_on_exec(ends);
}

/* Blocks signals in the child that would end it before it has set its handlers. */
static int hold_signals(posix_spawnattr_t *attributes) {
    sigset_t held;
    int failure = pthread_sigmask(SIG_BLOCK, NULL, &held);
    if (failure != 0) return failure;
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    failure = posix_spawnattr_setsigmask(attributes, &held);
    return failure != 0 ? failure : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
}

static int spawn(pid_t *child, const char *program, const posix_spawn_file_actions_t *actions, char *const arguments[]) {
    posix_spawnattr_t attributes;
    int failure = posix_spawnattr_init(&attributes);
    if (failure != 0) return failure;
    failure = hold_signals(&attributes);
    if (failure == 0) failure = posix_spawn(child, program, actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

int godwit_start(const char *program, char *const arguments[], int *input, int *output) {
    int in[2], out[2];
    if (make_pipe(in) != 0) return -1;
    if (make_pipe(out) != 0) {
        int failure = errno;
        close(in[0]);
        close(in[1]);
        errno = failure;
        return -1;
    }
    posix_spawn_file_actions_t actions;
    pid_t child = -1;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure == 0) {
        failure = posix_spawn_file_actions_adddup2(&actions, in[0], 0);
        if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, out[1], 1);
        if (failure == 0) failure = spawn(&child, program, &actions, arguments);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(in[0]);
    close(out[1]);
    if (failure != 0) {
        close(in[1]);
        close(out[0]);
        errno = failure;
        return -1;
    }
    *input = in[1];
    *output = out[0];
    return child;
}
#endif

int godwit_executable_path(char *path, unsigned int size) {
#ifdef __APPLE__
    return _NSGetExecutablePath(path, &size);
#else
    (void)path, (void)size;
    return -1;
#endif
}
