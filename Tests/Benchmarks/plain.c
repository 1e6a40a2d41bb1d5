// A plain program that turns a store into JSON in the order of the keys: what `Scripts/bench --profile`
// compares an export with. It does nothing that an export owes its user: it looks at nothing twice, takes each text for valid
// UTF-8 and each key for unique, hashes nothing, keeps everything in memory, and has no plan for anything that fails.
//
//     plain STORE DOCUMENT TABLE ...
//
// The first column of each table is its key: a text in which nothing has to be escaped. With `-` for a document the
// texts are only made, each in the place of the one before, as records are stored, and their bytes are counted: what
// that takes, nothing that writes them as JSON can do without. With `~` the keys are sorted as well, by their first eight
// bytes, and the columns that indexes hold are summed up, as nothing can do without that holds the one against the other.
//
//     plain STORE = STATEMENT ...
//
// runs SQL, as the sqlite3 shell does, with the SQLite that Godwit has: `=` reads, `+` may write. `entries(...)` in there
// is an aggregate that sums up all bytes of its arguments.
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "values.h"

const char *const program = "plain";

enum { MOST_COLUMNS = 64, BUFFER = 1 << 20, AHEAD = 8 };
static const size_t MOST_RECORDS = 100u << 20, MOST_TEXT = (size_t)64 << 30;

typedef struct {
    uint64_t begin;  // the first eight bytes of the key, so that they compare as numbers
    char *text;
    uint32_t length;
} Record;

static char *heap;
static size_t used;
/// Whether each text is made in the place of the one before.
static int forgets;

/// Room for so many bytes behind what is there.
static char *room(size_t count) {
    if (used + count > MOST_TEXT) fail("the store is too large");
    return heap + used;
}

static void add(sqlite3_context *context, int count, sqlite3_value **row) {
    uint64_t *sum = sqlite3_user_data(context);
    for (int at = 0; at < count; at++) *sum = mixed(*sum, row[at]);
}

/// A table while its records are read.
typedef struct {
    char names[MOST_COLUMNS][80];
    size_t lengths[MOST_COLUMNS];
    int indexed[MOST_COLUMNS];  // whether an index begins with it
    uint64_t sum;               // of what these columns hold, where records are kept
    Record *records;  // none where texts are only made
    size_t count, bytes;
} Table;

/// Takes a row: as the step of a function that sums up it has all values at once, the quickest way that SQLite offers.
static void take(sqlite3_context *context, int columns, sqlite3_value **row) {
    Table *table = sqlite3_user_data(context);
    size_t longest = 2;
    for (int at = 0; at < columns; at++) {
        longest += table->lengths[at] + 32;
        if (sqlite3_value_type(row[at]) == SQLITE_TEXT) longest += 6 * (size_t)sqlite3_value_bytes(row[at]);
    }
    char *text = room(longest), *to = text;
    for (int at = 0; at < columns; at++) {
        memcpy(to, table->names[at], table->lengths[at]);
        to = append(to + table->lengths[at], row[at]);
    }
    *to++ = '}';
    table->bytes += (size_t)(to - text);
    if (!table->records) return;
    for (int at = 0; forgets && at < columns; at++)
        if (table->indexed[at]) table->sum = mixed(table->sum, row[at]);
    if (table->count == MOST_RECORDS) fail("too many records");
    uint64_t begin = __builtin_bswap64(load(text + table->lengths[0] + 1));
    table->records[table->count++] = (Record){begin, text, (uint32_t)(to - text)};
    if (!forgets) used += (size_t)(to - text);
}

static int is_indexed(sqlite3 *store, const char *table, const char *column) {
    sqlite3_stmt *found = prepare(
        store, "SELECT count(*) FROM pragma_index_list(?1) AS i, pragma_index_info(i.name) AS c WHERE c.name = ?2");
    sqlite3_bind_text(found, 1, table, -1, SQLITE_STATIC), sqlite3_bind_text(found, 2, column, -1, SQLITE_STATIC);
    int count = sqlite3_step(found) == SQLITE_ROW ? sqlite3_column_int(found, 0) : 0;
    sqlite3_finalize(found);
    return count;
}

/// Bytes of the texts of the table that was read last.
static size_t made;

/// The text of every record as it is stored, and how many there are where they are kept.
static size_t format(sqlite3 *store, const char *name, Record *records) {
    static Table table;
    table.records = records, table.count = table.bytes = 0;
    char *query = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
    sqlite3_stmt *all = prepare(store, query);
    int columns = sqlite3_column_count(all);
    if (columns > MOST_COLUMNS) fail("too many columns");
    sqlite3_str *list = sqlite3_str_new(store);
    for (int at = 0; at < columns; at++) {
        const char *column = sqlite3_column_name(all, at);
        table.lengths[at] = (size_t)snprintf(table.names[at], sizeof table.names[at], "%c\"%s\":", at ? ',' : '{', column);
        sqlite3_str_appendf(list, "%s\"%w\"", at ? ", " : "", column);
        table.indexed[at] = is_indexed(store, name, column);
    }
    sqlite3_finalize(all), sqlite3_free(query);
    if (sqlite3_create_function(store, "take", -1, SQLITE_UTF8, &table, NULL, take, end) != SQLITE_OK)
        fail(sqlite3_errmsg(store));
    char *columns_text = sqlite3_str_finish(list);
    query = sqlite3_mprintf("SELECT take(%s) FROM \"%w\" NOT INDEXED", columns_text, name);
    sqlite3_stmt *rows = prepare(store, query);
    while (sqlite3_step(rows) == SQLITE_ROW) {}
    if (sqlite3_finalize(rows) != SQLITE_OK) fail(sqlite3_errmsg(store));
    sqlite3_free(columns_text), sqlite3_free(query);
    made = table.bytes;
    return table.count;
}

