#include "CSQLiteShim.h"

#include <errno.h>
#include <string.h>

int godwit_sqlite_set_option(sqlite3 *db, int op, int on) {
    return sqlite3_db_config(db, op, on, (int *)0);
}

int godwit_sqlite_option(sqlite3 *db, int op) {
    int is_on = 0;
    return sqlite3_db_config(db, op, -1, &is_on) == SQLITE_OK ? is_on : 0;
}

/* An empty value needs a pointer that is not NULL; otherwise SQLite binds NULL: https://sqlite.org/c3ref/bind_blob.html */
static const char nothing[1] = {0};

int godwit_sqlite_bind_text_static(sqlite3_stmt *stmt, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(stmt, index, count ? bytes : nothing, count, SQLITE_STATIC, SQLITE_UTF8);
}

int godwit_sqlite_bind_blob_static(sqlite3_stmt *stmt, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(stmt, index, count ? bytes : (const void *)nothing, count, SQLITE_STATIC);
}

int godwit_sqlite_bind_text_copied(sqlite3_stmt *stmt, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(stmt, index, count ? bytes : nothing, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int godwit_sqlite_bind_text16_copied(sqlite3_stmt *stmt, int index, const void *units, sqlite3_uint64 count) {
    return sqlite3_bind_text64(stmt, index, count ? units : (const void *)nothing, count, SQLITE_TRANSIENT, SQLITE_UTF16);
}

int godwit_sqlite_bind_blob_copied(sqlite3_stmt *stmt, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(stmt, index, count ? bytes : (const void *)nothing, count, SQLITE_TRANSIENT);
}

static int last_error_of_file(sqlite3 *db, int which) {
    int number = 0;
    sqlite3_file *file = 0;
    /* A store in memory has no file, and its journal has no xFileControl. */
    if (sqlite3_file_control(db, "main", which, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    if (!file->pMethods->xFileControl) return 0;
    if (file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number) != SQLITE_OK) return 0;
    return number;
}

static int is_telling(int number) {
    switch (number) {
    case EACCES: case EPERM: case EROFS: case ENOSPC: case EDQUOT: case EFBIG: case EIO: case EMFILE: case ENFILE: return 1;
    default: return 0;
    }
}

int godwit_sqlite_system_error(sqlite3 *db, int code) {
    int last = errno;
    if ((code & 0xFF) != SQLITE_IOERR && (code & 0xFF) != SQLITE_CANTOPEN) return 0;
    /* SQLite saves errno at the end of the failed call, when cleanup may already have changed it. */
    int number = sqlite3_system_errno(db);
    if (is_telling(number)) return number;
    number = last_error_of_file(db, SQLITE_FCNTL_FILE_POINTER);
    if (!number) number = last_error_of_file(db, SQLITE_FCNTL_JOURNAL_POINTER);
    if (number) return number;
    /* After a failed commit, or an error in a log's index, only errno has the number; these codes set none at all. */
    switch (code) {
    case SQLITE_IOERR_SHORT_READ: case SQLITE_IOERR_CORRUPTFS: case SQLITE_IOERR_DATA: case SQLITE_IOERR_NOMEM: return 0;
    default: return (code & 0xFF) == SQLITE_IOERR && is_telling(last) ? last : 0;
    }
}

int godwit_sqlite_log_pages(sqlite3 *db, unsigned *pages) {
    /* https://sqlite.org/walformat.html#the_wal_index_header: mxFrame is in the first piece of 32 KiB. */
    enum { piece = 32768, max_frame = 16 };
    sqlite3_file *file = 0;
    volatile void *memory = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file) return 0;
    const sqlite3_io_methods *methods = file->pMethods;
    if (!methods || methods->iVersion < 2 || !methods->xShmMap) return 0;
    if (methods->xShmMap(file, 0, piece, 0, &memory) != SQLITE_OK || !memory) return 0;
    memcpy(pages, (const char *)memory + max_frame, sizeof *pages);
    return 1;
}
