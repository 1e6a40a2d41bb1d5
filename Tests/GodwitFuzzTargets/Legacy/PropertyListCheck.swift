import GodwitModel
import GodwitPropertyList

/// The two property list readers: what one accepts is written in both formats, and must read back the same.
enum PropertyListCheck {
    /// Larger values are not written: within the limits, shared parts can expand without bound.
    private static let written = 20_000

    static func binary(_ input: [UInt8]) throws(FuzzFinding) {
        let bytes = BinaryAssembly.file(input)
        guard let value = try read(bytes, BinaryPropertyListReader.read) else { return }
        let limits = LegacyLimits.standard
        let size = value.measure(upTo: limits.nodes)
        try require(!size.isCut, "more values than the limit")
        try require(size.depth <= limits.depth, "deeper than the limit")
        try checkDocument(bytes, value)
        guard size.nodes <= written else { return }
        try checkRewriting(value)
    }

    static func xml(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let value = try read(bytes, XMLPropertyListReader.read) else { return }
        let size = value.measure(upTo: bytes.count)
        try require(!size.isCut, "more values than bytes")
        try require(size.depth <= LegacyLimits.standard.depth, "deeper than the limit")
        try checkDocument(bytes, value)
        try require(LegacyWriter.isWritableAsXML(value), "a value that XML can't hold")
        try checkRewriting(value)
    }

    private static func read(
        _ bytes: [UInt8], _ reader: ([UInt8], LegacyLimits) throws(GodwitError) -> LegacyValue
    ) throws(FuzzFinding) -> LegacyValue? {
        do throws(GodwitError) {
            return try reader(bytes, .standard)
        } catch {
            try FuzzFinding.check(error, codes: [.data])
            return nil
        }
    }

    /// Checks that a document recognised by its content equals what its reader reads.
    private static func checkDocument(_ bytes: [UInt8], _ value: LegacyValue) throws(FuzzFinding) {
        let root: [LegacyPair]
        do throws(GodwitError) {
            root = try LegacyDocument(bytes).root
        } catch {
            try FuzzFinding.check(error, codes: [.data])
            guard case .dictionary = value else { return }
            throw FuzzFinding("a dictionary that is no document: \(error.description)")
        }
        // Comparing expands shared parts.
        if value.measure(upTo: written).isCut { return }
        try require(.dictionary(root) == value, "the document differs from its reader")
    }

    private static func checkRewriting(_ value: LegacyValue) throws(FuzzFinding) {
        if let again = BinaryWriter.write(value) {
            try checkSame(again, value, BinaryPropertyListReader.read, "binary")
        }
        if LegacyWriter.isWritableAsXML(value) {
            try checkSame(LegacyWriter.xml(value), value, XMLPropertyListReader.read, "XML")
        }
    }

    private static func checkSame(
        _ bytes: [UInt8], _ value: LegacyValue,
        _ reader: ([UInt8], LegacyLimits) throws(GodwitError) -> LegacyValue, _ name: String
    ) throws(FuzzFinding) {
        let again = try accepting("refused when written again as \(name)") { () throws(GodwitError) in
            try reader(bytes, .standard)
        }
        try require(again == value, "written again as \(name) it reads back as something else")
    }
}