static int is_before(const Record *a, const Record *b) {
    if (a->begin != b->begin) return a->begin < b->begin;
    uint32_t shorter = a->length < b->length ? a->length : b->length;
    return memcmp(a->text, b->text, shorter) < 0;
}

/// By the first eight bytes, sixteen bits at a time; where these are the same, one by one.
static void order(Record *records, Record *others, size_t count) {
    for (int shift = 0; shift < 64; shift += 16) {
        static uint32_t places[1 << 16];
        memset(places, 0, sizeof places);
        for (size_t at = 0; at < count; at++) places[records[at].begin >> shift & 0xffff]++;
        begin_each(places, 1 << 16);
        for (size_t at = 0; at < count; at++) others[places[records[at].begin >> shift & 0xffff]++] = records[at];
        Record *sorted = others;
        others = records;
        records = sorted;
    }
    for (size_t at = 1; at < count; at++) {
        Record one = records[at];
        size_t to = at;
        for (; to > 0 && is_before(&one, &records[to - 1]); to--) records[to] = records[to - 1];
        records[to] = one;
    }
}

static char buffer[BUFFER];
static size_t filled;

static void flush(int file) {
    for (size_t done = 0; done < filled;) {
        ssize_t count = write(file, buffer + done, filled - done);
        if (count < 0) fail("can't write");
        done += (size_t)count;
    }
    filled = 0;
}

static void put(int file, const char *text, size_t length) {
    if (length > sizeof buffer) fail("a record is too long");
    if (filled + length > sizeof buffer) flush(file);
    memcpy(buffer + filled, text, length);
    filled += length;
}

static void write_array(int file, const char *table, const Record *records, size_t count) {
    put(file, "\"", 1), put(file, table, strlen(table)), put(file, "\":[", 3);
    for (size_t at = 0; at < count; at++) {
        if (at + AHEAD < count)
            for (uint32_t line = 0; line < records[at + AHEAD].length; line += 64)
                __builtin_prefetch(records[at + AHEAD].text + line);
        if (at) put(file, ",\n", 2);
        put(file, records[at].text, records[at].length);
    }
    put(file, "]", 1);
}

/// All statements of a text; of their rows the first column is shown.
static void run(sqlite3 *store, const char *text) {
    static uint64_t sum;
    if (sqlite3_create_function(store, "entries", -1, SQLITE_UTF8, &sum, NULL, add, end) != SQLITE_OK)
        fail(sqlite3_errmsg(store));
    while (*text) {
        sqlite3_stmt *statement;
        if (sqlite3_prepare_v2(store, text, -1, &statement, &text) != SQLITE_OK) fail(sqlite3_errmsg(store));
        while (statement && sqlite3_step(statement) == SQLITE_ROW) {
            const unsigned char *shown = sqlite3_column_text(statement, 0);
            if (shown) printf("%s\n", (const char *)shown);
        }
        if (sqlite3_finalize(statement) != SQLITE_OK) fail(sqlite3_errmsg(store));
    }
    if (sum) printf("%016llx\n", (unsigned long long)sum);
}

/// Only the texts, and their bytes; sorted by their keys where there are places for records.
static void make(sqlite3 *store, char **tables, int count, Record *records, Record *others) {
    size_t bytes = 0;
    forgets = 1;
    for (int at = 0; at < count; at++) {
        size_t found = format(store, tables[at], records);
        if (records) order(records, others, found);
        bytes += made;
    }
    printf("%zu\n", bytes);
}

int main(int count, char **arguments) {
    sqlite3 *store;
    if (count < 4) fail("usage: plain STORE DOCUMENT TABLE ...");
    int flags = strcmp(arguments[2], "+") == 0 ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    if (sqlite3_open_v2(arguments[1], &store, flags, NULL) != SQLITE_OK) fail("can't open the store");
    if (strcmp(arguments[2], "=") == 0 || strcmp(arguments[2], "+") == 0) {
        for (int at = 3; at < count; at++) run(store, arguments[at]);
        return sqlite3_close(store) == SQLITE_OK ? 0 : 1;
    }
    heap = space(MOST_TEXT);
    if (strcmp(arguments[2], "-") == 0) {
        make(store, arguments + 3, count - 3, NULL, NULL);
        return sqlite3_close(store) == SQLITE_OK ? 0 : 1;
    }
    Record *records = space(MOST_RECORDS * sizeof *records), *others = space(MOST_RECORDS * sizeof *others);
    if (strcmp(arguments[2], "~") == 0) {
        make(store, arguments + 3, count - 3, records, others);
        return sqlite3_close(store) == SQLITE_OK ? 0 : 1;
    }
    int file = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) fail("can't make the document");
    put(file, "{", 1);
    for (int at = 3; at < count; at++) {
        size_t found = format(store, arguments[at], records);
        order(records, others, found);
        if (at > 3) put(file, ",\n", 2);
        write_array(file, arguments[at], records, found);
        used = 0;
    }
    put(file, "}\n", 2);
    flush(file);
    if (fsync(file) != 0 || close(file) != 0) fail("can't flush");
    return sqlite3_close(store) == SQLITE_OK ? 0 : 1;
}
