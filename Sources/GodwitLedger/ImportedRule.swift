internal import GodwitFiles
package import GodwitModel

/// The rule by which a legacy key was imported, as the receipt remembers it: a corrected rule is imported again.
package struct ImportedRule: Sendable, Equatable {
    /// The entity and column that took the value.
    package let into: String
    /// Differs if anything else of the rule differs.
    package let digest: String

    init(into: String, digest: String) {
        (self.into, self.digest) = (into, digest)
    }

    /// - Parameter source: the preferences file that has the key.
    package init(_ rule: SettingRule, source: String) {
        let values = (rule.values ?? []).flatMap { [$0.from, $0.to.text] }
        let parts = [source, rule.values == nil ? "" : "values", rule.defaultValue?.text ?? ""] + values
        self.init(into: "\(rule.entity).\(rule.column)", digest: Self.digest(of: parts))
    }

    package init(_ rule: FavoritesRule) {
        self.init(
            into: "\(rule.entity).\(rule.column)",
            digest: Self.digest(of: [rule.encoding.rawValue, rule.dates?.rawValue ?? ""]))
    }

    private static func digest(of parts: [String]) -> String {
        String(sha256Hex(Array(parts.joined(separator: "\u{1F}").utf8)).prefix(16))
    }
}
