import GodwitFiles
import GodwitModel
import GodwitSQLite
import Libc
import CSQLiteShim
import GodwitTestSupport
import Testing

/// SQLite has one code for most errors of a disk; the system's number shows which one it was.
struct SQLiteErrorTests {
    @Test(
        "the system's error number decides the meaning of a failed read or write",
        arguments: [
            (EIO, GodwitError.Code.io), (ENOSPC, .io), (EDQUOT, .io), (EFBIG, .io), (EACCES, .permission),
            (EPERM, .permission),
            (EROFS, .permission), (EMFILE, .io),
        ])
    func withNumber(number: Int32, code: GodwitError.Code) {
        for result in [SQLITE_IOERR, SQLITE_IOERR | (3 << 8), SQLITE_CANTOPEN] {
            let error = GodwitError.sqlite(
                result, "disk I/O error", name: "Library/a.store", stage: .dedupe, systemError: number)
            #expect(error.code == code)
            #expect(error.stage == .dedupe)
            #expect(error.message.contains("Library/a.store"))
            #expect(error.underlying == systemText(number))
            #expect(error.hint?.isEmpty == false)
        }
    }

    @Test(
        "without an error number SQLite's code decides, and other codes never need the number",
        arguments: [
            (SQLITE_IOERR, Int32(0), GodwitError.Code.io), (SQLITE_CANTOPEN, 0, .noInput), (SQLITE_FULL, EACCES, .io),
            (SQLITE_READONLY, EIO, .permission), (SQLITE_BUSY, EIO, .busy), (SQLITE_CORRUPT, EIO, .data),
        ])
    func withoutNumber(result: Int32, number: Int32, code: GodwitError.Code) {
        let error = GodwitError.sqlite(result, "text", name: "a.store", stage: .copy, systemError: number)
        #expect(error.code == code)
        #expect(error.message.contains("a.store"))
        #expect(error.underlying == "text")
    }

    @Test("for an open store, the error is about its journal")
    func journal() {
        let error = GodwitError.sqlite(SQLITE_CANTOPEN, "text", name: "a.store", stage: .copy, isOpen: true)
        #expect(error.code == .io)
        #expect(error.message == "the journal of `a.store` can't be opened")
    }

    @Test("for a reader, a full disk is that of the temporary folder")
    func fullReader() throws {
        let folder = try TemporaryFolder()
        try SampleStore.make(folder["a.store"], "CREATE TABLE T(a)")
        let reader = try SQLiteReader(
            path: folder["a.store"], name: "a.store", stage: .export, busyMilliseconds: 0, cancellation: Cancellation())
        let error = reader.connection.error(SQLITE_FULL)
        #expect(error.code == .io)
        #expect(error.message.contains("for temporary files") && error.hint?.contains("TMPDIR") == true)
        let writing = GodwitError.sqlite(SQLITE_FULL, "", name: "a.store", stage: .copy)
        #expect(writing.message == "no space left to write `a.store`")
    }

    @Test("an in-memory store has no file and no error number")
    func memory() {
        var handle: OpaquePointer?
        #expect(sqlite3_open(":memory:", &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        for code in [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_ERROR, SQLITE_OK] {
            errno = 0
            #expect(godwit_sqlite_system_error(handle, code) == 0)
            // A transaction makes a journal, which has no file in memory either.
            sqlite3_exec(handle, "BEGIN; CREATE TABLE IF NOT EXISTS t(a)", nil, nil, nil)
            #expect(godwit_sqlite_system_error(handle, code) == 0)
            sqlite3_exec(handle, "COMMIT", nil, nil, nil)
        }
    }

    @Test(
        "a schema that needs the app or another SQLite is not reported as damaged",
        arguments: [
            "unsafe use of secret()", "no such function: secret", #"near "ORDER": syntax error"#,
            #"unrecognized token: "1_000""#, "unknown table option: COMPACT", "unsupported use of NULLS LAST",
        ])
    func schemaOfTheApp(what: String) {
        let error = GodwitError.sqlite(
            SQLITE_CORRUPT, "malformed database schema (a - b) - \(what)", name: "a.store", stage: .export)
        #expect(error.code == .data && error.underlying?.contains(what) == true)
        let version = String(cString: sqlite3_libversion())
        #expect(
            error.message
                == "this SQLite (\(version)) can't read the schema of `a.store`: it does not understand `a - b`")
        #expect(error.hint?.contains("backup") == false && error.hint?.contains("restore") == false)
    }

    @Test(
        "a damaged schema table is reported as damaged",
        arguments: [
            "malformed database schema (i) - invalid rootpage", "malformed database schema (i) - orphan index",
            "malformed database schema (i) - incomplete input", "malformed database schema (?)",
            "malformed database schema (i) - there is already a table named i", "database disk image is malformed",
        ])
    func damagedSchema(_ text: String) {
        let error = GodwitError.sqlite(SQLITE_CORRUPT, text, name: "a.store", stage: .export)
        #expect(error.message == "`a.store` is not a usable SQLite store")
    }

    @Test("a lack of memory is reported as such, and a value beyond SQLite's limits as a value")
    func littleMemory() {
        let little = GodwitError.sqlite(SQLITE_NOMEM, "out of memory", name: "a.store", stage: .copy)
        #expect(little.code == .data && little.message.contains("not enough memory"))
        #expect(little.hint?.contains("ulimit -v") == true && !little.isFinding)
        let large = GodwitError.sqlite(SQLITE_TOOBIG, "string or blob too big", name: "a.store", stage: .copy)
        #expect(large.code == .data && large.message.contains("a value that is too large") && large.isFinding)
    }

    @Test(
        "collations and functions that only the app has are reported as the app's",
        arguments: ["no such collation sequence: unicase", "no such function: distance", "no such module: vec0"])
    func ownCode(_ text: String) {
        let error = GodwitError.sqlite(1, text, name: "a.store", stage: .inspect)
        #expect(error.code == .data && error.underlying == text)
        #expect(
            error.message == "`a.store` sorts or computes with a function, collation or module that only its app has")
        #expect(error.hint?.contains("index, trigger or column") == true)
        #expect(GodwitError.sqlite(1, "near x: syntax error", name: "a", stage: .inspect).message != error.message)
    }
}
