// All that an export owes, by two threads and in the leanest way that we know: what `Scripts/bench --profile` compares it with,
// to show how much of an export's time a better program could save.
//
//     ideal STORE DOCUMENT [mapped] [unbounded] TABLE ...
//
// It reads each table once, in ranges of rowids, and deals the texts out to parts of a private file by the first bytes of their
// keys; these are read, sorted and written one after the other, hashed on the way, flushed, read back and compared.
// `quick_check` is run, and the entries of every index are held against the records. With `mapped` the store is read by way of a
// map, which an export can't do since another process may cut the file off; with `unbounded` texts stay in memory, all of them.
//
// It owes no more than the result: each key has to be a UUID in capitals and is taken for unique, texts are taken for valid
// UTF-8, rowids for having no gaps, keys for being spread evenly, and it has no plan for anything that fails.
//
// Invariant: a table's records are read by the end of the first phase; the second one writes, hashes and checks.
#define _GNU_SOURCE
#include <fcntl.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "values.h"

const char *const program = "ideal";

enum {
    THREADS = 2, MOST_TABLES = 4, MOST_COLUMNS = 64, MOST_CHECKS = 32, MOST_BLOCKS = 1 << 20, MOST_PIECES = 1 << 20,
    RANGES = 12,         // of rowids, of each table
    PARTS = 32,          // of the keys, by their first five bits
    BLOCK = 1 << 16,     // bytes that are dealt out at a time
    PIECE = 1 << 20,     // bytes that are written and hashed at a time
    RING = 8,            // pieces in memory
    LONGEST = 8 << 10,   // bytes of a record
    NAME = 32,           // bytes of a column's name and what is around it
    AHEAD = 8,
    PAGE = 4096,
};
static const size_t MOST_OF_PART = 64 << 20, MOST_RECORDS_OF_PART = 1 << 20;

/// What is dealt out before each text.
typedef struct {
    uint32_t begin;  // the first eight digits of the key
    uint32_t length;
} Head;

typedef struct {
    uint32_t begin, length;
    const char *text;
} Record;

/// A run of heads and texts: in the file, or in memory.
typedef struct {
    char *at;
    off_t place;
    uint32_t length;
} Block;

typedef struct {
    const char *name;
    char labels[MOST_COLUMNS][2 * NAME], *columns;
    size_t lengths[MOST_COLUMNS];
    int count, index[MOST_COLUMNS];  // the check of the index that begins with a column; -1 for none
    int64_t first, last;
    Block *blocks[PARTS];
    atomic_int block_count[PARTS];
} Table;

typedef struct {
    char *query;
    atomic_ullong entries, records;  // sums that have to be the same
} Check;

/// Each in cache lines of its own: what one thread writes all the time, another one would wait for.
typedef struct {
    _Alignas(256) int number;
    sqlite3 *store;
    Table *table;
    uint64_t sums[MOST_CHECKS], entries;
    char *filling[PARTS];
    uint32_t filled[PARTS];
} Worker;

typedef struct {
    off_t place;
    size_t length;
    uint64_t sum;
} Piece;

static const char *store_path;
static int is_mapped, is_unbounded, document, spool, table_count, check_count;
static Table tables[MOST_TABLES];
static Check checks[MOST_CHECKS];
static Piece *pieces;
static char *ring;
static atomic_int next_range, next_check, next_read, written, hashed, has_ended;
static atomic_llong spool_end;
static pthread_barrier_t is_read, is_written;
static pthread_t flushing;

/// Space whose pages are large where the system has such: it takes less time to get them.
static void *large(size_t count) {
    void *found = space(count);
    madvise(found, count, MADV_HUGEPAGE);
    return found;
}

static uint32_t first_digits(const char *key) {
    uint32_t value = 0;
    for (int at = 0; at < 8; at++) value = value << 4 | (((unsigned)key[at] & 15) + (unsigned)(key[at] >> 6) * 9);
    return value;
}

