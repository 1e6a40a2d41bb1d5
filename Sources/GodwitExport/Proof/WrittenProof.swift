package import GodwitFiles
package import GodwitModel
internal import CZlib

/// Proves that a complete document reads back as it was written: its records by a digest, the text around them by
/// comparison.
///
/// The digest covers the same text as the hash in the document. Its state was recorded at points of the document, and
/// each part must lead from one state to the next. So several threads read parts in parallel. A packed document is
/// unpacked, which also proves its checksum and its end. Reads come from the system's cache while the same bytes are
/// written to the disk; the flush makes sure that they arrive there.
/// Invariant: the parts cover the whole file, each byte once.
package struct WrittenProof: Sendable {
    private let parts: [WrittenPart]
    /// The text around the records, before packing.
    private let frame: WrittenFrame
    private let size: Int64
    /// The head and tail of a packed file.
    private let packedFrame: GzipFrame?

    /// - Parameters:
    ///   - digest: the digest of the records as they were written, with its recorded states.
    ///   - head: the text before the records; `tail` is the text after them.
    init(_ digest: MarkedDigest, between head: [UInt8], and tail: [UInt8], _ outline: WrittenOutline) {
        frame = WrittenFrame(head: head, tail: tail, count: outline.count)
        size = outline.size
        let packed = outline.packed
        let ends = (first: packed == nil ? 0 : GzipFrame.head.count, last: packed == nil ? 0 : GzipFrame.tailCount)
        var marks = [Mark(offset: 0, fileOffset: Int64(ends.first), state: digest.beginning, before: [])]
        for (number, state) in digest.states.notes {
            let offset = outline.base + number * outline.unit
            if let packed {
                guard let start = packed.starts[number] else { continue }
                marks.append(Mark(offset: offset, fileOffset: start.offset, state: state, before: start.before))
            } else {
                marks.append(Mark(offset: offset, fileOffset: offset, state: state, before: []))
            }
        }
        let end = Mark(offset: outline.count, fileOffset: outline.size - Int64(ends.last), state: nil, before: [])
        parts = zip(marks, marks.dropFirst() + [end]).map { mark, next in
            WrittenPart(
                range: mark.offset..<next.offset, file: mark.fileOffset..<next.fileOffset,
                before: mark.state ?? digest.beginning, digest: next.state?.value ?? digest.value,
                packing: packed.map { _ in .init(before: mark.before, end: next.before, isLast: next.state == nil) })
        }
        packedFrame = packed.map { GzipFrame(check: $0.check, count: outline.count) }
    }

    /// A point at which reading can start.
    private struct Mark {
        let offset: Int64
        let fileOffset: Int64
        /// The digest of everything before it; nil at the end.
        let state: TextDigest?
        let before: [UInt8]
    }

    /// Maximum number of parts to read at the same time.
    package var partCount: Int { parts.count }

    /// Flushes the file and reads it back; throws 74 if the content differs from what was written.
    package func require(
        _ file: borrowing AtomicFile, _ context: RunContext, threads: Int = Processors.count
    ) throws(GodwitError) {
        try file.flush { () throws(GodwitError) in
            guard try file.size() == size, try readBack(file.writtenBytes, context.cancellation, threads),
                try file.size() == size
            else {
                throw GodwitError(
                    .export, .io, "`\(file.target)` does not read back as it was written; no export was left behind",
                    hint: "Check the volume.")
            }
        }
    }

    private func readBack(
        _ bytes: WrittenBytes, _ cancellation: Cancellation, _ threads: Int
    ) throws(GodwitError) -> Bool {
        if let packedFrame, try !packedFrame.isAround(bytes, size) { return false }
        let work = SharedWork(parts.count) { [parts, frame] part throws(GodwitError) in
            try parts[part].readBack(bytes, in: frame, cancellation)
        }
        let checks = try work.perform(threads: threads)
        guard let packedFrame else { return !checks.contains(nil) }
        var whole: uLong = 0
        for (part, check) in zip(parts, checks) {
            guard let check else { return false }
            whole = crc32_combine(whole, uLong(check), .init(part.range.count))
        }
        return whole == packedFrame.check
    }
}
