package import GodwitFiles
package import GodwitModel
internal import CZlib

/// Proves that a finished document reads back as it was meant to be written, byte by byte: its records by a digest of what the
/// hash in the document was made of, what stands around them by comparing.
///
/// It is read in parts, by as many threads as there are processors: the state of the digest was noted here and there when the
/// document was written, and each part has to lead from one state to the next. A packed document is unpacked for it, so
/// that its check value and its end are proven as well. What is read comes from the system's memory while the same bytes go
/// to the disk; that they get there is what the flush is for.
///
/// Invariant: the parts cover the whole file, each byte once.
package struct WrittenProof: Sendable {
    private let parts: [WrittenPart]
    /// What stands around the records, counted before it was packed.
    private let frame: WrittenFrame
    /// Bytes of the file.
    private let size: Int64
    /// What stands at the beginning and at the end of a packed file.
    private let packedFrame: GzipFrame?

    /// - Parameters:
    ///   - digest: of the records as they were written, with its states.
    ///   - head: what was written before them, and `tail` behind it.
    ///   - outline: of the file.
    init(_ digest: MarkedDigest, between head: [UInt8], and tail: [UInt8], _ outline: WrittenOutline) {
        frame = WrittenFrame(head: head, tail: tail, count: outline.count)
        size = outline.size
        let packed = outline.packed
        let ends = (first: packed == nil ? 0 : GzipFrame.head.count, last: packed == nil ? 0 : GzipFrame.tailCount)
        var marks = [Mark(place: 0, filePlace: Int64(ends.first), state: digest.beginning, before: [])]
        for (number, state) in digest.states.notes {
            let place = outline.base + number * outline.unit
            if let packed {
                guard let start = packed.starts[number] else { continue }
                marks.append(Mark(place: place, filePlace: start.place, state: state, before: start.before))
            } else {
                marks.append(Mark(place: place, filePlace: place, state: state, before: []))
            }
        }
        let end = Mark(place: outline.count, filePlace: outline.size - Int64(ends.last), state: nil, before: [])
        parts = zip(marks, marks.dropFirst() + [end]).map { mark, next in
            WrittenPart(
                places: mark.place..<next.place, file: mark.filePlace..<next.filePlace,
                before: mark.state ?? digest.beginning, digest: next.state?.value ?? digest.value,
                packing: packed.map { _ in .init(before: mark.before, end: next.before, isLast: next.state == nil) })
        }
        packedFrame = packed.map { GzipFrame(check: $0.check, count: outline.count) }
    }

    /// A place from which on a document can be read.
    private struct Mark {
        let place: Int64
        let filePlace: Int64
        /// The digest up to it; nil at the end.
        let state: TextDigest?
        let before: [UInt8]
    }

    /// How many parts can be read at a time.
    package var partCount: Int { parts.count }

    /// Flushes the file and reads it back; 74 unless it holds what was written.
    ///
    /// - Parameter threads: how many read, the calling one included.
    package func require(
        _ file: borrowing AtomicFile, _ context: RunContext, threads: Int = Processors.count
    ) throws(GodwitError) {
        try file.flush { () throws(GodwitError) in
            guard try file.size() == size, try readBack(file.writtenBytes, context.cancellation, threads),
                try file.size() == size
            else {
                throw GodwitError(
                    .export, .io, "\(file.target) does not read back as it was written.",
                    hint: "Check the volume; no export was left behind.")
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
            whole = crc32_combine(whole, uLong(check), .init(part.places.count))
        }
        return whole == packedFrame.check
    }
}
