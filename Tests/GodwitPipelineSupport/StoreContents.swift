import GodwitFiles
package import GodwitModel
package import GodwitTestSupport

/// A store copied with its log, so that looking at it leaves the original alone.
package final class StoreCopy {
    package let store: SampleStore
    private let folder: TemporaryFolder

    package init(of path: String) throws {
        let source = PathText.directory(of: path)
        folder = try TemporaryFolder()
        for suffix in ["", "-wal", "-journal"] where try FileStatus.of(path + suffix) != nil {
            try FileClone.copy(source + "/" + PathText.lastPart(of: path) + suffix, to: folder["copy" + suffix])
        }
        store = try SampleStore(folder["copy"])
    }
}

/// All rows of all tables, in an order of their own, without what differs from run to run: identifiers and times.
package struct StoreContents: Equatable, CustomStringConvertible {
    package private(set) var tables: [String: [String]] = [:]

    /// What is compared of Godwit's own tables; `godwit_run` is the diary of the runs and left out.
    private static let lasting = [
        "godwit_migration": "version, name, checksum",
        "godwit_receipt": "stage, manifestSha256, detail",
        "godwit_removed": "entity, key, record, reason, winnerKey",
        "godwit_changed": "entity, key, \"column\", oldValue, newValue, reason",
    ]

    package init(_ store: SampleStore) throws {
        let names = try store.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        for name in names.map({ $0[0].readable }) where name != "godwit_run" {
            let rows = try store.rows("SELECT \(Self.lasting[name] ?? "*") FROM \"\(name)\"")
            tables[name] = rows.map { $0.map(\.typed).joined(separator: " | ") }.sorted()
        }
    }

    /// What is only in one of two stores, for a failed expectation to show.
    package func differences(from other: StoreContents) -> [String] {
        Set(tables.keys).union(other.tables.keys).sorted().flatMap { name -> [String] in
            let (mine, theirs) = (tables[name] ?? [], other.tables[name] ?? [])
            guard mine != theirs else { return [] }
            let (added, missing) = (mine.subtracting(theirs), theirs.subtracting(mine))
            return added.map { "\(name) + \($0)" } + missing.map { "\(name) - \($0)" }
        }
    }

    package var description: String {
        tables.keys.sorted().map { "\($0): \(tables[$0]?.count ?? 0)" }.joined(separator: ", ")
    }
}

extension [String: StoreContents] {
    /// The same for all stores of a container.
    package func differences(from other: [String: StoreContents]) -> [String] {
        Set(keys).union(other.keys).sorted().flatMap { store -> [String] in
            guard let mine = self[store] else { return ["\(store) is missing"] }
            guard let theirs = other[store] else { return ["\(store) is new"] }
            return mine.differences(from: theirs).map { "\(PathText.lastPart(of: store)): \($0)" }
        }
    }
}

extension [String] {
    /// What is left when each element of another array is taken away once.
    fileprivate func subtracting(_ other: [String]) -> [String] {
        var counts: [String: Int] = [:]
        for element in other { counts[element, default: 0] += 1 }
        return filter { element in
            guard let count = counts[element], count > 0 else { return true }
            counts[element] = count - 1
            return false
        }
    }
}

extension Value {
    /// The value with its storage class, so that `1` and `'1'` are not taken for one another.
    package var typed: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "real \(number)"
        case .text(let bytes): "'\(String(decoding: bytes, as: UTF8.self))'"
        case .blob(let bytes): "blob \(hexText(bytes))"
        }
    }
}
