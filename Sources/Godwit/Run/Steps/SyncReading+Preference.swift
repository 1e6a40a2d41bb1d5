internal import GodwitLegacy
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSync

/// Whether the user wants sync: a preference that the manifest names.
extension SyncReading {
    /// The value of the first preferences file with the key, and a warning if it is neither yes nor no.
    func readSyncPreference() throws(GodwitError) -> (preference: SyncPreference, warnings: [Warning]) {
        guard let key = manifest.sync.enabledKey else { return (.notSaid, []) }
        for input in try scope.readPreferences() {
            guard let pair = input.file?.root.first(where: { $0.hasKey(key) }) else { continue }
            if let isOn = pair.value.yesOrNo { return (isOn ? .on : .off, []) }
            let warning = Warning(
                "syncPreferenceUnclear",
                "'\(key)' in `\(input.name)` is \(pair.value.typeName) that is neither yes nor no, so it "
                    + "is not known whether sync is on",
                hint: "Store a boolean, or 0 or 1.")
            return (.notSaid, [warning])
        }
        return (.notSaid, [])
    }
}

extension LegacyValue {
    /// The value as yes or no: a boolean, 0 or 1, or one of the words that `UserDefaults` reads as a boolean.
    var yesOrNo: Bool? {
        switch self {
        case .bool(let answer): return answer
        case .integer(0): return false
        case .integer(1): return true
        case .string(let text):
            switch text.lowercased() {
            case "true", "yes", "1": return true
            case "false", "no", "0": return false
            default: return nil
            }
        default: return nil
        }
    }
}
