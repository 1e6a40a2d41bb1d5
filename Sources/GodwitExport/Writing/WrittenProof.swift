internal import Crypto
package import GodwitModel
package import GodwitStore

/// Proves that a finished document reads back as it was meant to be written: its array, byte by byte, by hash.
///
/// A packed document is unpacked for it, so that its check value and its end are proven as well. What is read comes from the
/// system's memory while the same bytes go to the disk; that they get there is what the flush is for.
package struct WrittenProof: Sendable {
    private let hash: String
    private let start: Int64
    private let end: Int64
    private let isPacked: Bool

    /// - Parameters:
    ///   - hash: of the bytes between the two places, counted before they were packed.
    package init(hash: String, from start: Int64, to end: Int64, isPacked: Bool) {
        (self.hash, self.start, self.end, self.isPacked) = (hash, start, end, isPacked)
    }

    /// Flushes the file and reads it back; 74 unless it holds what was written.
    package func require(_ file: borrowing AtomicFile, _ context: RunContext) throws(GodwitError) {
        try file.flush { () throws(GodwitError) in
            do throws(GodwitError) {
                guard try read(file, context) == hash else { throw Self.misread(file.target) }
            } catch {
                throw error.code == .data ? Self.misread(file.target, error.message) : error
            }
        }
    }

    private func read(_ file: borrowing AtomicFile, _ context: RunContext) throws(GodwitError) -> String {
        let input = try ExportInput(descriptor: file.descriptor, name: file.target, stage: .export)
        var source = try DocumentSource(input, stage: .export)
        guard source.isCompressed == isPacked else { return "" }
        var hash = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var place: Int64 = 0
        while true {
            let count = try source.read(into: buffer)
            if count == 0 { break }
            try context.cancellation.check(.export)
            let first = min(max(start - place, 0), Int64(count))
            let last = min(max(end - place, 0), Int64(count))
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[Int(first)..<Int(last)]))
            place += Int64(count)
        }
        return hexText(hash.finalize())
    }

    private static func misread(_ target: String, _ underlying: String? = nil) -> GodwitError {
        GodwitError(
            .export, .io, "\(target) does not read back as it was written.",
            hint: "Check the volume; no export was left behind.", underlying: underlying)
    }
}
