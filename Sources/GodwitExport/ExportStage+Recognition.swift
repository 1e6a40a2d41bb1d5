package import GodwitModel
internal import GodwitStore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension ExportStage {
    /// Whether a file begins as every export of Godwit does.
    package static func isExport(_ path: String) throws(GodwitError) -> Bool {
        let file = try OpenFile(reading: path, stage: .export)
        let opening = Array("{\"$schema\": \"urn:godwit:schema:export:".utf8)
        var buffer = [UInt8](repeating: 0, count: opening.count)
        let count = retryingInterrupts { read(file.descriptor, &buffer, buffer.count) }
        return count == opening.count && buffer == opening
    }
}
