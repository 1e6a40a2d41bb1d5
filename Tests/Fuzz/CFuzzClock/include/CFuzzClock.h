#ifndef GODWIT_FUZZ_CLOCK_H
#define GODWIT_FUZZ_CLOCK_H

/// Makes sure that the linker takes this object: it then takes the place of the C library's `clock_gettime`.
void godwit_fuzz_clock(void);

#endif
