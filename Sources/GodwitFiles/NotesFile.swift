package import GodwitModel
internal import Libc

/// A private temporary file for a command's intermediate data: appended to, then read at any offset; deinit removes it.
///
/// Invariant for `@unchecked Sendable`: one thread writes at a time; reads do not move the file offset.
package final class NotesFile: @unchecked Sendable {
    private let scratch: ScratchDirectory
    private let file: OpenFile
    private let stage: GodwitError.Stage
    private let advice: @Sendable (_ folder: String) -> String

    /// Creates a file in a scratch folder in `TMPDIR`.
    ///
    /// - Parameters:
    ///   - name: the end of its name.
    ///   - advice: the hint if the given folder has no space left.
    package init(
        _ name: String, _ context: RunContext, stage: GodwitError.Stage,
        advice: @escaping @Sendable (_ folder: String) -> String
    ) throws(GodwitError) {
        let scratch = try ScratchDirectory(identifier: context.makeIdentifier())
        file = try OpenFile(creating: scratch.path + "/" + OwnFiles.temporaryPrefix + name, stage: stage)
        (self.scratch, self.stage, self.advice) = (scratch, stage, advice)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(GodwitError) {
        do throws(GodwitError) { try file.write(bytes) } catch { throw explained(error) }
    }

    /// Fills the whole buffer from an offset; throws if the file ends before.
    package func read(_ space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(GodwitError) {
        do throws(GodwitError) {
            guard try file.read(into: space, at: offset) == space.count else {
                throw .system("read back", file.path, errno: EIO)
            }
        } catch {
            throw explained(error)
        }
    }

    /// Returns whole blocks in a range to the file system; false if it cannot do that.
    package func giveBack(_ range: Range<Int64>) -> Bool { file.giveBack(range) }

    /// Replaces the hint: users do not know this file, but can choose another folder.
    private func explained(_ error: GodwitError) -> GodwitError {
        var error = error.at(stage)
        // The error for a file size limit already has a correct hint.
        if error.code == .io, error.underlying != systemText(EFBIG) {
            error.hint = advice(PathText.directory(of: scratch.path))
        }
        return error
    }
}
