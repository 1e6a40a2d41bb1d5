import CSQLiteShim
import GodwitModel
import GodwitStore
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// SQLite has one code for most of what a disk may say; the system's number tells what it was.
struct SQLiteErrorTests {
    @Test(
        "the system's number decides what a failed read or write means",
        arguments: [
            (EIO, ExitCode.io), (ENOSPC, .io), (EDQUOT, .io), (EFBIG, .io), (EACCES, .permission), (EPERM, .permission),
            (EROFS, .permission), (EMFILE, .io),
        ])
    func withNumber(number: Int32, code: ExitCode) {
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
        "without a number SQLite's own code decides, and other codes never ask for one",
        arguments: [
            (SQLITE_IOERR, Int32(0), ExitCode.io), (SQLITE_CANTOPEN, 0, .io), (SQLITE_FULL, EACCES, .io),
            (SQLITE_READONLY, EIO, .permission), (SQLITE_BUSY, EIO, .busy), (SQLITE_CORRUPT, EIO, .data),
        ])
    func withoutNumber(result: Int32, number: Int32, code: ExitCode) {
        let error = GodwitError.sqlite(result, "text", name: "a.store", stage: .copy, systemError: number)
        #expect(error.code == code)
        #expect(error.message.contains("a.store"))
        #expect(error.underlying == "text")
    }
}
