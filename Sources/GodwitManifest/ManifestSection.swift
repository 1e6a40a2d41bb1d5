internal import GodwitModel

/// A mapping of a manifest in which all keys are known, with typed access to its parts.
///
/// Every error has the file, line and column of the part, and its path.
struct ManifestSection: Sendable {
    let file: String
    /// The path of the section; empty for the whole manifest.
    let path: String
    let position: SourcePosition
    let pairs: [ManifestPair]

    /// A mapping with any keys.
    init(_ node: ManifestNode, at path: String, file: String) throws(GodwitError) {
        guard case .mapping(let pairs) = node.content else {
            throw Self.wrongType(node, at: path, wanted: "a mapping (`key: value`)", file: file)
        }
        (self.file, self.path) = (file, path)
        self.position = node.position
        self.pairs = pairs
    }

    /// A mapping with only these keys.
    init(
        _ node: ManifestNode, at path: String, file: String, required: [String], optional: [String] = []
    ) throws(GodwitError) {
        try self.init(node, at: path, file: file)
        let known = required + optional
        for pair in pairs where !known.contains(pair.key) {
            throw .manifest(
                file, pair.position, "unknown key \(named(pair.key)) in \(title)",
                hint: NearestName.hint(for: pair.key, among: known) ?? "Use one of \(list(known)).")
        }
        for key in required where self[key] == nil {
            throw .manifest(file, position, "missing key `\(key)` in \(title)", hint: "Add `\(key):`.")
        }
    }

    subscript(key: String) -> ManifestNode? { pairs.first { $0.key == key }?.value }

    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// The section's name for messages.
    var title: String { path.isEmpty ? "the manifest" : named(path) }

    func refusal(_ node: ManifestNode, _ message: String, hint: String? = nil) -> GodwitError {
        .manifest(file, node.position, message, hint: hint)
    }

    private func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

    static func wrongType(
        _ node: ManifestNode, at path: String, wanted: String, file: String
    ) -> GodwitError {
        let subject = path.isEmpty ? "the manifest" : named(path)
        let found = "\(subject) must be \(wanted), but is \(node.typeName)"
        if case .scalar(.null) = node.content {
            return .manifest(file, node.position, found, hint: "Write a value, or remove the key.")
        }
        return .manifest(file, node.position, found)
    }
}

// MARK: - Typed parts

extension ManifestSection {
    /// Text that is not empty and has no control characters; nil if the key does not exist.
    func text(_ key: String) throws(GodwitError) -> String? {
        guard let node = self[key] else { return nil }
        return try text(node, at: path(of: key))
    }

    /// The text of a node, with the same checks.
    func text(_ node: ManifestNode, at path: String) throws(GodwitError) -> String {
        guard case .scalar(let scalar) = node.content else {
            throw Self.wrongType(node, at: path, wanted: "text", file: file)
        }
        guard case .string(let text) = scalar else {
            var error = Self.wrongType(node, at: path, wanted: "text", file: file)
            error.hint = scalar == .null ? error.hint : "Put it in quotes if it is text."
            throw error
        }
        guard !text.isEmpty else { throw refusal(node, "\(named(path)) is empty", hint: "Write a value.") }
        try checkControl(text, at: node.position, path: path)
        return text
    }

    /// A key that is a name of the user's: not empty, without control characters.
    func name(of pair: ManifestPair) throws(GodwitError) -> String {
        guard !pair.key.isEmpty else { throw .manifest(file, pair.position, "an empty name in \(title)") }
        try checkControl(pair.key, at: pair.position, path: path(of: pair.key))
        return pair.key
    }

    private func checkControl(_ text: String, at position: SourcePosition, path: String) throws(GodwitError) {
        for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control {
            throw .manifest(file, position, "\(named(path)) contains the control character \(scalar.codePoint)")
        }
    }

    /// A whole number within a range; nil if the key does not exist.
    func integer(_ key: String, in range: ClosedRange<Int>) throws(GodwitError) -> Int? {
        guard let node = self[key] else { return nil }
        let wanted =
            range.upperBound == .max ? "from \(range.lowerBound) up" : "\(range.lowerBound) to \(range.upperBound)"
        guard case .scalar(.integer(let number)) = node.content else {
            throw Self.wrongType(node, at: path(of: key), wanted: "a whole number (\(wanted))", file: file)
        }
        guard let number = Int(exactly: number), range.contains(number) else {
            throw refusal(node, "\(named(path(of: key))) is out of range", hint: "Write a number \(wanted).")
        }
        return number
    }

    /// One of the words of an enumeration; nil if the key does not exist.
    func word<Words>(_ key: String, _ words: Words.Type) throws(GodwitError) -> Words?
    where Words: CaseIterable & RawRepresentable, Words.RawValue == String {
        guard let node = self[key] else { return nil }
        let text = try text(node, at: path(of: key))
        guard let word = Words(rawValue: text) else {
            let known = words.allCases.map(\.rawValue)
            throw refusal(
                node, "\(named(path(of: key))) can't be \(named(text))",
                hint: NearestName.hint(for: text, among: known) ?? "Use one of \(list(known)).")
        }
        return word
    }

    /// A length of time; nil if the key does not exist.
    func span(_ key: String) throws(GodwitError) -> Span? {
        guard let node = self[key] else { return nil }
        guard case .scalar(.string(let text)) = node.content, let span = Span(text) else {
            throw refusal(node, "\(named(path(of: key))) is not a duration", hint: Span.form)
        }
        return span
    }

    /// The items of a list with their paths; nil if the key does not exist.
    func items(_ key: String) throws(GodwitError) -> [(node: ManifestNode, path: String)]? {
        guard let node = self[key] else { return nil }
        guard case .list(let items) = node.content else {
            throw Self.wrongType(node, at: path(of: key), wanted: "a list (`- item`)", file: file)
        }
        return items.enumerated().map { ($1, "\(path(of: key))[\($0)]") }
    }

    /// A section inside this one; nil if the key does not exist.
    func section(
        _ key: String, required: [String] = [], optional: [String] = []
    ) throws(GodwitError) -> ManifestSection? {
        guard let node = self[key] else { return nil }
        return try ManifestSection(
            node, at: path(of: key), file: file, required: required, optional: optional)
    }
}
