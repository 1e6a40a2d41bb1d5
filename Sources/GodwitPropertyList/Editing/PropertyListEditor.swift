internal import GodwitJSON
package import GodwitModel

/// Sets one boolean at the top level of a property list or JSON file, and changes nothing else.
///
/// Pure: bytes in, bytes out; callers write the file. The format stays, and so do all other bytes of a text file and
/// all other objects of a binary one. Each result is read back and compared.
package enum PropertyListEditor {
    /// The file with the key set; the same bytes if it already has that value.
    ///
    /// Throws `data` if the file is damaged or would exceed the limits, or if the key's value is not a boolean, and
    /// `bug` if the result is wrong.
    package static func setting(
        _ key: String, to flag: Bool, in bytes: [UInt8], limits: LegacyLimits = .standard
    ) throws(GodwitError) -> [UInt8] {
        let before = try LegacyDocument(bytes, limits: limits)
        guard try readFlag(before.root, key) != flag else { return bytes }
        let edited: [UInt8]
        do throws(LegacyDamage) {
            switch before.format {
            case .binary: edited = try BinaryEdit.setting(key, to: flag, in: bytes, limits: limits)
            case .xml:
                let layout = try XMLPropertyListReader.parse(bytes, limits: limits).layout
                edited = try XMLEdit.setting(key, to: flag, in: bytes, layout)
            case .json:
                let layout = try JSONReader.parse(bytes, limits: limits).layout
                edited = JSONEdit.setting(key, to: flag, in: bytes, layout)
            }
        } catch {
            throw error.error(in: bytes, as: before.format)
        }
        try prove(edited, comesFrom: before, with: key, setTo: flag, limits: limits)
        return edited
    }

    /// The boolean of a key; nil if the key does not exist.
    ///
    /// Throws `data` if the value is not a boolean; 1 is not `true` here.
    package static func readFlag(_ root: [LegacyPair], _ key: String) throws(GodwitError) -> Bool? {
        guard let value = root.first(where: { $0.hasKey(key) })?.value else { return nil }
        guard case .bool(let flag) = value else {
            throw GodwitError(
                .legacy, .data, "key '\(key.escapedForMessage)': expected boolean, found \(value.typeName)",
                hint:
                    "Name another completion flag in the manifest, or remove the key with the app that "
                    + "wrote it.")
        }
        return flag
    }

    /// A new property list or JSON file with only the flag.
    package static func newPropertyList(
        _ format: LegacyFormat = .binary, with key: String, setTo flag: Bool
    ) throws(GodwitError) -> [UInt8] {
        try setting(key, to: flag, in: emptyPropertyList(format))
    }

    package static func emptyPropertyList(_ format: LegacyFormat = .binary) -> [UInt8] {
        switch format {
        case .binary:
            let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + BinaryEdit.bigEndian(1, size: 8)
            return Array("bplist00".utf8) + [0xD0, 0x08] + trailer + BinaryEdit.bigEndian(0, size: 8)
                + BinaryEdit.bigEndian(9, size: 8)
        case .xml:
            return Array(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                </dict>
                </plist>

                """.utf8)
        case .json: return Array("{}\n".utf8)
        }
    }

    /// Reads the result and compares it with the original: only the one key may differ.
    ///
    /// Throws `data` if the result exceeds the limits, `bug` if it differs.
    package static func prove(
        _ edited: [UInt8], comesFrom before: LegacyDocument, with key: String, setTo flag: Bool, limits: LegacyLimits
    ) throws(GodwitError) {
        let root: LegacyValue
        do throws(LegacyDamage) {
            root = try LegacyDocument.parse(edited, as: before.format, limits: limits)
        } catch {
            if error.kind == .limit { throw error.error(in: edited, as: before.format) }
            throw bug(key, underlying: error.reason)
        }
        var expected = before.root
        let entry = LegacyPair(key: key, value: .bool(flag))
        if let index = expected.firstIndex(where: { $0.hasKey(key) }) {
            expected[index] = entry
        } else {
            expected.append(entry)
        }
        guard root.isSame(as: .dictionary(expected)) else {
            throw bug(key, underlying: "the edited file does not read back as expected")
        }
    }

    private static func bug(_ key: String, underlying: String) -> GodwitError {
        GodwitError(
            .legacy, .bug, "setting '\(key.escapedForMessage)' would have damaged the file; nothing was written",
            hint: "Report this with the file, or with its structure.", underlying: underlying)
    }
}

extension LegacyValue {
    /// `==` without recursion, because values as deep as the readers allow would overflow a thread's stack.
    func isSame(as other: LegacyValue) -> Bool {
        var open = [(self, other)]
        while let (a, b) = open.popLast() {
            switch (a, b) {
            case (.array(let x), .array(let y)):
                guard x.count == y.count else { return false }
                open += zip(x, y)
            case (.dictionary(let x), .dictionary(let y)):
                guard x.count == y.count, zip(x, y).allSatisfy({ $0.hasKey($1.key) }) else { return false }
                open += zip(x, y).map { ($0.value, $1.value) }
            case (.array, _), (.dictionary, _): return false
            default: guard a == b else { return false }
            }
        }
        return true
    }
}
