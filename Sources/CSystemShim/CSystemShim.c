#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSystemShim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __linux__
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

int godwit_rename_without_replacing(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
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

long godwit_copy_file_range(int from, int to, unsigned long count) {
    (void)from;
    (void)to;
    (void)count;
    errno = ENOSYS;
    return -1;
}
#endif
