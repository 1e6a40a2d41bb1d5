/* The work on every byte of text in an export, sixteen bytes at a time: Swift's compiler makes many more instructions
   from its own vector types. */
#ifndef CTEXTSHIM_H
#define CTEXTSHIM_H

#include <stdint.h>
#include <string.h>

/* Whether any of eight bytes is outside of ASCII, below the space, a quotation mark or a backslash. If all bytes are ASCII, a
   term borrows from the next byte only if it has itself found something.
   Source: "Bit Twiddling Hacks", https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord. */
static inline int godwit_needs_look(uint64_t word) {
    const uint64_t ones = 0x0101010101010101;
    uint64_t quote = word ^ ones * 0x22, backslash = word ^ ones * 0x5C;
    return ((word | (word - ones * 0x20) | (quote - ones) | (backslash - ones)) & ones * 0x80) != 0;
}

static inline uint64_t godwit_copied_word(uint8_t *target, const uint8_t *source) {
    uint64_t word;
    memcpy(&word, source, 8);
    memcpy(target, &word, 8);
    return word;
}

static inline uint32_t godwit_copied_half(uint8_t *target, const uint8_t *source) {
    uint32_t half;
    memcpy(&half, source, 4);
    memcpy(target, &half, 4);
    return half;
}

static inline int godwit_is_plain(uint8_t byte) { return byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5C; }

/* The index of the first byte that is not plain, from `at` up to `count`. */
static inline long godwit_count_plain(const uint8_t *source, long at, long count) {
    while (at < count && godwit_is_plain(source[at])) at++;
    return at;
}

/* Copies sixteen bytes; returns the number of plain bytes at the start, 16 if all are. */
static inline long godwit_copy_sixteen(uint8_t *target, const uint8_t *source) {
#ifdef __SSE2__
    typedef char bytes __attribute__((vector_size(16), aligned(1), may_alias));
    bytes part = *(const bytes *)source;
    *(bytes *)target = part;
    /* The comparison is signed: bytes outside of ASCII are negative. */
    bytes found = (bytes)(part < (bytes){} + 0x20) | (bytes)(part == (bytes){} + 0x22) | (bytes)(part == (bytes){} + 0x5C);
    unsigned places = (unsigned)__builtin_ia32_pmovmskb128(found);
    return places == 0 ? 16 : __builtin_ctz(places);
#else
    uint64_t first = godwit_copied_word(target, source), second = godwit_copied_word(target + 8, source + 8);
    if (godwit_needs_look(first)) return godwit_count_plain(source, 0, 8);
    return godwit_needs_look(second) ? godwit_count_plain(source, 8, 16) : 16;
#endif
}

/* Copies a text up to the first byte that JSON must escape; returns the number of bytes before it. The target after those,
   up to `count`, is undefined. */
static inline long godwit_copy_plain(uint8_t *target, const uint8_t *source, long count) {
    if (count >= 16) {
        long at = 0;
        for (; at + 16 <= count; at += 16) {
            long plain = godwit_copy_sixteen(target + at, source + at);
            if (plain < 16) return at + plain;
        }
        /* Copies the rest as the end of sixteen bytes; the bytes before it are plain and already copied. */
        return at == count ? count : count - 16 + godwit_copy_sixteen(target + count - 16, source + count - 16);
    }
    int look;
    if (count >= 8) {
        uint64_t first = godwit_copied_word(target, source);
        look = godwit_needs_look(first) | godwit_needs_look(godwit_copied_word(target + count - 8, source + count - 8));
    } else if (count >= 4) {
        uint64_t first = godwit_copied_half(target, source);
        look = godwit_needs_look(first << 32 | godwit_copied_half(target + count - 4, source + count - 4));
    } else {
        look = 0;
        for (long at = 0; at < count; at++) look |= !godwit_is_plain(target[at] = source[at]);
    }
    return look ? godwit_count_plain(source, 0, count) : count;
}

#endif
