/* A shim (https://sqlite.org/vfs.html#2.1.3) around SQLite's own VFS, for connections that only read.

   SQLite reads one page per system call. In a scan of a whole file, with pages of 4 KiB, the call takes half of the time.
   Here a page next to the previous one is read together with the pages around it, in one call of the VFS below; everything
   else is passed down.

   Invariant: cached bytes were read under a lock that the connection still has. Every lock that it takes or releases, and
   every write, clears them. So SQLite gets the same bytes as without the cache: it also keeps pages as long as it has a
   lock (https://sqlite.org/lockingv3.html). */
#include "CSQLiteShim.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Bytes that are read at a time; more are not faster. */
    window_size = 65536,
    /* The smallest page; shorter reads are fields of the header. */
    smallest_page = 512,
};

/* A main file; the file of the VFS below follows it in memory. */
typedef struct {
    sqlite3_file file;
    sqlite3_file *below;
    char *window;
    /* Offset of the window in the file; -1 if it is empty. */
    sqlite3_int64 start;
    /* The window of the last page that SQLite read. */
    sqlite3_int64 last;
    /* A window that could not be read completely: the last one of a file. */
    sqlite3_int64 unreadable;
} reading_file;

static sqlite3_file *below(sqlite3_file *file) { return ((reading_file *)file)->below; }

static void forget(sqlite3_file *file) {
    ((reading_file *)file)->start = -1;
    ((reading_file *)file)->unreadable = -1;
}

/* Whether the window of an offset is cached, or could be read. */
static int is_in_window(reading_file *file, int count, sqlite3_int64 place) {
    sqlite3_int64 start = place - place % window_size, before = file->last;
    if (count < smallest_page || place + count > start + window_size) return 0;
    file->last = start;
    if (start == file->start) return 1;
    sqlite3_int64 distance = start > before ? start - before : before - start;
    if (before < 0 || distance > window_size || start == file->unreadable) return 0;
    if (!file->window) file->window = malloc(window_size);
    if (!file->window) return 0;
    file->start = -1;
    if (file->below->pMethods->xRead(file->below, file->window, window_size, start) != SQLITE_OK) {
        file->unreadable = start;
        return 0;
    }
    file->start = start;
    return 1;
}

static int reading_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
    reading_file *mine = (reading_file *)file;
    if (is_in_window(mine, count, place)) {
        memcpy(bytes, mine->window + (place - mine->start), count);
        return SQLITE_OK;
    }
    return mine->below->pMethods->xRead(mine->below, bytes, count, place);
}

static int reading_close(sqlite3_file *file) {
    reading_file *mine = (reading_file *)file;
    int code = mine->below->pMethods->xClose(mine->below);
    free(mine->window);
    mine->window = 0;
    return code;
}

static int reading_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place) {
    forget(file);
    return below(file)->pMethods->xWrite(below(file), bytes, count, place);
}

static int reading_truncate(sqlite3_file *file, sqlite3_int64 size) {
    forget(file);
    return below(file)->pMethods->xTruncate(below(file), size);
}

static int reading_sync(sqlite3_file *file, int flags) { return below(file)->pMethods->xSync(below(file), flags); }

static int reading_size(sqlite3_file *file, sqlite3_int64 *size) {
    return below(file)->pMethods->xFileSize(below(file), size);
}

static int reading_lock(sqlite3_file *file, int lock) {
    forget(file);
    return below(file)->pMethods->xLock(below(file), lock);
}

static int reading_unlock(sqlite3_file *file, int lock) {
    forget(file);
    return below(file)->pMethods->xUnlock(below(file), lock);
}

static int reading_check_reserved(sqlite3_file *file, int *found) {
    return below(file)->pMethods->xCheckReservedLock(below(file), found);
}

static int reading_control(sqlite3_file *file, int operation, void *argument) {
    return below(file)->pMethods->xFileControl(below(file), operation, argument);
}

static int reading_sector_size(sqlite3_file *file) { return below(file)->pMethods->xSectorSize(below(file)); }

static int reading_characteristics(sqlite3_file *file) {
    return below(file)->pMethods->xDeviceCharacteristics(below(file));
}

static int reading_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    return below(file)->pMethods->xShmMap(below(file), page, size, extend, memory);
}

static int reading_shm_lock(sqlite3_file *file, int place, int count, int flags) {
    forget(file);
    return below(file)->pMethods->xShmLock(below(file), place, count, flags);
}

