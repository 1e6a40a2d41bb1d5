import GodwitFiles
import GodwitModel
import Libc
import Testing

struct SystemErrorTests {
    @Test(
        "each system error has its exit code",
        arguments: [
            (ENOENT, GodwitError.Code.noInput), (ENOTDIR, .noInput), (ENXIO, .noInput), (EACCES, .permission),
            (EPERM, .permission),
            (EROFS, .permission), (EEXIST, .cannotCreate), (ELOOP, .noInput), (ENAMETOOLONG, .noInput),
            (EISDIR, .cannotCreate), (ENOSPC, .io), (EDQUOT, .io), (EFBIG, .io), (EIO, .io), (EPIPE, .io),
        ])
    func codes(number: Int32, code: GodwitError.Code) {
        let error = GodwitError.system("write", "/a/b", errno: number, stage: .export)
        #expect(error.code == code)
        #expect(error.stage == .export)
        #expect(error.message == "can't write `/a/b`")
        #expect(error.hint?.isEmpty == false)
        #expect(error.underlying == systemText(number))
    }

    @Test("a missing file is input or output, as the caller says")
    func missing() {
        for number in [ENOENT, ENOTDIR, ENAMETOOLONG] {
            #expect(GodwitError.system("create", "x", errno: number, missing: .cannotCreate).code == .cannotCreate)
        }
    }

    @Test("an interrupted system call is repeated, and other failures are passed on")
    func interrupts() {
        var calls = 0
        let result = retryingInterrupts { () -> Int in
            calls += 1
            errno = calls < 3 ? EINTR : EIO
            return -1
        }
        #expect(calls == 3)
        #expect(result == -1)
        #expect(retryingInterrupts { 7 } == 7)
    }
}
