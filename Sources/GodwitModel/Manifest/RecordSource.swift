/// Where the records of an entity come from, where the local store is one of Core Data's.
package struct RecordSource: Sendable, Hashable {
    package let origin: Origin
    /// How each column is filled, in the order of the manifest.
    package var fields: [SourceField]

    /// What one record is made of.
    package enum Origin: Sendable, Hashable {
        /// A record of an entity; of those that inherit from it as well, unless they are left out.
        case entity(String, includesSubentities: Bool)
        /// A pair of a many-to-many relation: a record of the entity, and one that its relation leads to.
        case join(entity: String, relation: String)

        /// The entity of Core Data's.
        package var entity: String {
            switch self {
            case .entity(let name, _): name
            case .join(let name, _): name
            }
        }
    }

    package init(origin: Origin, fields: [SourceField]) {
        self.origin = origin
        self.fields = fields
    }

    /// What fills a column; nil where nothing does.
    package func field(for column: String) -> SourceField? { fields.first { $0.column.isSameName(as: column) } }
}

/// How one column is filled.
package struct SourceField: Sendable, Hashable {
    /// The column of the entity's table.
    package let column: String
    /// What is read; several are joined to one text, with a `/` between them.
    package let paths: [SourcePath]
    /// What the values are turned into; nil leaves them as they are stored.
    package let encoding: SourceEncoding?
    /// The entity that a path's relation leads to, where the store does not tell.
    package let target: String?
    /// The value that the manifest gives for NULL.
    package let givenFallback: ManifestValue?
    /// What is stored for it; nil until the type of the column is known.
    package var fallback: Value?

    package init(
        column: String, paths: [SourcePath], encoding: SourceEncoding? = nil, target: String? = nil,
        fallback: ManifestValue? = nil
    ) {
        self.column = column
        self.paths = paths
        self.encoding = encoding
        self.target = target
        givenFallback = fallback
    }
}

/// The way from a record to a value: `name`, `workout.id`, or `Workout.sets.id` where the model has no relation back.
package struct SourcePath: Sendable, Hashable {
    /// One to three names, none empty.
    package let parts: [String]
    /// More than any model has; SQLite has no limit of its own for a name.
    private static let maxPartBytes = 4096

    /// Nil where the text is no path.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= Self.maxPartBytes })
        else {
            return nil
        }
        self.parts = parts
    }

    package var text: String { parts.joined(separator: ".") }
}

/// What a value of a Core Data store is turned into.
package enum SourceEncoding: String, Sendable, CaseIterable {
    /// 16 bytes as text, in upper case with hyphens, as Swift writes a `UUID`.
    case uuid
    /// A date as text, with milliseconds and `Z`.
    case iso8601
    /// A date as seconds since 1970.
    case unixSeconds
    /// A date as whole milliseconds since 1970.
    case unixMilliseconds
    /// A date as Core Data stores it: seconds since 2001.
    case coreData
    /// 0 or 1.
    case bool
    /// A number as text, to its last digit and without an exponent.
    case decimal
    /// Data that Core Data may keep in a file beside the store: the data itself.
    case externalData
    /// A keyed archive of strings, numbers, dates, data, lists and dictionaries, as JSON text.
    case keyedArchive

    /// The dates among them.
    package var instant: InstantEncoding? {
        switch self {
        case .iso8601: .iso8601
        case .unixSeconds: .unixSeconds
        case .unixMilliseconds: .unixMilliseconds
        case .coreData: .coreData
        default: nil
        }
    }
}
