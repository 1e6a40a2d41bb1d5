internal import FoundationLite
internal import GodwitModel

/// The differences between the report of a run and of its plan, as paths into the JSON, without values.
///
/// Expected differences do not count: the run and its time, the next steps, values that `--verbose` shows, the flag
/// until it is set, the backup, which a run may make without the plan, and dates in the future, because the time is
/// different.
enum PlanComparison {
    private static let passedOver: Set = ["run", "plan", "nextSteps", "from", "to", "dates", "flag", "backup"]

    /// The paths of the differences, sorted by name; empty if both are equal.
    static func differences(planned: some Encodable, done: some Encodable) -> [String] {
        guard let before = JSONTree(planned), let after = JSONTree(done) else { return ["the report"] }
        var found: [String] = []
        compare(before, after, "", &found)
        return found
    }

    private static func compare(_ a: JSONTree, _ b: JSONTree, _ path: String, _ found: inout [String]) {
        switch (a, b) {
        case (.object(let a), .object(let b)):
            for key in Set(a.keys).union(b.keys).sorted() where !passedOver.contains(key) {
                compare(a[key] ?? .missing, b[key] ?? .missing, path.isEmpty ? key : "\(path).\(key)", &found)
            }
        case (.list(let a), .list(let b)):
            let (a, b) = (a.filter { !$0.isOfTheClock }, b.filter { !$0.isOfTheClock })
            guard a.count == b.count else { return found.append(path) }
            for (index, pair) in zip(a, b).enumerated() { compare(pair.0, pair.1, "\(path)[\(index)]", &found) }
        default:
            if a != b { found.append(path.isEmpty ? "the report" : path) }
        }
    }
}

/// JSON as far as it is compared.
private enum JSONTree: Decodable, Equatable {
    case object([String: JSONTree])
    case list([JSONTree])
    case text(String)
    case number(Double)
    case bool(Bool)
    case missing

    init?(_ value: some Encodable) {
        guard let data = try? JSONEncoder().encode(value),
            let tree = try? JSONDecoder().decode(JSONTree.self, from: data)
        else { return nil }
        self = tree
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let object = try? container.decode([String: JSONTree].self) {
            self = .object(object)
        } else if let list = try? container.decode([JSONTree].self) {
            self = .list(list)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .missing
        }
    }

    /// A warning about dates ahead of the clock.
    var isOfTheClock: Bool {
        guard case .object(let fields) = self else { return false }
        return fields["code"] == .text("clockSkew")
    }
}
