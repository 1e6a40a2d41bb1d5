#include "CSQLiteShim.h"

int godwit_sqlite_set_option(sqlite3 *db, int op, int on) {
    return sqlite3_db_config(db, op, on, (int *)0);
}

/* An empty value needs a pointer that is not NULL, or SQLite binds NULL instead: https://sqlite.org/c3ref/bind_blob.html */
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

int godwit_sqlite_bind_blob_copied(sqlite3_stmt *stmt, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(stmt, index, count ? bytes : (const void *)nothing, count, SQLITE_TRANSIENT);
}
