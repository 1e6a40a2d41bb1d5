internal import GodwitModel

/// The bytes of a document, unpacked if it begins like gzip.
struct DocumentSource: ~Copyable {
    private let input: ExportInput
    private let stage: GodwitError.Stage
    /// Bytes that were read to recognize the format.
    private var beginning: [UInt8]
    private var inflater: Inflater?
    let isCompressed: Bool

    init(_ input: ExportInput, stage: GodwitError.Stage) throws(GodwitError) {
        let read = try Self.firstBytes(of: input, stage)
        // RFC 1952, section 2.3.1.
        let isGzip = read == [0x1F, 0x8B]
        let inflater = isGzip ? try Inflater(beginning: read, name: input.name, stage: stage) : nil
        (self.input, self.stage, isCompressed) = (input, stage, isGzip)
        beginning = isGzip ? [] : read
        self.inflater = consume inflater
    }

    private static func firstBytes(of input: ExportInput, _ stage: GodwitError.Stage) throws(GodwitError) -> [UInt8] {
        var first = [UInt8](repeating: 0, count: 2)
        var count = 0
        while count < first.count {
            let got = try Self.read(input, &first, from: count, stage)
            if got == 0 { break }
            count += got
        }
        return Array(first[..<count])
    }

    /// Fills the start of a buffer; returns 0 only at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(GodwitError) -> Int {
        if isCompressed { return try inflater?.read(from: input, into: buffer) ?? 0 }
        guard beginning.isEmpty else {
            let count = min(beginning.count, buffer.count)
            buffer.copyBytes(from: beginning[..<count])
            beginning.removeFirst(count)
            return count
        }
        return try input.read(into: buffer, stage: stage)
    }

    private static func read(
        _ input: ExportInput, _ bytes: inout [UInt8], from start: Int, _ stage: GodwitError.Stage
    ) throws(GodwitError) -> Int {
        try bytes.withUnsafeMutableBufferPointer { space throws(GodwitError) in
            try input.read(
                into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(space)[start...]),
                stage: stage)
        }
    }
}
