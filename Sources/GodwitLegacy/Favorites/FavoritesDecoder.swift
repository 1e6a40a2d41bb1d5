package import GodwitModel
internal import GodwitPropertyList

/// Decodes the value of a legacy key into a list of favorites; pure.
package enum FavoritesDecoder {
    /// Reads a value; with `auto`, type and content decide, and the result has the encoding that was used.
    ///
    /// - Parameter dates: The unit of dates that are numbers; nil if only their size shows it.
    package static func decode(
        _ value: LegacyValue, as encoding: FavoritesEncoding = .auto, dates: FavoriteDates? = nil
    ) -> FavoritesOutcome {
        do throws(LegacyContentError) {
            return .decoded(try FavoritesList.read(try content(of: value, as: encoding), dates: dates))
        } catch {
            return .unsupported(error.reason)
        }
    }

    private static func content(
        of value: LegacyValue, as encoding: FavoritesEncoding
    ) throws(LegacyContentError) -> FavoritesContent {
        switch (encoding, value) {
        case (.auto, _): return try recognized(value)
        case (.array, .array(let items)): return FavoritesContent(.array, .items(items))
        case (.dictionary, .dictionary(let pairs)): return FavoritesContent(.dictionary, .pairs(pairs))
        case (.json, .string), (.json, .data): return try json(try text(of: value))
        case (.csv, .string), (.csv, .data): return try csv(try text(of: value))
        case (.keyedArchive, .data(let bytes)):
            let root = try propertyList(bytes)
            return FavoritesContent(.keyedArchive, .items(try KeyedArchive.elements(of: root)))
        case (.keyedArchive, .dictionary):
            return FavoritesContent(.keyedArchive, .items(try KeyedArchive.elements(of: value)))
        default: throw LegacyContentError(reason: "\(value.typeName) where encoding \(encoding.rawValue) was expected")
        }
    }

    /// Chooses the encoding by type and content.
    ///
    /// Arrays and dictionaries are unambiguous. Data may hold a property list. Text that starts with a bracket or brace
    /// is JSON, any other text CSV.
    private static func recognized(_ value: LegacyValue) throws(LegacyContentError) -> FavoritesContent {
        switch value {
        case .array: return try content(of: value, as: .array)
        case .dictionary: return try content(of: value, as: KeyedArchive.isArchive(value) ? .keyedArchive : .dictionary)
        case .data(let bytes) where looksLikePropertyList(bytes):
            let root = try propertyList(bytes)
            if KeyedArchive.isArchive(root) { return try content(of: root, as: .keyedArchive) }
            guard root.isContainer else {
                throw LegacyContentError(reason: "a property list that holds \(root.typeNameWithArticle)")
            }
            return try recognized(root)
        case .string, .data:
            let bytes = try text(of: value)
            let first = bytes.first { !UTF8Text.isWhitespace($0) }
            return first == UInt8(ascii: "[") || first == UInt8(ascii: "{") ? try json(bytes) : try csv(bytes)
        default: throw LegacyContentError(reason: "\(value.typeName) is not a list of favorites")
        }
    }

    private static func looksLikePropertyList(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "bplist".utf8) || bytes.starts(with: "<?xml".utf8) || bytes.starts(with: "<!DOCTYPE".utf8)
            || bytes.starts(with: "<plist".utf8)
    }

    private static func propertyList(_ bytes: [UInt8]) throws(LegacyContentError) -> LegacyValue {
        do throws(GodwitError) {
            let isBinary = bytes.starts(with: "bplist".utf8)
            return isBinary ? try BinaryPropertyListReader.read(bytes) : try XMLPropertyListReader.read(bytes)
        } catch {
            throw LegacyContentError(reason: error.message)
        }
    }

    /// The bytes of a string, or of data with UTF-8 text, without a byte order mark.
    private static func text(of value: LegacyValue) throws(LegacyContentError) -> [UInt8] {
        var bytes: [UInt8] = []
        if case .string(let text) = value { bytes = Array(text.utf8) }
        if case .data(let data) = value { bytes = data }
        guard UTF8Text.firstFault(in: bytes) == nil else { throw LegacyContentError(reason: "data is not UTF-8 text") }
        return bytes.starts(with: UTF8Text.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
    }

    private static func json(_ text: [UInt8]) throws(LegacyContentError) -> FavoritesContent {
        let root: LegacyValue
        do throws(GodwitError) {
            root = try JSONReader.read(text)
        } catch {
            throw LegacyContentError(reason: error.message)
        }
        switch root {
        case .array(let items): return FavoritesContent(.json, .items(items))
        case .dictionary(let pairs): return FavoritesContent(.json, .pairs(pairs))
        default:
            throw LegacyContentError(reason: "JSON that holds \(root.typeNameWithArticle), not an array or an object")
        }
    }

    private static func csv(_ text: [UInt8]) throws(LegacyContentError) -> FavoritesContent {
        FavoritesContent(.csv, .lines(try CSVText.lines(of: text)))
    }
}

extension LegacyValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .dictionary: true
        default: false
        }
    }
}
