internal import GodwitModel
internal import CZlib

/// The one owner of zlib's deflating state: packs blocks one after the other, each by itself.
///
/// A class, since the threads that pack keep one each; only one thread uses it at a time.
final class Deflater {
    /// At a fixed place in memory, since zlib's state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let level: Int

    /// - Parameter level: from 1, the quickest, to 9, the smallest.
    init(level: Int) throws(GodwitError) {
        self.level = level
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // -15: raw deflate; header and trailer are the writer's. https://zlib.net/manual.html#Advanced
        let code = deflateInit2_(
            stream, Int32(level), Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        switch code {
        case Z_OK: break
        case Z_MEM_ERROR: throw GodwitError(.export, .io, "There is no memory to pack the document.")
        default: throw GodwitError(.export, .bug, "zlib can't begin to pack.")
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// The most bytes that so many can become.
    func bound(_ count: Int) -> Int {
        // zlib's bound is for bytes that end the stream; flushing instead takes a few more.
        Int(deflateBound(stream, uLong(count))) + 64
    }

    /// Packs bytes into the beginning of a buffer, which has room for `bound` of them; returns how many they became, or
    /// nil where zlib can't.
    ///
    /// What is packed ends on a whole byte, so that other blocks or a stored one may follow.
    ///
    /// - Parameters:
    ///   - dictionary: what stands before the bytes and may be referred to, at most 32 KiB.
    ///   - isLast: whether the stream ends here.
    func pack(
        _ bytes: UnsafeRawBufferPointer, after dictionary: UnsafeRawBufferPointer, isLast: Bool,
        into packed: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard deflateReset(stream) == Z_OK else { return nil }
        // Level 6 looks a quarter as far for a longer match, but as far where it has a good one already: quicker, and
        // an export is no larger for it. Each reset returns to zlib's own numbers, 8, 16, 128 and 128:
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
        // Without room left zlib may have more to give.
        guard code == (isLast ? Z_STREAM_END : Z_OK), stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 else {
            return nil
        }
        return packed.count - Int(stream.pointee.avail_out)
    }
}
