/* Two Linux calls that the C library shows only with _GNU_SOURCE, which Swift's module of it does not set. */
#ifndef CSYSTEMSHIM_H
#define CSYSTEMSHIM_H

/* rename(2) that fails with EEXIST instead of replacing: renameat2(2), RENAME_NOREPLACE. ENOSYS off Linux. */
int godwit_rename_without_replacing(const char *from, const char *to);

/* copy_file_range(2) between the current offsets of two files. -1 with ENOSYS off Linux. */
long godwit_copy_file_range(int from, int to, unsigned long count);

#endif
