// What the programs of a profile have in common: values of SQLite's as JSON, and sums of them.
#ifndef VALUES_H
#define VALUES_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/// The name that is said before what went wrong.
extern const char *const program;

static inline _Noreturn void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", program, what);
    exit(1);
}

/// Addresses for so many bytes, so that nothing has to be moved later on; only what is used becomes memory.
static inline void *space(size_t count) {
    void *found = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) fail("there is no room");
    return found;
}

static inline uint64_t load(const void *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/// A bit for each of eight bytes that has to be escaped, or a little more.
static inline uint64_t escaped(uint64_t word) {
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t quotes = word ^ ones * '"', slashes = word ^ ones * '\\';
    return ((word - ones * 0x20) | (quotes - ones) | (slashes - ones)) & ~word & tops;
}

static inline char *quote(char *to, const char *from, size_t length) {
    static const char hex[] = "0123456789abcdef";
    const char *end = from + length;
    *to++ = '"';
    while (from < end) {
        for (uint64_t word; end - from >= 8 && !escaped(word = load(from)); from += 8, to += 8) memcpy(to, &word, 8);
        for (int left = end - from < 8 ? (int)(end - from) : 8; left > 0; left--) {
            unsigned char byte = (unsigned char)*from++;
            if (byte == '"' || byte == '\\') *to++ = '\\', *to++ = (char)byte;
            else if (byte == '\n') *to++ = '\\', *to++ = 'n';
            else if (byte < 0x20) to += sprintf(to, "\\u00%c%c", hex[byte >> 4], hex[byte & 15]);
            else *to++ = (char)byte;
        }
    }
    *to++ = '"';
    return to;
}

static inline char *whole(char *to, int64_t value) {
    char digits[24], *at = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) *--at = '-';
    size_t length = (size_t)(digits + sizeof digits - at);
    memcpy(to, at, length);
    return to + length;
}

static inline char *real(char *to, double value) {
    int64_t tenths = value > -1e14 && value < 1e14 ? (int64_t)(value * 10) : 0;
    if ((double)tenths / 10 != value || tenths < 0) return to + sprintf(to, "%.17g", value);
    to = whole(to, tenths / 10);
    *to++ = '.';
    *to++ = (char)('0' + tenths % 10);
    return to;
}

static inline char *append(char *to, sqlite3_value *value) {
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: return whole(to, sqlite3_value_int64(value));
    case SQLITE_FLOAT: return real(to, sqlite3_value_double(value));
    case SQLITE_TEXT:
        return quote(to, (const char *)sqlite3_value_text(value), (size_t)sqlite3_value_bytes(value));
    case SQLITE_NULL: return memcpy(to, "null", 4), to + 4;
    default: fail("there is a blob");
    }
}

/// A word in which every byte of a value has a part; no more than that.
static inline uint64_t mixed(uint64_t sum, sqlite3_value *value) {
    const uint64_t factor = 0x9E3779B97F4A7C15u;
    uint64_t word = (uint64_t)sqlite3_value_type(value);
    if (word == SQLITE_INTEGER) return (sum ^ (uint64_t)sqlite3_value_int64(value)) * factor;
    const char *bytes = sqlite3_value_blob(value);
    size_t length = (size_t)sqlite3_value_bytes(value);
    const char *end = bytes + length;
    for (; end - bytes >= 8; bytes += 8) word = (word ^ load(bytes)) * factor;
    // The last bytes with some that had their part already, which is quicker than one by one.
    if (bytes < end && length >= 8) return (sum ^ (word ^ load(end - 8)) * factor) * factor;
    for (; bytes < end; bytes++) word = (word ^ (uint64_t)(uint8_t)*bytes) * factor;
    return (sum ^ word) * factor;
}

static inline void end(sqlite3_context *context) { sqlite3_result_null(context); }

static inline sqlite3_stmt *prepare(sqlite3 *store, const char *query) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store, query, -1, &statement, NULL) != SQLITE_OK) fail(sqlite3_errmsg(store));
    return statement;
}

/// Turns how many there are of each value into the place where those of that value begin.
static inline void begin_each(uint32_t *counts, size_t values) {
    uint32_t place = 0;
    for (size_t value = 0; value < values; value++) {
        uint32_t here = counts[value];
        counts[value] = place;
        place += here;
    }
}

#endif
