internal import GodwitModel
internal import CZlib

/// The only owner of zlib's deflating state; packs blocks independently.
///
/// A class, because each packing thread keeps one; only one thread uses it at a time.
final class Deflater {
    /// Allocated, because zlib's state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let level: Int

    /// - Parameter level: from 1, the fastest, to 9, the smallest output.
    init(level: Int) throws(GodwitError) {
        self.level = level
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // -15: raw deflate; the writer adds header and trailer. https://zlib.net/manual.html#Advanced
        let code = deflateInit2_(
            stream, Int32(level), Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        switch code {
        case Z_OK: break
        case Z_MEM_ERROR: throw GodwitError(.export, .io, "not enough memory to compress the export")
        default: throw GodwitError(.export, .bug, "zlib can't start to compress")
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Maximum packed size of this number of bytes.
    func bound(_ count: Int) -> Int {
        // zlib's bound is for the end of a stream; a flush takes a few bytes more.
        Int(deflateBound(stream, uLong(count))) + 64
    }

    /// Packs bytes into the start of a buffer, which has room for `bound` of them; returns the packed size, or nil
    /// after an error.
    ///
    /// The output ends on a whole byte, so that other blocks or a stored one may follow.
    ///
    /// - Parameters:
    ///   - dictionary: the text before the bytes, for references, at most 32 KiB.
    ///   - isLast: whether the stream ends here.
    func pack(
        _ bytes: UnsafeRawBufferPointer, after dictionary: UnsafeRawBufferPointer, isLast: Bool,
        into packed: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard deflateReset(stream) == Z_OK else { return nil }
        // Compared with zlib's level 6, search a quarter as far for a longer match, but as far even after a good one:
        // it is faster, and exports are not larger. Each reset restores zlib's own numbers, 8, 16, 128 and 128:
        // configuration_table in <https://github.com/madler/zlib/blob/master/deflate.c>.
        if level == 6 { deflateTune(stream, 32, 24, 128, 32) }
        if let start = dictionary.baseAddress, !dictionary.isEmpty {
            let start = start.assumingMemoryBound(to: Bytef.self)
            guard deflateSetDictionary(stream, start, uInt(dictionary.count)) == Z_OK else { return nil }
        }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(bytes.count)
        stream.pointee.next_out = packed.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(packed.count)
        let code = deflate(stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
        // If the buffer is full, zlib may have more output.
        guard code == (isLast ? Z_STREAM_END : Z_OK), stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 else {
            return nil
        }
        return packed.count - Int(stream.pointee.avail_out)
    }
}
