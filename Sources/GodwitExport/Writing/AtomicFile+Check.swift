internal import Crypto
package import GodwitModel
package import GodwitStore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension AtomicFile {
    /// Reads the finished file back and compares the hash of a part of it with what was meant to be written.
    package borrowing func check(hash expected: String, from start: Int64, to end: Int64) throws(GodwitError) {
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset = start
        while offset < end {
            let wanted = Int(min(Int64(buffer.count), end - offset))
            let count = retryingInterrupts { pread(descriptor, &buffer, wanted, off_t(offset)) }
            guard count >= 0 else { throw .system("read back", target, errno: errno, stage: .export) }
            // Shorter than what was written: the hash will tell.
            if count == 0 { break }
            buffer.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += Int64(count)
        }
        guard hexText(hash.finalize()) == expected else { throw misread() }
    }

    /// Reads the finished document back as a restore would, and compares its hash with what was meant to be written.
    ///
    /// - Parameter isReadable: whether its records are within the reader's limits; else those are raised for once.
    package borrowing func checkByReading(
        hash expected: String, isReadable: Bool, context: RunContext
    ) throws(GodwitError) {
        var limits = ReadingLimits()
        if !isReadable { limits.record = 1 << 32 }
        let reader = ExportReader(stage: .export, limits: limits, cancellation: context.cancellation)
        var check = DocumentCheck()
        do throws(GodwitError) {
            let input = try ExportInput(descriptor: descriptor, name: target, stage: .export)
            guard try reader.read(input, into: &check).sha256 == expected else { throw misread() }
        } catch {
            throw error.code == .data ? misread(error.message) : error
        }
    }

    private borrowing func misread(_ underlying: String? = nil) -> GodwitError {
        GodwitError(
            .export, .io, "\(target) does not read back as it was written.",
            hint: "Check the volume; no export was left behind.", underlying: underlying)
    }
}
