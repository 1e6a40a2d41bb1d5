/* SQLite calls that Swift cannot make: sqlite3_db_config and sqlite3_config are variadic,
   and SQLITE_TRANSIENT / SQLITE_STATIC are casts of integers to function pointers. */
#ifndef CSQLITESHIM_H
#define CSQLITESHIM_H

#include <sqlite3.h>

/* sqlite3_db_config(db, op, onoff, NULL) for the boolean options: https://sqlite.org/c3ref/c_dbconfig_defensive.html */
int godwit_sqlite_set_option(sqlite3 *db, int op, int on);

/* The value of such an option: 0 or 1. */
int godwit_sqlite_option(sqlite3 *db, int op);

/* Binds text or a blob without a copy: the bytes must stay valid until the statement is reset or bound again. */
int godwit_sqlite_bind_text_static(sqlite3_stmt *stmt, int index, const char *bytes, sqlite3_uint64 count);
int godwit_sqlite_bind_blob_static(sqlite3_stmt *stmt, int index, const void *bytes, sqlite3_uint64 count);

/* The same with a copy made by SQLite. */
int godwit_sqlite_bind_text_copied(sqlite3_stmt *stmt, int index, const char *bytes, sqlite3_uint64 count);
int godwit_sqlite_bind_blob_copied(sqlite3_stmt *stmt, int index, const void *bytes, sqlite3_uint64 count);

/* The same for UTF-16 in the byte order of this computer; count is in bytes. SQLite removes a byte order mark at the start. */
int godwit_sqlite_bind_text16_copied(sqlite3_stmt *stmt, int index, const void *units, sqlite3_uint64 count);

/* The errno behind an SQLITE_IOERR or SQLITE_CANTOPEN of a connection; call it right after the error, on the same thread.
   code is the extended result code. 0 if unknown. */
int godwit_sqlite_system_error(sqlite3 *db, int code);

/* Number of log pages that a connection in WAL mode reads, after its first read: up to the last commit with correct
   checksums. From the log's index, in the memory that all connections share; opening its file again would release their
   locks when it is closed (https://sqlite.org/howtocorrupt.html, 2.2). 0 if there is none; then pages does not change. */
int godwit_sqlite_log_pages(sqlite3 *db, unsigned *pages);

/* The name of a VFS for connections that only read, which reads several pages at a time: see ReadAhead.c. NULL, which means
   SQLite's own for sqlite3_open_v2, if it is not possible. */
const char *godwit_sqlite_reading_vfs(void);

#endif
