internal import Crypto
package import GodwitModel
internal import GodwitStore

/// How a document is written: laid out, and packed or not.
package struct ExportForm: Sendable, Equatable {
    package let layout: ExportLayout
    /// From 1 to 9; nil for a document that is not packed.
    package let gzipLevel: Int?

    package init(layout: ExportLayout = .document, gzipLevel: Int? = nil) {
        (self.layout, self.gzipLevel) = (layout, gzipLevel)
    }

    /// JSON that is not packed.
    package static let plain = ExportForm()
}

/// Takes a document's text in large pieces: into a file, packed or not, and the `entities` array into a hash.
///
/// Invariant: the hash is over the array as the plain layout has it, whatever is written, and even if nothing is.
struct ExportSink: ~Copyable {
    private var output: ExportOutput?
    private let layout: ExportLayout
    /// The array's text since the last flush.
    private var array = JSONBuffer(capacity: Self.flushSize + (1 << 16))
    /// Record lines since the last flush, in JSON lines.
    private var lines: JSONBuffer
    private var linePrefix: [UInt8] = []
    private var gonePrefix: [UInt8] = []
    private var hash = SHA256()

    private static let flushSize = 1 << 20

    /// A sink into a file.
    init(_ file: consuming AtomicFile, form: ExportForm) throws(GodwitError) {
        output = try ExportOutput(file, gzipLevel: form.gzipLevel)
        layout = form.layout
        lines = JSONBuffer(capacity: form.layout == .lines ? Self.flushSize + (1 << 16) : 0)
    }

    /// A sink that only hashes.
    init() {
        output = nil
        layout = .document
        lines = JSONBuffer(capacity: 0)
    }

    /// Text around the array, which is not hashed.
    mutating func write(frame bytes: some Collection<UInt8>) throws(GodwitError) {
        try flush()
        try output?.write(Array(bytes))
    }

    /// Leaves room for text that is known only at the end.
    mutating func writeHole(_ count: Int) throws(GodwitError) {
        try flush()
        try output?.writeHole(count)
    }

    /// Bytes written so far, before they are packed.
    mutating func count() throws(GodwitError) -> Int64 {
        try flush()
        return output?.count ?? 0
    }

    /// Text of the array between records: in JSON lines it is not written.
    mutating func append(_ body: (inout JSONBuffer) -> Void) throws(GodwitError) {
        body(&array)
        if array.count >= Self.flushSize { try flush() }
    }

    /// Says what the records that follow belong to.
    mutating func beginEntity(_ name: String) {
        var json = JSONBuffer(capacity: 64)
        json.append("{\"entity\":")
        json.append(string: name)
        gonePrefix = json.bytes
        json.append(",\"record\":")
        linePrefix = json.bytes
        json.removeAll()
        json.append(",\"gone\":")
        gonePrefix += json.bytes
    }

    /// The key of a record that is gone.
    mutating func append(gone key: [UInt8], isFirst: Bool) throws(GodwitError) {
        array.append(isFirst ? "\n    " : ",\n    ")
        array.append(raw: key)
        if layout == .lines {
            lines.append(raw: gonePrefix)
            lines.append(raw: key)
            lines.append("}\n")
        }
        if array.count >= Self.flushSize { try flush() }
    }

    /// A record, from brace to brace.
    mutating func append(
        record isFirst: Bool, _ body: (inout JSONBuffer) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        array.append(isFirst ? "\n    " : ",\n    ")
        let start = array.count
        try body(&array)
        if layout == .lines {
            lines.append(raw: linePrefix)
            lines.append(raw: array.bytes[start...])
            lines.append("}\n")
        }
        if array.count >= Self.flushSize { try flush() }
    }

    private mutating func flush() throws(GodwitError) {
        try array.bytes.withUnsafeBufferPointer { bytes throws(GodwitError) in
            hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
            if layout == .document { try output?.write(UnsafeRawBufferPointer(bytes)) }
        }
        array.removeAll()
        guard layout == .lines else { return }
        try lines.bytes.withUnsafeBufferPointer { bytes throws(GodwitError) in
            try output?.write(UnsafeRawBufferPointer(bytes))
        }
        lines.removeAll()
    }

    /// The hash of the array, as lower-case hex; nothing may be added to it afterwards.
    mutating func endArray() throws(GodwitError) -> String {
        try flush()
        return hexText(hash.finalize())
    }

    /// Gives the file back with all bytes in it; nil where there is no file.
    ///
    /// - Parameter filling: what goes into the hole.
    consuming func finish(filling: [UInt8]) throws(GodwitError) -> AtomicFile? {
        try flush()
        return try output?.finish(filling: filling)
    }
}
