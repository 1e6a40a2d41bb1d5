/// Names and paths in a manifest: plain text if it cannot be misread, otherwise in double quotes.
enum YAMLText {
    private static let reserved: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

    /// A key or a value; also safe inside braces and brackets.
    static func scalar(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2E, 0x2F, 0x2D: true
                default: false
                }
            } && text.utf8.first.map { (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x5F } == true
        guard isPlain, !reserved.contains(text.lowercased()) else { return quoted(text) }
        return text
    }

    /// Any text in double quotes: <https://yaml.org/spec/1.2.2/#731-double-quoted-style>.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case _ where isUnsafe(scalar): quoted += escape(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Text for a comment, without characters that end it, control a terminal or are invisible.
    static func comment(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// A comment on as many lines as needed, each with the same prefix.
    static func wrapped(_ text: String, after start: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in comment(text).split(separator: " ") {
            if !line.isEmpty, start.count + line.count + 1 + word.count > 118 {
                lines.append(start + line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return lines + [start + line]
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        let width = scalar.value > 0xFFFF ? 8 : 4
        return (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.count) + digits
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        case 0xFFF9...0xFFFF, 0xE0000...0xE007F: true
        default: scalar.properties.generalCategory == .unassigned || scalar.properties.generalCategory == .privateUse
        }
    }
}