/// The rows of a query, of which each is a result that has to be good.
static void query(sqlite3 *store, const char *text) {
    sqlite3_stmt *rows = prepare(store, text);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const char *said = (const char *)sqlite3_column_text(rows, 0);
        if (sqlite3_column_type(rows, 0) == SQLITE_TEXT && strcmp(said, "ok") != 0) fail(said);
    }
    if (sqlite3_finalize(rows) != SQLITE_OK) fail(sqlite3_errmsg(store));
}

static void spill(Worker *worker, int part) {
    Table *table = worker->table;
    uint32_t length = worker->filled[part];
    if (!length) return;
    Block block = {worker->filling[part], 0, length};
    if (is_unbounded) {
        worker->filling[part] += length;
    } else {
        block.place = atomic_fetch_add(&spool_end, (length + PAGE - 1) / PAGE * PAGE);
        if (pwrite(spool, block.at, length, block.place) != (ssize_t)length) fail("can't write what is dealt out");
    }
    int number = atomic_fetch_add(&table->block_count[part], 1);
    if (number == MOST_BLOCKS) fail("too many blocks");
    table->blocks[part][number] = block;
    worker->filled[part] = 0;
}

/// Takes a row, the rowid first: its text goes to the part of its key.
static void take(sqlite3_context *context, int columns, sqlite3_value **row) {
    Worker *worker = sqlite3_user_data(context);
    const Table *table = worker->table;
    size_t longest = sizeof(Head) + NAME + 3;
    for (int at = 1; at < columns; at++)
        longest += NAME + (sqlite3_value_type(row[at]) == SQLITE_TEXT ? 6 * (size_t)sqlite3_value_bytes(row[at]) : 0);
    if (longest > LONGEST || sqlite3_value_type(row[1]) != SQLITE_TEXT || sqlite3_value_bytes(row[1]) != 36)
        fail("a record is not as expected");
    uint32_t begin = first_digits((const char *)sqlite3_value_text(row[1]));
    int part = begin >> 27;
    if (worker->filled[part] + LONGEST > BLOCK) spill(worker, part);
    char *text = worker->filling[part] + worker->filled[part] + sizeof(Head), *to = text;
    for (int at = 0; at < table->count; at++) {
        memcpy(to, table->labels[at], NAME);
        to = append(to + table->lengths[at], row[at + 1]);
        int index = table->index[at];
        if (index >= 0) worker->sums[index] += mixed(mixed(0, row[at + 1]), row[0]);
    }
    *to++ = '}';
    Head head = {begin, (uint32_t)(to - text)};
    memcpy(text - sizeof head, &head, sizeof head);
    worker->filled[part] += head.length + (uint32_t)sizeof head;
}

static void add_entry(sqlite3_context *context, int count, sqlite3_value **row) {
    Worker *worker = sqlite3_user_data(context);
    uint64_t sum = 0;
    for (int at = 0; at < count; at++) sum = mixed(sum, row[at]);
    worker->entries += sum;
}

/// Ranges of rowids, until there are none left.
static void read_ranges(Worker *worker) {
    for (int at; (at = atomic_fetch_add(&next_range, 1)) < table_count * RANGES;) {
        Table *table = worker->table = &tables[at / RANGES];
        int64_t count = table->last + 1 - table->first, number = at % RANGES;
        char *text = sqlite3_mprintf(
            "SELECT take(rowid, %s) FROM \"%w\" NOT INDEXED WHERE rowid >= %lld AND rowid < %lld", table->columns, table->name,
            table->first + count * number / RANGES, table->first + count * (number + 1) / RANGES);
        query(worker->store, text);
        sqlite3_free(text);
        for (int part = 0; part < PARTS; part++) spill(worker, part);
    }
    for (int at = 0; at < check_count; at++) atomic_fetch_add(&checks[at].records, worker->sums[at]);
}

/// Checks of the store, until there are none left.
static void check(Worker *worker) {
    for (int at; (at = atomic_fetch_add(&next_check, 1)) < check_count;) {
        worker->entries = 0;
        query(worker->store, checks[at].query);
        atomic_store(&checks[at].entries, worker->entries);
    }
}

