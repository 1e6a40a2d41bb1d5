/// The inputs of a plan: each with its hash, and one hash over all of them.
///
/// A report with a basis is a saved plan, with which a run can be required to agree.
package struct PlanBasis: Sendable, Codable, Hashable {
    /// The version of the format that this Godwit writes; it reads no other.
    package static let currentVersion = 1

    /// Version of this format.
    package var formatVersion = PlanBasis.currentVersion
    /// In a fixed order: manifest, schema files, preferences, stores, options, program.
    package var inputs: [PlanInput]
    /// SHA-256 over all inputs, lower-case hex.
    package var inputsSha256: String
    /// SHA-256 over the document with this basis, computed with zeros for this value; lower-case hex.
    ///
    /// Zeros until the document is written.
    package var planSha256 = String(repeating: "0", count: 64)

    /// A basis; the caller computes the hash over all inputs.
    package init(inputs: [PlanInput], inputsSha256: String) {
        (self.inputs, self.inputsSha256) = (inputs, inputsSha256)
    }
}

/// An input that decides what a run does: a file or an option.
package struct PlanInput: Sendable, Codable, Hashable {
    /// The kind of input.
    package var kind: PlanInputKind
    /// A path relative to the container, or a name in the manifest's or the schema's folder; an option as typed.
    package var name: String
    /// Whether the file exists; nil for inputs that are not files.
    package var exists: Bool?
    /// The file's size in bytes.
    package var size: Int64?
    /// SHA-256 of the file's bytes, lower-case hex.
    package var sha256: String?
    /// When a preferences file last changed: it becomes the date of legacy records.
    package var modifiedAt: Instant?
    /// The value of an option.
    package var value: String?

    /// An input.
    package init(
        _ kind: PlanInputKind, _ name: String, exists: Bool? = nil, size: Int64? = nil, sha256: String? = nil,
        modifiedAt: Instant? = nil, value: String? = nil
    ) {
        (self.kind, self.name, self.exists, self.size) = (kind, name, exists, size)
        (self.sha256, self.modifiedAt, self.value) = (sha256, modifiedAt, value)
    }

    /// The bytes of this input in the hash over all inputs.
    package var canonicalBytes: [UInt8] {
        let parts = [
            kind.rawValue, name, exists.map { "\($0)" }, size.map { "\($0)" }, sha256, modifiedAt?.iso8601, value,
        ]
        // Invariant: different inputs have different bytes, because a length precedes each part.
        return parts.flatMap { part in Array((part.map { "\($0.utf8.count):\($0)" } ?? "-").utf8) + [0x0A] }
    }
}

/// The kinds of inputs.
package enum PlanInputKind: String, Sendable, Codable, CaseIterable {
    /// The manifest.
    case manifest
    /// A schema file in the manifest's folder.
    case schema
    /// A preferences or other legacy file.
    case preferences
    /// The local store, its `-wal` file or its rollback journal.
    case local
    /// The cloud store, its `-wal` file or its rollback journal.
    case cloud
    /// An option that changes what is done.
    case option
    /// Godwit itself.
    case program
}

extension PlanInput {
    /// The differences between the inputs of a plan and the present inputs, one phrase each, in order.
    package static func changes(from planned: [PlanInput], to found: [PlanInput]) -> [String] {
        var changes: [String] = []
        for input in planned {
            guard let now = found.first(where: { $0.isSameThing(as: input) }) else {
                changes.append("\(input.title) is no longer an input")
                continue
            }
            if let change = now.change(since: input) { changes.append("\(input.title) \(change)") }
        }
        for input in found where !planned.contains(where: { $0.isSameThing(as: input) }) {
            changes.append("\(input.title) is new")
        }
        return changes
    }

    private var title: String { "\(kind.rawValue) \(name)" }

    private func isSameThing(as other: PlanInput) -> Bool {
        kind == other.kind && name.utf8.elementsEqual(other.name.utf8)
    }

    /// The change in the same input; nil for none.
    private func change(since before: PlanInput) -> String? {
        if before.exists != exists { return exists == true ? "appeared" : "no longer exists" }
        if before.size != size {
            return "changed in size (\(size?.grouped ?? "none"), was \(before.size?.grouped ?? "none"))"
        }
        if before.sha256 != sha256 { return "changed in content" }
        if before.modifiedAt?.iso8601 != modifiedAt?.iso8601 { return "has another modification time" }
        if before.value != value { return "is \(value ?? "not set"), was \(before.value ?? "not set")" }
        return nil
    }
}
