package import GodwitModel
package import GodwitPropertyList

/// Inspects one key of a property list: its type, its encoding, and its role in a manifest; pure.
///
/// Values are shown only on request, and never if the name or the value looks like a secret.
package struct KeyInspection: Sendable {
    private let showsValues: Bool

    package init(showsValues: Bool) { self.showsValues = showsValues }

    package func inspect(_ file: LegacyFile) -> [InspectedKey] { file.root.map { inspect($0) } }

    package func inspect(_ pair: LegacyPair) -> InspectedKey {
        let content = Content(pair.value, named: NameParts(pair.key))
        let looksSecret = pair.value.looksSecret
        // Long identifiers in a list are its items.
        let isSecret = NameParts(pair.key).soundSecret || looksSecret && content.role != .list
        let role: KeyRole =
            Self.isOfTheSystem(pair.key) ? .system : isSecret ? .secret : content.role
        return InspectedKey(
            key: pair.key, type: pair.value.typeName, encoding: content.encoding, size: content.size, role: role,
            isSecret: isSecret,
            value: showsValues && !isSecret ? looksSecret ? SecretDetector.mask : pair.value.shown : nil
        )
    }

    private static let systemKeys: Set<String> = [
        "AppleLocale", "AppleLanguages", "AppleLanguagesDidMigrate", "AppleLanguagesSchemaVersion", "AppleKeyboards",
        "AppleKeyboardsExpanded", "ApplePasscodeKeyboards", "AppleITunesStoreItemKinds", "AppleTemperatureUnit",
        "AppleMeasurementUnits", "AppleMetricUnits", "AppleICUForce24HourTime", "AppleInterfaceStyle",
        "AddingEmojiKeybordHandled", "INNextHearbeatDate", "INNextFreshmintRefreshDateKey",
        "PKKeychainVersionKey", "PKLogNotificationServiceResponsesKey", "WebDatabaseDirectory",
        "WebKitLocalStorageDatabasePathPreferenceKey", "WebKitOfflineWebApplicationCacheEnabled",
        "WebKitShrinksStandaloneImagesToFit", "WebKitDiskImageSavedCacheDirectory",
    ]

    /// Whether the system writes this key into the preferences of every app.
    package static func isOfTheSystem(_ key: String) -> Bool {
        if systemKeys.contains(key) || key.hasPrefix("com.apple.") { return true }
        // NSInterfaceStyle, NSWindow Frame Main; not "nsfwFilter" or "NSomething".
        let rest = key.unicodeScalars.dropFirst(2)
        return key.hasPrefix("NS") && rest.first?.properties.isUppercase == true
            && rest.dropFirst().first?.properties.isLowercase == true
    }
}

private struct Content {
    var encoding: String?
    var size: Int64?
    var role = KeyRole.other

    init(_ value: LegacyValue, named words: NameParts) {
        switch value {
        case .bool, .date: role = .setting
        case .integer(let number): take(Double(number), words)
        case .real(let number): take(number, words)
        case .bigInteger: role = .setting
        case .string(let text): take(Array(text.utf8), isData: false)
        case .data(let bytes): take(bytes, isData: true)
        case .array(let items):
            size = Int64(items.count)
            role = items.isEmpty || FavoritesDecoder.decode(value, as: .array).isWholly ? .list : .other
        case .dictionary(let pairs):
            size = Int64(pairs.count)
            role = !pairs.isEmpty && pairs.allSatisfy { $0.value.isMark } ? .list : .other
        case .uid, .null, .unheld: break
        }
    }

    private mutating func take(_ number: Double, _ words: NameParts) {
        role = .setting
        guard words.soundDate else { return }
        switch number {
        case 1e11..<1e14: encoding = InstantEncoding.unixMilliseconds.rawValue
        case 9e8..<1e10: encoding = InstantEncoding.unixSeconds.rawValue
        case 1e8..<9e8: encoding = InstantEncoding.coreData.rawValue
        default: break
        }
    }

