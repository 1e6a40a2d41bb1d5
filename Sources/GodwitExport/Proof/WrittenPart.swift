internal import GodwitFiles
internal import GodwitModel
internal import CZlib

/// A part of a complete document that can be read back without the others.
struct WrittenPart: Sendable {
    /// Its range in the document before packing.
    let range: Range<Int64>
    let file: Range<Int64>
    /// The digest of the records' text before the part, and after it.
    let before: TextDigest
    let digest: TextDigest.Value
    /// For a packed file: the text before the part and at its end, as far as a later part can refer to it.
    let packing: Packing?

    struct Packing: Sendable {
        let before: [UInt8]
        let end: [UInt8]
        /// Whether the member ends with the part.
        let isLast: Bool
    }

    ///
    /// - Returns: CRC-32 of its bytes, 0 if the file is not packed; nil if the content differs from what was written.
    func readBack(
        _ bytes: WrittenBytes, in frame: WrittenFrame, _ cancellation: Cancellation
    ) throws(GodwitError) -> UInt? {
        var content = Content(digest: before, offset: range.lowerBound, frame: frame)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        if let packing {
            guard try unpack(bytes, packing, buffer, &content, cancellation) else { return nil }
        } else {
            while content.offset < file.upperBound {
                try cancellation.check(.export)
                let count = Int(min(file.upperBound - content.offset, Int64(buffer.count)))
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                guard try bytes.read(into: part, at: content.offset) == count else { return nil }
                content.take(UnsafeRawBufferPointer(part))
            }
        }
        guard content.isSame, content.offset == range.upperBound, content.digest.value == digest else { return nil }
        return UInt(content.check)
    }

    /// False if it cannot be unpacked completely, or if data follows.
    private func unpack(
        _ bytes: WrittenBytes, _ packing: Packing, _ buffer: UnsafeMutableRawBufferPointer, _ content: inout Content,
        _ cancellation: Cancellation
    ) throws(GodwitError) -> Bool {
        content.isChecked = true
        var inflater = try PartInflater(after: packing.before)
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { space.deallocate() }
        var (offset, rest) = (file.lowerBound, UnsafeRawBufferPointer(space).prefix(0).rebased)
        while true {
            try cancellation.check(.export)
            if rest.isEmpty, offset < file.upperBound {
                let count = Int(min(file.upperBound - offset, Int64(space.count)))
                let part = UnsafeMutableRawBufferPointer(rebasing: space[..<count])
                guard try bytes.read(into: part, at: offset) == count else { return false }
                rest = UnsafeRawBufferPointer(part)
                offset += Int64(count)
            }
            guard let made = inflater.unpack(&rest, into: buffer) else { return false }
            content.take(UnsafeRawBufferPointer(rebasing: buffer[..<made]))
            if inflater.hasEnded || made == 0 && rest.isEmpty && offset == file.upperBound { break }
        }
        guard inflater.hasEnded == packing.isLast, rest.isEmpty, offset == file.upperBound else { return false }
        return inflater.window().suffix(packing.end.count).elementsEqual(packing.end)
    }

    /// The result of the bytes so far.
    private struct Content {
        var digest: TextDigest
        var offset: Int64
        let frame: WrittenFrame
        /// Whether the text around the records is unchanged.
        var isSame = true
        var isChecked = false
        var check: uLong = 0

        mutating func take(_ bytes: UnsafeRawBufferPointer) {
            let first = Int(min(max(frame.records.lowerBound - offset, 0), Int64(bytes.count)))
            let last = Int(min(max(frame.records.upperBound - offset, 0), Int64(bytes.count)))
            digest.update(UnsafeRawBufferPointer(rebasing: bytes[first..<last]))
            if !frame.isHead(bytes[..<first], at: offset) || !frame.isTail(bytes[last...], at: offset + Int64(last)) {
                isSame = false
            }
            if isChecked {
                check = crc32_z(check, bytes.baseAddress?.assumingMemoryBound(to: Bytef.self), bytes.count)
            }
            offset += Int64(bytes.count)
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var rebased: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self) }
}
