internal import GodwitModel
import Yams

extension ManifestNode {
    /// Composes a text that `ManifestScan` has accepted.
    ///
    /// With an empty resolver, the parser compares keys only by their text and runs no regular expression.
    init(composing text: ManifestText) throws(GodwitError) {
        let parser: Parser
        let root: Node?
        do {
            parser = try Parser(yaml: text.parsable, resolver: .basic, constructor: .default, encoding: .utf8)
            root = try parser.singleRoot()
        } catch {
            throw Self.refusal(error, file: text.file)
        }
        // Nodes refer to their anchors weakly; the parser owns them.
        defer { withExtendedLifetime(parser) {} }
        guard let root else {
            throw .manifest(
                text.file, .start, "the manifest is empty", hint: "Write a manifest as docs/manifest.md describes it.")
        }
        self = try ManifestNode(root, file: text.file)
    }

    private init(_ node: Node, file: String) throws(GodwitError) {
        let position = SourcePosition(node.mark)
        // A second check: the scan has already rejected these.
        guard node.anchor == nil, node.alias == nil else {
            throw .manifest(file, position, "a YAML anchor or alias is not allowed", hint: "Write the value out.")
        }
        self.position = position
        switch node {
        case .scalar(let scalar):
            content = .scalar(Self.typed(scalar))
            text = scalar.string
        case .sequence(let sequence):
            try Self.check(count: sequence.count, at: position, file: file)
            var items: [ManifestNode] = []
            for item in sequence { items.append(try ManifestNode(item, file: file)) }
            content = .list(items)
        case .mapping(let mapping):
            try Self.check(count: mapping.count, at: position, file: file)
            var pairs: [ManifestPair] = []
            for (key, value) in mapping { pairs.append(try Self.pair(key, value, file: file)) }
            content = .mapping(pairs)
        case .alias: content = .scalar(.null)
        }
    }

    private static func pair(_ key: Node, _ value: Node, file: String) throws(GodwitError) -> ManifestPair {
        let position = SourcePosition(key.mark)
        guard case .scalar(let scalar) = key, key.anchor == nil else {
            throw .manifest(file, position, "a list or a mapping can't be a key", hint: "Put the text in quotes.")
        }
        guard scalar.string != "<<" || scalar.style != .plain else {
            throw .manifest(file, position, "a YAML merge (`<<`) is not allowed", hint: "Write the values out.")
        }
        return ManifestPair(
            key: scalar.string, scalar: typed(scalar), position: position, value: try ManifestNode(value, file: file))
    }

    /// Limits lists and mappings, because comparing their members takes quadratic time.
    private static func check(count: Int, at position: SourcePosition, file: String) throws(GodwitError) {
        guard count <= maxEntries else {
            throw .manifest(file, position, "this list or mapping has \(count) entries; the limit is \(maxEntries)")
        }
    }

    private static var maxEntries: Int { 10_000 }

    private static func typed(_ scalar: Node.Scalar) -> ManifestScalar {
        scalar.style == .plain ? ManifestScalar(plain: scalar.string) : .string(scalar.string)
    }

    private static func refusal(_ error: any Error, file: String) -> GodwitError {
        let hint = "Check indentation, quotes and brackets here and in the lines before."
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            return .manifest(
                file, SourcePosition(mark), "invalid YAML: \(problem)", hint: hint,
                underlying: context.map { "\($0.text), line \($0.mark.line), column \($0.mark.column)" })
        case .duplicatedKeysInMapping(let keys, let context):
            return .manifest(
                file, SourcePosition(context.mark),
                "the key \(named(keys.first ?? "")) is given twice; this is the first",
                hint: "Remove one of the two.")
        case .reader(let problem, _, _, _):
            return .manifest(file, .start, "invalid YAML: \(problem)", hint: hint)
        default:
            return .manifest(file, .start, "invalid YAML", hint: hint, underlying: "\(error)")
        }
    }
}

extension SourcePosition {
    fileprivate init(_ mark: Mark?) {
        self.init(line: max(1, mark?.line ?? 1), column: max(1, mark?.column ?? 1))
    }
}
