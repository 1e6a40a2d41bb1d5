internal import GodwitModel

/// The text of a manifest: limited in size, UTF-8, without characters that versions of YAML read differently.
///
/// Invariant: line breaks are only LF, CR or CR LF, no NUL ends the text early, and columns count Unicode scalars, as
/// in libyaml.
struct ManifestText: Sendable {
    /// The manifest as given on the command line; for messages.
    let file: String
    /// All scalars, without a byte order mark.
    let scalars: [Unicode.Scalar]

    /// 1 MiB: a thousand times the size of a real manifest.
    static let maxBytes = 1 << 20

    init(_ bytes: [UInt8], file: String) throws(GodwitError) {
        self.file = file
        guard bytes.count <= Self.maxBytes else {
            throw .manifest(
                file, .start,
                "the file has \(bytes.count.grouped) bytes; the limit for a manifest is "
                    + "\(Self.maxBytes.grouped)",
                hint: "Check that this file is the manifest.")
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw .manifest(file, .start, "the text is UTF-16", hint: "Save the file as UTF-8.")
        }
        scalars = try Self.decode(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], file: file)
    }

    /// The text as a string, the same scalars.
    var string: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, file: String) throws(GodwitError) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(bytes.count)
        var position = SourcePosition.start
        var source = bytes.makeIterator()
        var decoder = UTF8()
        while true {
            switch decoder.decode(&source) {
            case .emptyInput: return scalars
            case .error:
                throw .manifest(file, position, "the text is not UTF-8", hint: "Save the file as UTF-8.")
            case .scalarValue(let scalar):
                guard scalar.isAllowedInManifest else {
                    throw .manifest(
                        file, position, "the character \(scalar.codePoint) is not allowed in a manifest",
                        hint: "Remove it, or write it as an escape in double quotes.")
                }
                position.pass(scalar, after: scalars.last)
                scalars.append(scalar)
            }
        }
    }
}

extension SourcePosition {
    /// Moves past a character; CR LF is one line break.
    mutating func pass(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) {
        switch scalar {
        case "\n" where previous == "\r": break
        case "\n", "\r": self = SourcePosition(line: line + 1, column: 1)
        default: self = SourcePosition(line: line, column: column + 1)
        }
    }
}

extension Unicode.Scalar {
    /// Whether YAML calls the character printable, without the byte order mark and the line breaks of only YAML 1.1
    /// (U+0085, U+2028, U+2029).
    ///
    /// Source: <https://yaml.org/spec/1.2.2/#51-character-set>.
    fileprivate var isAllowedInManifest: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E: true
        case 0x2028, 0x2029, 0xFEFF: false
        case 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// `U+001B`.
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
