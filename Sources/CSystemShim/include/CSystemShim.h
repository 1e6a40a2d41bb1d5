/* Linux calls that the C library shows only with _GNU_SOURCE, which Swift's module of it does not set, and byte locks,
   whose structure and function share a name. */
#ifndef CSYSTEMSHIM_H
#define CSYSTEMSHIM_H

/* rename(2) that fails with EEXIST instead of replacing: renameat2(2), RENAME_NOREPLACE. ENOSYS off Linux. */
int godwit_rename_without_replacing(const char *from, const char *to);

/* rename(2) that exchanges two files: renameat2(2), RENAME_EXCHANGE. ENOSYS off Linux. */
int godwit_rename_exchanging(const char *one, const char *other);

/* Takes a lock of this process on bytes of a file, or gives it back, without waiting: fcntl(2), F_SETLK.
   kind: 0 none, 1 shared, 2 exclusive (the file must be open for writing). 0, or -1 with errno. */
int godwit_lock_bytes(int file, int kind, long long start, long long count);

/* 1 where no other process has a lock on these bytes, else 0. */
int godwit_bytes_are_free(int file, long long start, long long count);

/* copy_file_range(2) between the current offsets of two files. -1 with ENOSYS off Linux. */
long godwit_copy_file_range(int from, int to, unsigned long count);

/* Lets the system begin to write a part of a file to the disk, and does not wait: sync_file_range(2). Nothing off Linux. */
void godwit_start_flushing(int file, long long start, long long count);

/* Gives whole blocks in a part of a file back to the system, which then reads as zeros: fallocate(2), and F_PUNCHHOLE in
 * fcntl(2) of Darwin. -1 where the file system can't. */
int godwit_release_range(int file, long long start, long long count);

/* Gives a file the extended attributes of the one at a path, access control lists among them: xattr(7), acl(5), and copyfile(3)
   of Darwin. Those that only the system's own may set stay behind, and all where nothing is there. 0, or -1 with errno. */
int godwit_copy_attributes(const char *from, int to);

/* The same for the access control list alone. The file at the path is not opened: to close it would give back SQLite's locks on
   it, fcntl(2). */
int godwit_copy_access_list(const char *from, int to);

/* Has the processor fetch memory that is about to be read. */
static inline void godwit_prefetch(const void *place) { __builtin_prefetch(place); }

/* How many processors this process may use: on Linux without those that its set of processors (taskset(1), a container's)
   keeps from it, sched_getaffinity(2). Below 1 where the system does not say. */
int godwit_processor_count(void);

/* How many bytes of addresses this process may still take, where it is given a bound (setrlimit(2), RLIMIT_AS; `ulimit -v`) and
   the system tells what it has: proc(5), /proc/self/statm. -1 where there is no bound, or nobody tells. */
long long godwit_addresses_left(void);

/* Lets all threads share one heap: mallopt(3), M_ARENA_MAX. Each of glibc's others reserves 64 MiB of addresses, used or not.
   Nothing but with glibc. */
void godwit_share_one_heap(void);

/* Lets other threads have the processors before the calling one: setpriority(2), where a thread has a niceness of its own.
   What it starts afterwards does so, too. Nothing off Linux. */
void godwit_give_way(int steps);

/* Has every block of a MiB or more go back to the system as soon as it is freed: mallopt(3), M_MMAP_THRESHOLD, which else
   grows with the first of them that is freed. Nothing but with glibc. */
void godwit_give_back_large_blocks(void);

/* Starts a program as a child whose standard input and output are pipes; standard error stays the caller's. The caller's ends,
   *input to write to and *output to read from, are closed on exec, and the child gets no other descriptor of theirs.
   SIGINT, SIGTERM and SIGHUP wait until the child lets them through.
   The child's number, or -1 with errno. */
int godwit_start(const char *program, char *const arguments[], int *input, int *output);

/* Writes the path of this program's file: dyld(3) of Darwin. 0, or -1 where it does not fit or on other systems. */
int godwit_executable_path(char *path, unsigned int size);

#endif
