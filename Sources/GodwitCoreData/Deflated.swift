internal import CZlib

/// Unpacks the model in a store: raw DEFLATE (RFC 1951), or with zlib's header of two bytes.
enum Deflated {
    /// Nil if the bytes are invalid, or if the result would exceed the limit.
    static func unpack(_ packed: [UInt8], limit: Int) -> [UInt8]? {
        inflated(packed, windowBits: -15, limit: limit) ?? inflated(packed, windowBits: 15, limit: limit)
    }

    /// - Parameter windowBits: negative for bytes without a header, <https://zlib.net/manual.html#Advanced>.
    private static func inflated(_ packed: [UInt8], windowBits: Int32, limit: Int) -> [UInt8]? {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer {
            inflateEnd(stream)
            stream.deinitialize(count: 1)
            stream.deallocate()
        }
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        var packed = packed
        var unpacked: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        return packed.withUnsafeMutableBytes { input -> [UInt8]? in
            stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.pointee.avail_in = uInt(clamping: input.count)
            while true {
                var code = Z_OK
                let made = room.withUnsafeMutableBytes { output -> Int in
                    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
                    stream.pointee.avail_out = uInt(output.count)
                    code = inflate(stream, Z_NO_FLUSH)
                    return output.count - Int(stream.pointee.avail_out)
                }
                unpacked += room[..<made]
                guard unpacked.count <= limit else { return nil }
                if code == Z_STREAM_END { return unpacked }
                // No progress and not at the end: truncated or damaged.
                guard code == Z_OK, made > 0 || stream.pointee.avail_in > 0 else { return nil }
            }
        }
    }
}
