/* Linux calls that the C library declares only with _GNU_SOURCE, which Swift's module of it does not set, and byte locks,
   whose structure and function have the same name. */
#ifndef CSYSTEMSHIM_H
#define CSYSTEMSHIM_H

/* rename(2) that fails with EEXIST instead of replacing: renameat2(2), RENAME_NOREPLACE. ENOSYS on other systems. */
int godwit_rename_without_replacing(const char *from, const char *to);

/* rename(2) that exchanges two files: renameat2(2), RENAME_EXCHANGE. ENOSYS on other systems. */
int godwit_rename_exchanging(const char *one, const char *other);

/* Takes or releases a lock of this process on bytes of a file, without waiting: fcntl(2), F_SETLK.
   kind: 0 none, 1 shared, 2 exclusive (the file must be open for writing). 0, or -1 with errno. */
int godwit_lock_bytes(int file, int kind, long long start, long long count);

/* 1 if no other process has a lock on these bytes, else 0. */
int godwit_bytes_are_free(int file, long long start, long long count);

/* copy_file_range(2) between the current offsets of two files. -1 with ENOSYS on other systems. */
long godwit_copy_file_range(int from, int to, unsigned long count);

/* Starts writing a part of a file to the disk, without waiting: sync_file_range(2). Only on Linux. */
void godwit_start_flushing(int file, long long start, long long count);

/* Returns whole blocks in a part of a file to the file system; they then read as zeros: fallocate(2), and F_PUNCHHOLE in
   fcntl(2) of Darwin. -1 if the file system cannot do that. */
int godwit_release_range(int file, long long start, long long count);

/* Copies the extended attributes of the file at a path, with its access control list: xattr(7), acl(5), and copyfile(3) of
   Darwin. Omits those that only the system may set, and does nothing if the file does not exist. 0, or -1 with errno. */
int godwit_copy_attributes(const char *from, int to);

/* The same for the access control list only. Does not open the file at the path, because closing it would release SQLite's
   locks on it, fcntl(2). */
int godwit_copy_access_list(const char *from, int to);

/* Prefetches memory that will be read soon. */
static inline void godwit_prefetch(const void *place) { __builtin_prefetch(place); }

/* Number of processors that this process may use; on Linux only those in its affinity mask (taskset(1), containers),
   sched_getaffinity(2). Below 1 if unknown. */
int godwit_processor_count(void);

/* Number of bytes of address space that this process may still use, if it has a limit (setrlimit(2), RLIMIT_AS; `ulimit -v`)
   and the system reports its use: proc(5), /proc/self/statm. -1 if there is no limit, or if the use is unknown. */
long long godwit_addresses_left(void);

/* Makes all threads share one heap: mallopt(3), M_ARENA_MAX. Each further arena of glibc reserves 64 MiB of address space.
   Only with glibc. */
void godwit_share_one_heap(void);

/* Raises the niceness of the calling thread, and of the threads that it starts later, to 5 for each step: setpriority(2),
   which applies to one thread on Linux. Only on Linux. */
void godwit_give_way(int steps);

/* Returns every block of at least 1 MiB to the system as soon as it is freed: mallopt(3), M_MMAP_THRESHOLD, which otherwise
   grows when the first such block is freed. Only with glibc. */
void godwit_give_back_large_blocks(void);

/* Starts a program as a child with pipes as standard input and output, and the caller's standard error. The caller writes to
   *input and reads from *output; both are closed on exec, and the child gets no other descriptor of the pipes.
   SIGINT, SIGTERM and SIGHUP are blocked until the child unblocks them.
   Returns the child's process id, or -1 with errno. */
int godwit_start(const char *program, char *const arguments[], int *input, int *output);

/* Writes the path of this program's file: dyld(3) of Darwin. 0, or -1 if it does not fit, and on other systems. */
int godwit_executable_path(char *path, unsigned int size);

#endif
