import GodwitFiles
package import GodwitModel
package import GodwitTestSupport

/// A copy of a store with its log, so that reading it can't change the original.
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

/// All rows of all tables, sorted, without what differs between runs: identifiers and times.
package struct StoreContents: Equatable, CustomStringConvertible {
    package private(set) var tables: [String: [String]] = [:]

    /// The columns of Godwit's own tables that are compared; `godwit_run` is left out because it logs each run.
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

    /// The rows that only one of two stores has, for the message of a failed expectation.
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
    /// The elements that remain after each element of another array is removed once.
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
    /// The value with its storage class, so that `1` and `'1'` differ.
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
