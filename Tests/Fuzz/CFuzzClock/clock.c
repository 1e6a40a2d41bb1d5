// In the fuzzer's executable it is always a minute later than the kernel says.
//
// A process that clones a store waits until its files are older than a tick of the kernel's clock. The fuzzer has just written
// them, so it would wait 20 ms in each of a million runs.

#define _GNU_SOURCE
#include "CFuzzClock.h"
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void godwit_fuzz_clock(void) {}

#ifdef __linux__
int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += 60;
    return result;
}
#endif
