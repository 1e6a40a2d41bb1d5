internal import GodwitFiles
internal import GodwitModel
internal import CZlib

/// A part of a finished document that can be read back without the others.
struct WrittenPart: Sendable {
    /// Its bytes, before they were packed, counted from the document's beginning.
    let places: Range<Int64>
    /// Where it lies in the file.
    let file: Range<Int64>
    /// The digest of the records' text before it, and what that becomes with it.
    let before: TextDigest
    let digest: TextDigest.Value
    /// Where the file is packed: what stands before the part, and at its end, so far as the next one refers to it.
    let packing: Packing?

    struct Packing: Sendable {
        let before: [UInt8]
        let end: [UInt8]
        /// Whether the member ends with the part.
        let isLast: Bool
    }

    /// Reads it back.
    ///
    /// - Parameter frame: what stands before and behind the records.
    /// - Returns: CRC-32 of its bytes, 0 where the file is not packed; nil unless it reads back as it was written.
    func readBack(
        _ bytes: WrittenBytes, in frame: WrittenFrame, _ cancellation: Cancellation
    ) throws(GodwitError) -> UInt? {
        var content = Content(digest: before, place: places.lowerBound, frame: frame)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        if let packing {
            guard try unpack(bytes, packing, buffer, &content, cancellation) else { return nil }
        } else {
            while content.place < file.upperBound {
                try cancellation.check(.export)
                let count = Int(min(file.upperBound - content.place, Int64(buffer.count)))
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                guard try bytes.read(into: part, at: content.place) == count else { return nil }
                content.take(UnsafeRawBufferPointer(part))
            }
        }
        guard content.isSame, content.place == places.upperBound, content.digest.value == digest else { return nil }
        return UInt(content.check)
    }

    /// False where it can't be unpacked to its end, and to nothing behind it.
    private func unpack(
        _ bytes: WrittenBytes, _ packing: Packing, _ buffer: UnsafeMutableRawBufferPointer, _ content: inout Content,
        _ cancellation: Cancellation
    ) throws(GodwitError) -> Bool {
        content.isChecked = true
        var inflater = try PartInflater(after: packing.before)
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { space.deallocate() }
        var (place, rest) = (file.lowerBound, UnsafeRawBufferPointer(space).prefix(0).rebased)
        while true {
            try cancellation.check(.export)
            if rest.isEmpty, place < file.upperBound {
                let count = Int(min(file.upperBound - place, Int64(space.count)))
                let part = UnsafeMutableRawBufferPointer(rebasing: space[..<count])
                guard try bytes.read(into: part, at: place) == count else { return false }
                rest = UnsafeRawBufferPointer(part)
                place += Int64(count)
            }
            guard let made = inflater.unpack(&rest, into: buffer) else { return false }
            content.take(UnsafeRawBufferPointer(rebasing: buffer[..<made]))
            if inflater.hasEnded || made == 0 && rest.isEmpty && place == file.upperBound { break }
        }
        guard inflater.hasEnded == packing.isLast, rest.isEmpty, place == file.upperBound else { return false }
        return inflater.window().suffix(packing.end.count).elementsEqual(packing.end)
    }

    /// What came of the bytes so far.
    private struct Content {
        var digest: TextDigest
        var place: Int64
        let frame: WrittenFrame
        /// Whether what stands around the records is as it was written.
        var isSame = true
        var isChecked = false
        var check: uLong = 0

        mutating func take(_ bytes: UnsafeRawBufferPointer) {
            let first = Int(min(max(frame.records.lowerBound - place, 0), Int64(bytes.count)))
            let last = Int(min(max(frame.records.upperBound - place, 0), Int64(bytes.count)))
            digest.update(UnsafeRawBufferPointer(rebasing: bytes[first..<last]))
            if !frame.isHead(bytes[..<first], at: place) || !frame.isTail(bytes[last...], at: place + Int64(last)) {
                isSame = false
            }
            if isChecked {
                check = crc32_z(check, bytes.baseAddress?.assumingMemoryBound(to: Bytef.self), bytes.count)
            }
            place += Int64(bytes.count)
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var rebased: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self) }
}
