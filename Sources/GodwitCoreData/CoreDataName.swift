internal import GodwitModel

/// The meaning of a column name in an entity's table: Core Data's own columns begin with `Z_`, or `Z` and a number; all
/// others are `Z` and a property name in upper case.
///
/// A property name does not begin with a digit, so a number shows that a column is not a property of the app. If two
/// properties in one table have the same name, the later ones end with a number (`ZTITLE1`).
package enum CoreDataColumn: Sendable, Equatable {
    case recordKey
    case entityNumber
    /// `Z_OPT`, the number of changes.
    case changeCount
    /// `Z_FOK_PARENT`: the index among records with the same target; the name is the other column's without `Z`.
    case order(of: String)
    /// `Z7_OWNER`: the `Z_ENT` of the record in `ZOWNER`; 7 is the number of the target entity in the model.
    case targetNumber(of: String, entity: Int64)
    /// `Z1SETS`: stores the to-many relation `sets` of entity 1, which has no inverse.
    case hiddenInverse(of: String, entity: Int64)
    /// `ZTITLE`: an attribute or a relation.
    case property(String)
    /// A column that Core Data would not make.
    case foreign

    package init(_ name: String) {
        let bytes = Array(name.utf8)
        guard bytes.count > 1, bytes[0].asciiUppercased == UInt8(ascii: "Z") else {
            self = .foreign
            return
        }
        switch name.asciiUppercased {
        case "Z_PK": self = .recordKey
        case "Z_ENT": self = .entityNumber
        case "Z_OPT": self = .changeCount
        case let upper where upper.hasPrefix("Z_FOK_") && bytes.count > 6: self = .order(of: Self.text(bytes[6...]))
        default:
            guard let (number, rest) = Self.leadingNumber(bytes[1...]) else {
                self = .property(Self.text(bytes[1...]))
                return
            }
            if rest.first == UInt8(ascii: "_"), rest.count > 1 {
                self = .targetNumber(of: Self.text(rest.dropFirst()), entity: number)
            } else {
                self = rest.isEmpty ? .foreign : .hiddenInverse(of: Self.text(rest), entity: number)
            }
        }
    }

    /// The number at the start of some bytes, and the rest; nil if there is none, or if it exceeds 64 bits.
    static func leadingNumber(_ bytes: ArraySlice<UInt8>) -> (Int64, ArraySlice<UInt8>)? {
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        guard let number = Int64(text(digits)) else { return nil }
        return (number, bytes[digits.endIndex...])
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: bytes.map(\.self), as: UTF8.self) }
}

/// The meaning of a column name in a join table: `Z_7TAGS` contains records of entity 7, the targets of a relation
/// `tags`.
enum CoreDataJoinColumn: Equatable {
    case end(relation: String, entity: Int64)
    /// `Z_FOK_7TAGS`: the index of the record in `Z_7TAGS` among those of the other column's; the name is without `Z_`.
    case order(of: String)
    /// `REFLEXIVE`: the other record of a relation that is its own inverse.
    case reflexive
    /// `FOK_REFLEXIVE`: the index of the record in `REFLEXIVE`.
    case reflexiveOrder
    case foreign

    init(_ name: String) {
        let bytes = Array(name.utf8)
        let upper = name.asciiUppercased
        if upper == "REFLEXIVE" {
            self = .reflexive
        } else if upper == "FOK_REFLEXIVE" || upper == "Z_FOK_REFLEXIVE" {
            self = .reflexiveOrder
        } else if upper.hasPrefix("Z_FOK_"), bytes.count > 6 {
            self = .order(of: CoreDataColumn.text(bytes[6...]))
        } else if upper.hasPrefix("Z_"), let (number, rest) = CoreDataColumn.leadingNumber(bytes[2...]), !rest.isEmpty {
            self = .end(relation: CoreDataColumn.text(rest), entity: number)
        } else {
            self = .foreign
        }
    }
}

/// Names in Core Data's form.
extension String {
    /// The name of an entity's table, or of a property's column.
    package var coreDataName: String { "Z" + uppercased() }

    /// Converts only ASCII letters, as SQLite does.
    var asciiUppercased: String { CoreDataColumn.text(utf8.map(\.asciiUppercased)) }

    /// Whether this is another name, or that name with a number at the end, which Core Data adds to a repeated name;
    /// ignores ASCII case.
    func isSameName(asNumbered other: String) -> Bool {
        guard utf8.count >= other.utf8.count else { return false }
        let head = CoreDataColumn.text(utf8.prefix(other.utf8.count))
        return head.isSameName(as: other) && utf8.dropFirst(other.utf8.count).allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension UInt8 {
    fileprivate var asciiUppercased: UInt8 { (0x61...0x7A).contains(self) ? self - 0x20 : self }
}