static int is_before(const Record *one, const Record *other) {
    if (one->begin != other->begin) return one->begin < other->begin;
    uint32_t shorter = one->length < other->length ? one->length : other->length;
    return memcmp(one->text, other->text, shorter) < 0;
}

/// By the 27 bits that differ within a part, nine at a time; where these are the same, one by one. Returns where they are.
static Record *ordered(Record *records, Record *others, size_t count) {
    for (int shift = 0; shift < 27; shift += 9) {
        uint32_t places[512] = {0};
        for (size_t at = 0; at < count; at++) places[records[at].begin >> shift & 511]++;
        begin_each(places, 512);
        for (size_t at = 0; at < count; at++) others[places[records[at].begin >> shift & 511]++] = records[at];
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
    return records;
}

/// Several sums side by side, none of which has to wait for another.
static uint64_t sum_of(const char *bytes, size_t length) {
    uint64_t sums[8] = {1, 2, 3, 4, 5, 6, 7, 8}, all = length;
    size_t at = 0;
    for (; at + 64 <= length; at += 64)
        for (int lane = 0; lane < 8; lane++) sums[lane] = (sums[lane] ^ load(bytes + at + 8 * lane)) * 0x9E3779B97F4A7C15u;
    for (int lane = 0; lane < 8; lane++) all = (all ^ sums[lane]) * 0x9E3779B97F4A7C15u;
    for (; at < length; at++) all = (all ^ (uint8_t)bytes[at]) * 0x9E3779B97F4A7C15u;
    return all;
}

static int piece;       // the one that is being filled
static size_t filled;   // bytes of it
static off_t size;      // bytes of the document before it

static char *piece_at(int number) { return ring + (size_t)PIECE * (size_t)(number % RING); }

/// Hands the piece to the thread that hashes, and writes it; the system begins to flush what has been written for a while.
static void write_piece(void) {
    const char *bytes = piece_at(piece);
    if (piece + 1 == MOST_PIECES) fail("too many pieces");
    pieces[piece] = (Piece){size, filled, 0};
    atomic_store(&written, piece + 1);
    pieces[piece].sum = sum_of(bytes, filled);
    for (size_t done = 0; done < filled;) {
        ssize_t count = write(document, bytes + done, filled - done);
        if (count < 0) fail("can't write");
        done += (size_t)count;
    }
    if (piece % 16 == 15) sync_file_range(document, 0, 0, SYNC_FILE_RANGE_WRITE);
    size += (off_t)filled;
    piece++;
    filled = 0;
    while (piece - atomic_load(&hashed) >= RING) usleep(20);
}

static void put(const char *text, size_t length) {
    if (filled + length > PIECE) write_piece();
    memcpy(piece_at(piece) + filled, text, length);
    filled += length;
}

/// The records of a block, read into memory unless they are there.
static size_t load_block(const Block *block, char *arena, size_t *used, Record *records, size_t count) {
    const char *at = block->at;
    if (!is_unbounded) {
        if (*used + block->length > MOST_OF_PART) fail("a part is too large");
        if (pread(spool, arena + *used, block->length, block->place) != (ssize_t)block->length) fail("can't read what is dealt out");
        // Its memory can then hold the document instead.
        fallocate(spool, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, block->place, (block->length + PAGE - 1) / PAGE * PAGE);
        at = arena + *used;
        *used += block->length;
    }
    for (const char *end = at + block->length; at < end;) {
        Head head;
        memcpy(&head, at, sizeof head);
        if (count == MOST_RECORDS_OF_PART) fail("a part has too many records");
        records[count++] = (Record){head.begin, head.length, at + sizeof head};
        at += sizeof head + head.length;
    }
    return count;
}

static void *flush(void *unused) {
    if (fsync(document) != 0) fail("can't flush");
    return unused;
}

static void write_document(void) {
    char *arena = large(MOST_OF_PART);
    Record *records = large(MOST_RECORDS_OF_PART * sizeof *records), *others = large(MOST_RECORDS_OF_PART * sizeof *others);
    for (int at = 0; at < table_count; at++) {
        Table *table = &tables[at];
        put(at ? "],\n\"" : "{\"", at ? 4 : 2), put(table->name, strlen(table->name)), put("\":[", 3);
        int has_written = 0;
        for (int part = 0; part < PARTS; part++) {
            size_t used = 0, count = 0;
            for (int block = 0; block < table->block_count[part]; block++)
                count = load_block(&table->blocks[part][block], arena, &used, records, count);
            const Record *sorted = ordered(records, others, count);
            for (size_t one = 0; one < count; one++, has_written = 1) {
                if (one + AHEAD < count)
                    for (uint32_t place = 0; place < sorted[one + AHEAD].length; place += 64)
                        __builtin_prefetch(sorted[one + AHEAD].text + place);
                if (has_written) put(",\n", 2);
                put(sorted[one].text, sorted[one].length);
            }
        }
    }
    put("]}\n", 3);
    write_piece();
    atomic_store(&has_ended, 1);
    if (pthread_create(&flushing, NULL, flush, NULL) != 0) fail("there is no thread");
}

static void hash_document(void) {
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (!state || !EVP_DigestInit_ex(state, EVP_sha256(), NULL)) fail("can't hash");
    for (int number = 0;; number++) {
        int ended = 0;
        while (atomic_load(&written) <= number && !(ended = atomic_load(&has_ended))) usleep(20);
        if (ended && atomic_load(&written) <= number) break;
        EVP_DigestUpdate(state, piece_at(number), pieces[number].length);
        atomic_store(&hashed, number + 1);
    }
    EVP_DigestFinal_ex(state, sum, &length);
    EVP_MD_CTX_free(state);
    for (unsigned at = 0; at < length; at++) printf("%02x", sum[at]);
    printf("\n");
}

/// Pieces of the document, until there are none left.
static void read_back(void) {
    char *bytes = large(PIECE);
    for (int at; (at = atomic_fetch_add(&next_read, 1)) < piece;) {
        if (pread(document, bytes, pieces[at].length, pieces[at].place) != (ssize_t)pieces[at].length) fail("can't read back");
        if (sum_of(bytes, pieces[at].length) != pieces[at].sum) fail("it does not read back as it was written");
    }
}

static void create(Worker *worker, const char *name, void (*step)(sqlite3_context *, int, sqlite3_value **)) {
    if (sqlite3_create_function(worker->store, name, -1, SQLITE_UTF8, worker, NULL, step, end) != SQLITE_OK)
        fail(sqlite3_errmsg(worker->store));
}

static void *work(void *argument) {
    Worker *worker = argument;
    if (sqlite3_open_v2(store_path, &worker->store, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) fail("can't open the store");
    if (is_mapped) query(worker->store, "PRAGMA mmap_size = 2147418112");
    create(worker, "take", take), create(worker, "entries", add_entry);
    for (int part = 0; part < PARTS; part++) worker->filling[part] = is_unbounded ? large((size_t)1 << 30) : large(BLOCK);
    read_ranges(worker);
    pthread_barrier_wait(&is_read);
    if (worker->number == 0) write_document();
    else hash_document();
    check(worker);
    pthread_barrier_wait(&is_written);
    read_back();
    return sqlite3_close(worker->store) == SQLITE_OK ? NULL : worker;
}

static Check *add_check(char *text) {
    if (check_count == MOST_CHECKS) fail("too many checks");
    checks[check_count].query = text;
    return &checks[check_count++];
}

static void describe(sqlite3 *store, Table *table) {
    // Each of its own: together they would be asked of every row.
    char *text = sqlite3_mprintf("SELECT (SELECT min(rowid) FROM \"%w\"), (SELECT max(rowid) FROM \"%w\"), * FROM \"%w\"",
        table->name, table->name, table->name);
    sqlite3_stmt *all = prepare(store, text);
    if (sqlite3_step(all) != SQLITE_ROW) fail("a table is empty");
    table->first = sqlite3_column_int64(all, 0), table->last = sqlite3_column_int64(all, 1);
    table->count = sqlite3_column_count(all) - 2;
    if (table->count > MOST_COLUMNS) fail("too many columns");
    sqlite3_str *list = sqlite3_str_new(store);
    for (int at = 0; at < table->count; at++) {
        const char *column = sqlite3_column_name(all, at + 2);
        table->lengths[at] = (size_t)snprintf(table->labels[at], NAME, "%c\"%s\":", at ? ',' : '{', column);
        if (table->lengths[at] >= NAME) fail("a column's name is too long");
        sqlite3_str_appendf(list, "%s\"%w\"", at ? ", " : "", column);
        table->index[at] = -1;
    }
    sqlite3_finalize(all), sqlite3_free(text);
    table->columns = sqlite3_str_finish(list);
    for (int part = 0; part < PARTS; part++) table->blocks[part] = space(MOST_BLOCKS * sizeof(Block));
}

static void describe_indexes(sqlite3 *store, Table *table) {
    sqlite3_stmt *found = prepare(
        store, "SELECT c.cid, c.name, i.name FROM pragma_index_list(?1) AS i, pragma_index_info(i.name) AS c");
    sqlite3_bind_text(found, 1, table->name, -1, SQLITE_STATIC);
    while (sqlite3_step(found) == SQLITE_ROW) {
        int column = sqlite3_column_int(found, 0);
        if (column < 0 || table->index[column] >= 0) fail("an index is not as expected");
        table->index[column] = check_count;
        add_check(sqlite3_mprintf("SELECT entries(\"%w\", rowid) FROM \"%w\" INDEXED BY \"%w\"",
            sqlite3_column_text(found, 1), table->name, sqlite3_column_text(found, 2)));
    }
    sqlite3_finalize(found);
}

static void describe_all(char **names, int count) {
    sqlite3 *store;
    if (sqlite3_open_v2(store_path, &store, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) fail("can't open the store");
    table_count = count;
    for (int at = 0; at < count; at++) tables[at].name = names[at], describe(store, &tables[at]);
    // The longest first, so that no thread has to wait for it at the end: a store's last table tends to be the largest.
    for (int at = count - 1; at >= 0; at--) add_check(sqlite3_mprintf("PRAGMA quick_check(\"%w\")", names[at]));
    for (int at = count - 1; at >= 0; at--) describe_indexes(store, &tables[at]);
    sqlite3_close(store);
}

static void make_files(const char *name) {
    char *spool_path = sqlite3_mprintf("%s-dealt", name);
    document = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644), spool = open(spool_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (document < 0 || spool < 0 || unlink(spool_path) != 0) fail("can't make the document");
    sqlite3_free(spool_path);
    pieces = space(MOST_PIECES * sizeof *pieces), ring = large((size_t)RING * PIECE);
}

int main(int count, char **arguments) {
    int first = 3;
    for (; first < count; first++) {
        if (strcmp(arguments[first], "mapped") == 0) is_mapped = 1;
        else if (strcmp(arguments[first], "unbounded") == 0) is_unbounded = 1;
        else break;
    }
    if (first >= count || count - first > MOST_TABLES) fail("usage: ideal STORE DOCUMENT [mapped] [unbounded] TABLE ...");
    store_path = arguments[1];
    sqlite3_config(SQLITE_CONFIG_MULTITHREAD), sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    describe_all(arguments + first, count - first);
    make_files(arguments[2]);
    static Worker workers[THREADS];
    pthread_t other;
    pthread_barrier_init(&is_read, NULL, THREADS), pthread_barrier_init(&is_written, NULL, THREADS);
    workers[1].number = 1;
    if (pthread_create(&other, NULL, work, &workers[1]) != 0) fail("there is no thread");
    void *failed = work(&workers[0]), *also;
    if (pthread_join(other, &also) != 0 || pthread_join(flushing, NULL) != 0 || failed || also) fail("can't end");
    for (int at = 0; at < check_count; at++)
        if (checks[at].entries != checks[at].records) fail("an index does not hold what its table does");
    return 0;
}