    private mutating func take(_ bytes: [UInt8], isData: Bool) {
        size = Int64(bytes.count)
        role = isData ? .other : .setting
        // A larger value is not a setting and is not searched.
        guard bytes.count <= 4 << 20 else {
            role = .other
            return
        }
        var rest = bytes[...]
        if !isData, bytes.count >= 10, bytes.count <= 40, Instant(iso8601Bytes: &rest) != nil {
            encoding = InstantEncoding.iso8601.rawValue
            return
        }
        let value: LegacyValue = isData ? .data(bytes) : .string(String(decoding: bytes, as: UTF8.self))
        if isData, bytes.starts(with: "bplist".utf8) || bytes.starts(with: "<?xml".utf8) {
            return takePropertyList(value)
        }
        let first = bytes.first { !UTF8Text.isWhitespace($0) }
        if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") { return takeJSON(value) }
        guard !isData || UTF8Text.firstFault(in: bytes) == nil, Self.looksLikeCSV(bytes) else { return }
        takeList(FavoritesDecoder.decode(value, as: .csv), as: "csv")
    }

    private mutating func takePropertyList(_ value: LegacyValue) {
        if case .decoded(let list) = FavoritesDecoder.decode(value, as: .keyedArchive) {
            takeList(.decoded(list), as: "keyedArchive")
        } else if case .unsupported(let reason) = FavoritesDecoder.decode(value, as: .keyedArchive),
            !reason.hasPrefix("not a keyed archive"), reason.hasPrefix("keyed archive")
        {
            encoding = "keyedArchive"
        } else if case .data(let bytes) = value, (try? LegacyDocument.value(ofPropertyList: bytes)) != nil {
            encoding = "propertyList"
            takeList(FavoritesDecoder.decode(value), as: "propertyList")
        }
    }

    private mutating func takeJSON(_ value: LegacyValue) {
        let outcome = FavoritesDecoder.decode(value, as: .json)
        guard case .decoded = outcome else { return }
        takeList(outcome, as: "json")
    }

    /// The role is a list of keys only if every item was accepted.
    private mutating func takeList(_ outcome: FavoritesOutcome, as name: String) {
        guard case .decoded(let list) = outcome else { return }
        encoding = name
        size = Int64(list.itemCount)
        role = list.rejected.isEmpty && list.itemCount > 0 ? .list : .other
    }

    /// Whether commas separate short words, as they do not in a sentence.
    private static func looksLikeCSV(_ bytes: [UInt8]) -> Bool {
        guard bytes.contains(UInt8(ascii: ",")) else { return false }
        return bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).allSatisfy { field in
            let word = field.drop { $0 == 0x20 }
            return !word.isEmpty && word.count <= 64 && !word.contains { $0 <= 0x20 }
        }
    }
}

extension LegacyDocument {
    /// The value of a property list inside data.
    fileprivate static func value(ofPropertyList bytes: [UInt8]) throws(LegacyDamage) -> LegacyValue {
        let isBinary = bytes.starts(with: "bplist".utf8)
        return try parse(bytes, as: isBinary ? .binary : .xml, limits: .standard)
    }
}

extension LegacyValue {
    /// Whether the value marks a favorite: a boolean, or the date of marking.
    fileprivate var isMark: Bool {
        switch self {
        case .bool, .date: true
        default: false
        }
    }

    /// Whether its text looks like a secret; larger values than 4 MiB are not searched.
    fileprivate var looksSecret: Bool {
        switch self {
        case .string(let text): text.utf8.count <= 4 << 20 && SecretDetector.isSecret(text)
        case .data(let bytes): bytes.count <= 4 << 20 && SecretDetector.isSecret(String(decoding: bytes, as: UTF8.self))
        default: false
        }
    }

    /// The value for a reader, truncated if it is long.
    fileprivate var shown: String {
        switch self {
        case .bool(let flag): String(flag)
        case .integer(let number): String(number)
        case .bigInteger(let digits): digits
        case .real(let number): String(number)
        case .string(let text): text.count > 80 ? text.prefix(80) + "…" : text
        case .date(let date): date.iso8601
        case .data(let bytes): bytes.count.counted("byte")
        case .array(let items): items.count.counted("item")
        case .dictionary(let pairs): pairs.count.counted("entry", "entries")
        case .uid, .null, .unheld: typeName
        }
    }
}
