/* The SQLite calls that Swift can't make: sqlite3_db_config and sqlite3_config are variadic,
   and SQLITE_TRANSIENT / SQLITE_STATIC are casts of integers to function pointers. */
#ifndef CSQLITESHIM_H
#define CSQLITESHIM_H

#include <sqlite3.h>

/* sqlite3_db_config(db, op, onoff, NULL) for the boolean options: https://sqlite.org/c3ref/c_dbconfig_defensive.html */
int godwit_sqlite_set_option(sqlite3 *db, int op, int on);

/* What such an option is set to: 0 or 1. */
int godwit_sqlite_option(sqlite3 *db, int op);

/* Binds text or a blob without a copy: the bytes must stay in place until the statement is reset or bound again. */
int godwit_sqlite_bind_text_static(sqlite3_stmt *stmt, int index, const char *bytes, sqlite3_uint64 count);
int godwit_sqlite_bind_blob_static(sqlite3_stmt *stmt, int index, const void *bytes, sqlite3_uint64 count);

/* The same with a copy made by SQLite. */
int godwit_sqlite_bind_text_copied(sqlite3_stmt *stmt, int index, const char *bytes, sqlite3_uint64 count);
int godwit_sqlite_bind_blob_copied(sqlite3_stmt *stmt, int index, const void *bytes, sqlite3_uint64 count);

/* The same for UTF-16 in the byte order of this machine; count is in bytes. SQLite takes a byte-order mark at its beginning
   away. */
int godwit_sqlite_bind_text16_copied(sqlite3_stmt *stmt, int index, const void *units, sqlite3_uint64 count);

/* The errno behind an SQLITE_IOERR or SQLITE_CANTOPEN of a connection, asked for right after it, on the same thread;
   code is the extended result code. 0 where it is not known. */
int godwit_sqlite_system_error(sqlite3 *db, int code);

/* How many pages of its log a connection in WAL mode reads, once it has read anything: those up to the last commit whose
   checksums are right. From the index of the log, which lies in the memory that all connections share; opening its file a
   second time would give back their locks as it is closed (https://sqlite.org/howtocorrupt.html, 2.2). 0 where there is
   none; then pages is left alone. */
int godwit_sqlite_log_pages(sqlite3 *db, unsigned *pages);

/* The name of a VFS for connections that only read, which reads neighbouring pages together: see ReadAhead.c. NULL, which
   sqlite3_open_v2 takes for SQLite's own, where there can be none. */
const char *godwit_sqlite_reading_vfs(void);

#endif