static void reading_shm_barrier(sqlite3_file *file) { below(file)->pMethods->xShmBarrier(below(file)); }

static int reading_shm_unmap(sqlite3_file *file, int removes) {
    forget(file);
    return below(file)->pMethods->xShmUnmap(below(file), removes);
}

#define READING_METHODS \
    reading_close, reading_read, reading_write, reading_truncate, reading_sync, reading_size, reading_lock, \
        reading_unlock, reading_check_reserved, reading_control, reading_sector_size, reading_characteristics

/* For a file without shared memory, as on some network volumes: SQLite then does not use it. */
static const sqlite3_io_methods reading_methods_1 = {1, READING_METHODS, 0, 0, 0, 0, 0, 0};

/* Without memory mapping, which would be version 3. */
static const sqlite3_io_methods reading_methods_2 = {
    2, READING_METHODS, reading_shm_map, reading_shm_lock, reading_shm_barrier, reading_shm_unmap, 0, 0};

/* Aligns the memory after it like malloc's. */
static const int own_size = (sizeof(reading_file) + 15) / 16 * 16;

static sqlite3_vfs *system_vfs(sqlite3_vfs *vfs) { return vfs->pAppData; }

static int reading_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *found) {
    sqlite3_vfs *system = system_vfs(vfs);
    if (!(flags & SQLITE_OPEN_MAIN_DB)) return system->xOpen(system, name, file, flags, found);
    reading_file *mine = (reading_file *)file;
    memset(mine, 0, own_size);
    mine->below = (sqlite3_file *)((char *)file + own_size);
    mine->last = -1;
    forget(file);
    int code = system->xOpen(system, name, mine->below, flags, found);
    /* SQLite closes a file that has methods, even if opening it failed. */
    const sqlite3_io_methods *methods = mine->below->pMethods;
    if (methods) {
        mine->file.pMethods = methods->iVersion >= 2 && methods->xShmMap ? &reading_methods_2 : &reading_methods_1;
    }
    return code;
}

static int reading_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
    return system_vfs(vfs)->xDelete(system_vfs(vfs), name, syncs);
}

static int reading_access(sqlite3_vfs *vfs, const char *name, int flags, int *found) {
    return system_vfs(vfs)->xAccess(system_vfs(vfs), name, flags, found);
}

static int reading_full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
    return system_vfs(vfs)->xFullPathname(system_vfs(vfs), name, count, path);
}

static int reading_random(sqlite3_vfs *vfs, int count, char *bytes) {
    return system_vfs(vfs)->xRandomness(system_vfs(vfs), count, bytes);
}

static int reading_sleep(sqlite3_vfs *vfs, int microseconds) {
    return system_vfs(vfs)->xSleep(system_vfs(vfs), microseconds);
}

static int reading_time(sqlite3_vfs *vfs, double *time) {
    return system_vfs(vfs)->xCurrentTime(system_vfs(vfs), time);
}

static int reading_last_error(sqlite3_vfs *vfs, int count, char *text) {
    return system_vfs(vfs)->xGetLastError(system_vfs(vfs), count, text);
}

static int reading_time64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
    return system_vfs(vfs)->xCurrentTimeInt64(system_vfs(vfs), time);
}

static sqlite3_vfs reading_vfs;

const char *godwit_sqlite_reading_vfs(void) {
    static const char name[] = "godwit-reading";
    if (sqlite3_vfs_find(name)) return name;
    sqlite3_vfs *system = sqlite3_vfs_find(0);
    if (!system || system->iVersion < 2) return 0;
    sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_VFS1);
    sqlite3_mutex_enter(mutex);
    if (!reading_vfs.zName) {
        reading_vfs = (sqlite3_vfs){
            .iVersion = 2,
            .szOsFile = own_size + system->szOsFile,
            .mxPathname = system->mxPathname,
            .zName = name,
            .pAppData = system,
            .xOpen = reading_open,
            .xDelete = reading_delete,
            .xAccess = reading_access,
            .xFullPathname = reading_full_path,
            .xRandomness = reading_random,
            .xSleep = reading_sleep,
            .xCurrentTime = reading_time,
            .xGetLastError = reading_last_error,
            .xCurrentTimeInt64 = reading_time64,
        };
    }
    int code = sqlite3_vfs_register(&reading_vfs, 0);
    sqlite3_mutex_leave(mutex);
    return code == SQLITE_OK ? name : 0;
}
