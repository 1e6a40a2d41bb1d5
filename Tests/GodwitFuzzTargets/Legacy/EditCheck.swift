import GodwitModel
import GodwitPropertyList

/// Setting the flag keeps all other keys, and in a text file all other bytes.
///
/// The first byte selects the key and the flag, the rest is the file.
enum EditCheck {
    /// Plain, in two normalisations, with markup, with a control character, empty, special in property lists.
    private static let keys = [
        "cloudMigrationDone", "a", "caf\u{E9}", "cafe\u{301}", "<&>\"\\]]>", "\u{1}", "", "CF$UID", "\u{1F426}", "a\nb",
    ]

    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let choice = bytes.first else { return }
        let key = keys[Int(choice >> 1) % keys.count]
        let flag = choice & 1 == 1
        var file = Array(bytes.dropFirst())
        // Half of the binary files are given as objects only.
        if let first = file.first, first >= 0x80 { file = BinaryAssembly.file(file) }
        let edited: [UInt8]
        do throws(GodwitError) {
            edited = try PropertyListEditor.setting(key, to: flag, in: file)
        } catch {
            return try checkRefusal(error, of: key, in: file)
        }
        let before = try read(file, "accepted, though the reader refuses it")
        try checkContent(of: try read(edited, "the result does not read"), before, key, flag)
        if before.format != .binary, edited != file { try checkBytes(edited, file, before, key) }
        try checkRepeating(edited, key, flag, before.format)
    }

    /// A file is only rejected if it can't be read, has another value under the key, or if XML can't represent the key.
    private static func checkRefusal(_ error: GodwitError, of key: String, in file: [UInt8]) throws(FuzzFinding) {
        try FuzzFinding.check(error, codes: [.data])
        guard let document = try? LegacyDocument(file) else { return }
        let hasControl = key.unicodeScalars.contains { $0.value < 0x20 && ![9, 10, 13].contains($0.value) }
        if document.format == .xml, hasControl { return }
        if let value = document.value(for: key) {
            guard case .bool = value else { return }
        }
        throw FuzzFinding("refused without need: \(error.description)")
    }

    private static func read(_ bytes: [UInt8], _ reason: String) throws(FuzzFinding) -> LegacyDocument {
        try accepting(reason) { () throws(GodwitError) in try LegacyDocument(bytes) }
    }

    private static func checkContent(
        of after: LegacyDocument, _ before: LegacyDocument, _ key: String, _ flag: Bool
    ) throws(FuzzFinding) {
        try require(after.format == before.format, "the format changed")
        var expected = before.root.map { $0.hasKey(key) ? LegacyPair(key: key, value: .bool(flag)) : $0 }
        if before.value(for: key) == nil { expected.append(LegacyPair(key: key, value: .bool(flag))) }
        guard LegacyValue.dictionary(after.root).measure(upTo: 20_000).isCut == false else { return }
        try require(.dictionary(after.root) == .dictionary(expected), "another key changed")
    }

    /// Checks that a text file differs in one range only: the inserted bytes, or those of the old value.
    private static func checkBytes(
        _ after: [UInt8], _ before: [UInt8], _ document: LegacyDocument, _ key: String
    ) throws(FuzzFinding) {
        let head = zip(before, after).prefix { $0 == $1 }.count
        let room = min(before.count, after.count) - head
        let tail = zip(before.reversed(), after.reversed()).prefix { $0 == $1 }.prefix(room).count
        let changed = before[head..<(before.count - tail)]
        let isNew = document.value(for: key) == nil
        if isNew, !(document.root.isEmpty && document.format == .xml) {
            try require(changed.isEmpty, "bytes were replaced where a key was added")
        }
        let isOneValue = !changed.contains(UInt8(ascii: ",")) && !changed.contains(UInt8(ascii: "\n"))
        try require(changed.count <= 64 && isOneValue || document.format == .xml, "more bytes changed than one value")
    }

    /// Checks that setting the same flag again changes nothing, and that setting it back gives the first text.
    private static func checkRepeating(
        _ edited: [UInt8], _ key: String, _ flag: Bool, _ format: LegacyFormat
    ) throws(FuzzFinding) {
        let (again, back) = try accepting("refused when edited again") { () throws(GodwitError) in
            let again = try PropertyListEditor.setting(key, to: flag, in: edited)
            let other = try PropertyListEditor.setting(key, to: !flag, in: edited)
            return (again, try PropertyListEditor.setting(key, to: flag, in: other))
        }
        try require(again == edited, "the second time differs")
        try require(format == .binary || back == edited, "there and back again differs")
    }
}
