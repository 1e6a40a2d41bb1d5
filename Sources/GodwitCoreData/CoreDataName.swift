internal import GodwitModel

/// What the name of a column of an entity's table says: Core Data's own columns begin with `Z_` or `Z` and a number, all
/// others are `Z` and the name of a property in upper case.
///
/// A property's name begins with no digit, so nothing of the app's can be taken for one of these by its number. Where two
/// properties of one table are called alike, later ones get a number at the end (`ZTITLE1`).
package enum CoreDataColumn: Sendable, Equatable {
    /// `Z_PK`.
    case recordKey
    /// `Z_ENT`.
    case entityNumber
    /// `Z_OPT`, the count of changes.
    case changeCount
    /// `Z_FOK_PARENT`: the place among those that lead to the same record; the name is the other column's without `Z`.
    case order(of: String)
    /// `Z7_OWNER`: the `Z_ENT` of the record that `ZOWNER` leads to; 7 is the number of the entity the model names.
    case targetNumber(of: String, entity: Int64)
    /// `Z1SETS`: what carries the to-many relation `sets` of the entity 1, which has no relation back.
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

    /// A number at the beginning of some bytes, and what follows it; nil where there is none, or one past 64 bits.
    static func leadingNumber(_ bytes: ArraySlice<UInt8>) -> (Int64, ArraySlice<UInt8>)? {
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        guard let number = Int64(text(digits)) else { return nil }
        return (number, bytes[digits.endIndex...])
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: bytes.map(\.self), as: UTF8.self) }
}

/// What the name of a column of a join table says: `Z_7TAGS` holds records of the entity 7 to which a relation `tags`
/// leads.
enum CoreDataJoinColumn: Equatable {
    case end(relation: String, entity: Int64)
    /// `Z_FOK_7TAGS`: the place of the record in `Z_7TAGS` among those of the other column's; the name is without `Z_`.
    case order(of: String)
    /// `REFLEXIVE`: the other record where a relation is its own inverse.
    case reflexive
    /// `FOK_REFLEXIVE`: the place of the record in `REFLEXIVE`.
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

/// Names as Core Data makes them.
extension String {
    /// The name that Core Data gives the table of an entity, or the column of a property.
    package var coreDataName: String { "Z" + uppercased() }

    /// Upper case of ASCII letters alone, which is all that SQLite folds.
    var asciiUppercased: String { CoreDataColumn.text(utf8.map(\.asciiUppercased)) }

    /// Whether this is another name with nothing or a number behind it, as Core Data tells two of one name apart; ASCII
    /// case counts for nothing.
    func isSameName(asNumbered other: String) -> Bool {
        guard utf8.count >= other.utf8.count else { return false }
        let head = CoreDataColumn.text(utf8.prefix(other.utf8.count))
        return head.isSameName(as: other) && utf8.dropFirst(other.utf8.count).allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension UInt8 {
    fileprivate var asciiUppercased: UInt8 { (0x61...0x7A).contains(self) ? self - 0x20 : self }
}
