internal import CZlib

/// Bytes as Core Data packs the model it keeps in a store: raw DEFLATE (RFC 1951), or with zlib's two bytes before it.
enum Deflated {
    /// The bytes unpacked; nil where they are nothing of the kind, or would be larger than a bound.
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
                // Neither done nor getting on: cut off, or damaged.
                guard code == Z_OK, made > 0 || stream.pointee.avail_in > 0 else { return nil }
            }
        }
    }
}
