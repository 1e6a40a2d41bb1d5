package import GodwitModel
internal import CZlib

/// The only owner of zlib's inflating state; unpacks gzip as a stream, in constant memory.
///
/// Several members form one document (RFC 1952, section 2.2). Other data after a member is an error: `gunzip` only
/// warns about trailing garbage, but a restore must be strict.
package struct Inflater: ~Copyable {
    /// Allocated, because zlib's state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let packed: UnsafeMutableRawBufferPointer
    /// Whether the last member has ended and no other has begun.
    private var isBetweenMembers = false
    private let name: String
    private let stage: GodwitError.Stage

    /// - Parameter beginning: bytes that were read to recognize the format.
    package init(beginning: [UInt8], name: String, stage: GodwitError.Stage) throws(GodwitError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        packed = .allocate(byteCount: 1 << 16, alignment: 16)
        (self.name, self.stage) = (name, stage)
        packed.copyBytes(from: beginning.prefix(packed.count))
        stream.pointee.next_in = packed.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = uInt(min(beginning.count, packed.count))
        // 15 bits of window, and 16 for "gzip only": https://zlib.net/manual.html#Advanced
        let code = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw GodwitError(stage, .bug, "zlib can't start to decompress") }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
        packed.deallocate()
    }

    /// Fills the start of a buffer with unpacked bytes; returns 0 only at the end of the last member.
    package mutating func read(
        from input: ExportInput, into buffer: UnsafeMutableRawBufferPointer
    ) throws(GodwitError) -> Int {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(clamping: buffer.count)
        let wanted = Int(stream.pointee.avail_out)
        while stream.pointee.avail_out == wanted {
            if stream.pointee.avail_in == 0, try !refill(from: input) {
                if isBetweenMembers { return 0 }
                throw damage("ends in the middle of its gzip stream", hint: "Copy it again: it was cut off.")
            }
            if isBetweenMembers { try beginMember() }
            switch inflate(stream, Z_NO_FLUSH) {
            case Z_STREAM_END: isBetweenMembers = true
            case Z_OK: break
            // No progress was possible: more input is needed, or the buffer is full.
            case Z_BUF_ERROR where stream.pointee.avail_in == 0 || stream.pointee.avail_out < wanted: break
            case Z_MEM_ERROR: throw GodwitError(stage, .io, "not enough memory to unpack `\(name)`")
            default:
                let text = stream.pointee.msg.map { String(cString: $0) }
                throw damage("is a damaged gzip file", hint: "Copy it again, or take an older export.", text)
            }
        }
        return wanted - Int(stream.pointee.avail_out)
    }

    private mutating func refill(from input: ExportInput) throws(GodwitError) -> Bool {
        let count = try input.read(into: packed, stage: stage)
        stream.pointee.next_in = packed.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = uInt(count)
        return count > 0
    }

    private mutating func beginMember() throws(GodwitError) {
        guard stream.pointee.next_in?.pointee == 0x1F else {
            throw damage("has other bytes after its gzip stream", hint: "Copy it again: nothing may follow.")
        }
        guard inflateReset(stream) == Z_OK else { throw GodwitError(stage, .bug, "zlib can't start a member") }
        isBetweenMembers = false
    }

    private func damage(_ what: String, hint: String, _ underlying: String? = nil) -> GodwitError {
        GodwitError(stage, .data, "`\(name)` \(what)", hint: hint, underlying: underlying)
    }
}
