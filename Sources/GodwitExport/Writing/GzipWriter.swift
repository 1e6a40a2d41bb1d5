internal import CZlib
internal import GodwitModel
internal import GodwitStore

/// The one owner of zlib's deflating state: one gzip member (RFC 1952) with a hole in it that is filled at the end.
///
/// The content version stands in the header and is known only when all records have been written. Its place is a stored
/// block of its own (RFC 1951, section 3.2.4), before which the compressor forgets what came earlier, so that its bytes
/// can be set afterwards without packing anything again. The check value is joined from those of the parts.
struct GzipWriter: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    private let packed: UnsafeMutableRawBufferPointer
    /// Bytes in the file so far, this member's alone.
    private var written: Int64 = 0
    private var unpacked: Int64 = 0
    private var check: uLong = 0
    /// Of what came before the hole.
    private var checkBefore: uLong = 0
    /// Where the hole's bytes are in the file, how many they are, and how many unpacked bytes there were behind them.
    private var hole: (place: Int64, count: Int, end: Int64)?

    /// - Parameter level: from 1, the quickest, to 9, the smallest.
    init(level: Int) throws(GodwitError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        packed = .allocate(byteCount: 1 << 18, alignment: 16)
        // -15: raw deflate; header and trailer are written here. https://zlib.net/manual.html#Advanced
        let code = deflateInit2_(
            stream, Int32(level), Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw GodwitError(.export, .bug, "zlib can't begin to pack.") }
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
        packed.deallocate()
    }

    /// Packs bytes into the file.
    mutating func write(_ bytes: UnsafeRawBufferPointer, to file: borrowing AtomicFile) throws(GodwitError) {
        try beginFile(file)
        check = Self.join(check, bytes)
        unpacked += Int64(bytes.count)
        try pack(bytes, Z_NO_FLUSH, file)
    }

    /// Leaves a hole of so many bytes, at most 65,535.
    mutating func writeHole(_ count: Int, to file: borrowing AtomicFile) throws(GodwitError) {
        try beginFile(file)
        try pack(UnsafeRawBufferPointer(start: nil, count: 0), Z_FULL_FLUSH, file)
        let size = UInt16(clamping: count)
        try put(
            [0, UInt8(size & 0xFF), UInt8(size >> 8), UInt8(~size & 0xFF), UInt8(~size >> 8)]
                + [UInt8](repeating: 0x30, count: count), file)
        checkBefore = check
        check = 0
        unpacked += Int64(count)
        hole = (written - Int64(count), count, unpacked)
    }

    /// Ends the member; `filling` goes into the hole.
    mutating func finish(filling: [UInt8], in file: borrowing AtomicFile) throws(GodwitError) {
        try pack(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, file)
        if let hole {
            try file.overwrite(filling, at: hole.place)
            let filled = filling.withUnsafeBytes { Self.join(0, $0) }
            let before = crc32_combine(checkBefore, filled, .init(hole.count))
            check = crc32_combine(before, check, .init(unpacked - hole.end))
        }
        let trailer = [UInt32(truncatingIfNeeded: check), UInt32(truncatingIfNeeded: unpacked)]
        try put(trailer.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) } }, file)
    }

    /// RFC 1952, section 2.3: no name, no time, no word of the system, so that equal content gives equal bytes.
    private mutating func beginFile(_ file: borrowing AtomicFile) throws(GodwitError) {
        guard written == 0 else { return }
        try put([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255], file)
    }

    private mutating func pack(
        _ bytes: UnsafeRawBufferPointer, _ flush: Int32, _ file: borrowing AtomicFile
    ) throws(GodwitError) {
        var rest = bytes
        repeat {
            // zlib counts in 32 bits.
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: piece.baseAddress?.assumingMemoryBound(to: Bytef.self))
            stream.pointee.avail_in = uInt(piece.count)
            repeat {
                stream.pointee.next_out = packed.baseAddress?.assumingMemoryBound(to: Bytef.self)
                stream.pointee.avail_out = uInt(packed.count)
                guard deflate(stream, rest.isEmpty ? flush : Z_NO_FLUSH) != Z_STREAM_ERROR else {
                    throw GodwitError(.export, .bug, "zlib can't pack the document.")
                }
                let count = packed.count - Int(stream.pointee.avail_out)
                try file.write(UnsafeRawBufferPointer(rebasing: packed[..<count]))
                written += Int64(count)
            } while stream.pointee.avail_out == 0
        } while !rest.isEmpty
    }

    private mutating func put(_ bytes: [UInt8], _ file: borrowing AtomicFile) throws(GodwitError) {
        try file.write(bytes)
        written += Int64(bytes.count)
    }

    private static func join(_ check: uLong, _ bytes: UnsafeRawBufferPointer) -> uLong {
        // Without a pointer crc32_z begins anew.
        guard let start = bytes.baseAddress else { return check }
        return crc32_z(check, start.assumingMemoryBound(to: Bytef.self), bytes.count)
    }
}
