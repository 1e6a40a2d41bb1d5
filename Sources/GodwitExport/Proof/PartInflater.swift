internal import GodwitModel
internal import CZlib

/// Unpacks a part of a gzip member that begins with a block of its own (RFC 1951, section 3.2.3), given the text before
/// it.
struct PartInflater: ~Copyable {
    /// Allocated, because zlib's state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private(set) var hasEnded = false

    /// - Parameter dictionary: up to 32 KiB of text before the part.
    init(after dictionary: [UInt8]) throws(GodwitError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // -15: raw deflate, in which a dictionary can be set before any block: https://zlib.net/manual.html#Advanced
        let code = inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK, inflateSetDictionary(stream, dictionary, uInt(dictionary.count)) == Z_OK else {
            throw GodwitError(.export, .io, "not enough memory to decompress the export")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Unpacks into the buffer, and leaves unused input.
    ///
    /// - Returns: the number of bytes in the buffer; nil if the part is damaged.
    mutating func unpack(
        _ packed: inout UnsafeRawBufferPointer, into space: UnsafeMutableRawBufferPointer
    ) -> Int? {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: packed.baseAddress?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(packed.count)
        stream.pointee.next_out = space.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(space.count)
        let code = inflate(stream, Z_NO_FLUSH)
        packed = UnsafeRawBufferPointer(rebasing: packed.suffix(Int(stream.pointee.avail_in)))
        hasEnded = code == Z_STREAM_END
        // Z_BUF_ERROR: no progress was possible.
        guard code == Z_OK || code == Z_BUF_ERROR || hasEnded else { return nil }
        return space.count - Int(stream.pointee.avail_out)
    }

    /// The last 32 KiB of output, or less.
    func window() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 1 << 15) { space, count in
            var size = uInt(0)
            count = inflateGetDictionary(stream, space.baseAddress, &size) == Z_OK ? Int(size) : 0
        }
    }
}
