/// The Core Data entity that supplies the records of a manifest entity, if the local store is a Core Data store.
package struct RecordSource: Sendable, Hashable {
    package let origin: Origin
    /// How each column is filled, in manifest order.
    package var fields: [SourceField]

    /// What one record is made from.
    package enum Origin: Sendable, Hashable {
        /// A record of the entity, or of an entity that inherits from it if `includesSubentities` is true.
        case entity(String, includesSubentities: Bool)
        /// A pair of a many-to-many relation: a record of the entity and a related record.
        case join(entity: String, relation: String)

        /// The name of the Core Data entity.
        package var entity: String {
            switch self {
            case .entity(let name, _): name
            case .join(let name, _): name
            }
        }
    }

    package init(origin: Origin, fields: [SourceField]) {
        (self.origin, self.fields) = (origin, fields)
    }

    /// The field that fills a column; nil for none.
    package func field(for column: String) -> SourceField? { fields.first { $0.column.isSameName(as: column) } }
}

/// How one column is filled.
package struct SourceField: Sendable, Hashable {
    package let column: String
    /// The paths to read; the values of several paths are joined to one text with `/`.
    package let paths: [SourcePath]
    /// The conversion of the values; nil keeps them as stored.
    package let encoding: SourceEncoding?
    /// The entity to which a path's relation refers, if the store does not say it.
    package let target: String?
    /// The value that the manifest gives for NULL.
    package let givenFallback: ManifestValue?
    /// The stored form of `givenFallback`; nil until the column's type is known.
    package var fallback: Value?

    package init(
        column: String, paths: [SourcePath], encoding: SourceEncoding? = nil, target: String? = nil,
        fallback: ManifestValue? = nil
    ) {
        (self.column, self.paths, self.encoding, self.target) = (column, paths, encoding, target)
        givenFallback = fallback
    }
}

/// The path from a record to a value: `name`, `workout.id`, or `Workout.sets.id` if the model has no inverse relation.
package struct SourcePath: Sendable, Hashable {
    /// One to three names, none of them empty.
    package let parts: [String]
    /// Longer than the names in any model; SQLite sets no limit for the length of a name.
    private static let maxPartBytes = 4096

    /// nil if the text is not a path.
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

/// The conversion of a value from a Core Data store.
package enum SourceEncoding: String, Sendable, CaseIterable {
    /// 16 bytes to text in upper case with hyphens, as Swift writes a `UUID`.
    case uuid
    /// A date to text, with milliseconds and `Z`.
    case iso8601
    /// A date to seconds since 1970.
    case unixSeconds
    /// A date to whole milliseconds since 1970.
    case unixMilliseconds
    /// A date unchanged, as Core Data stores it: seconds since 2001.
    case coreData
    /// A value to 0 or 1.
    case bool
    /// A number to text, with all digits and without an exponent.
    case decimal
    /// Data that Core Data may keep in a file next to the store, to the data itself.
    case externalData
    /// A keyed archive of strings, numbers, dates, data, lists and dictionaries, to JSON text.
    case keyedArchive

    /// The encoding of instants; nil for conversions that are not of dates.
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
