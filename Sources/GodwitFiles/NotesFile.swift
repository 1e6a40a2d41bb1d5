package import GodwitModel
internal import Libc

/// A private file of what a command notes while it works, written from front to back, then read anywhere; gone when its
/// owner goes.
///
/// Invariant, for `@unchecked Sendable`: it is written by one thread at a time; reading moves nothing.
package final class NotesFile: @unchecked Sendable {
    private let scratch: ScratchDirectory
    private let file: OpenFile
    private let stage: Stage
    private let advice: @Sendable (_ folder: String) -> String

    /// A new file in a folder of its own in `TMPDIR`.
    ///
    /// - Parameters:
    ///   - name: what its name ends in.
    ///   - advice: what helps where the folder it names has no room.
    package init(
        _ name: String, _ context: RunContext, stage: Stage, advice: @escaping @Sendable (_ folder: String) -> String
    ) throws(GodwitError) {
        let scratch = try ScratchDirectory(identifier: context.makeIdentifier())
        file = try OpenFile(creating: scratch.path + "/" + OwnFiles.temporaryPrefix + name, stage: stage)
        (self.scratch, self.stage, self.advice) = (scratch, stage, advice)
    }

    /// Adds bytes at its end.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(GodwitError) {
        do throws(GodwitError) { try file.write(bytes) } catch { throw explained(error) }
    }

    /// Fills a buffer with what lies at a place; all of it must be there.
    package func read(_ space: UnsafeMutableRawBufferPointer, at place: Int64) throws(GodwitError) {
        do throws(GodwitError) {
            guard try file.read(into: space, at: place) == space.count else {
                throw .system("read back", file.path, errno: EIO)
            }
        } catch {
            throw explained(error)
        }
    }

    /// Gives whole blocks in a range back to the system; false where the file system can't.
    package func giveBack(_ range: Range<Int64>) -> Bool { file.giveBack(range) }

    /// An error about a file that no user has: what helps is another folder for it.
    private func explained(_ error: GodwitError) -> GodwitError {
        var error = error.at(stage)
        // Of a limit to the size of files the error itself says what helps.
        if error.code == .io, error.underlying != systemText(EFBIG) {
            error.hint = advice(PathText.directory(of: scratch.path))
        }
        return error
    }
}
