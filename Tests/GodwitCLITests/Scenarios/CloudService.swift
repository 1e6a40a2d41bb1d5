import GodwitModel
import GodwitTestSupport

/// A model of the system's sync between the cloud stores of several devices: the last writer wins, and a deletion
/// applies to all, unless another device has edited the record since.
///
/// It knows nothing of Godwit: it moves rows of the app's tables, and no others.
struct CloudService {
    private typealias Row = [Value]

    /// The key and date columns of each entity.
    private static let columns = [
        "Workout": ("id", "updatedAt"), "ExerciseSet": ("id", "updatedAt"),
        "FavoriteExercise": ("exerciseId", "createdAt"), "UserSettings": ("id", "updatedAt"),
    ]
    /// The rows that all devices had after the last sync.
    private var known: [String: [String: [Value]]] = [:]

    /// Sends and receives for all of these devices.
    mutating func sync(_ devices: [Device]) throws {
        let stores = try devices.map { try $0.scene.open(Scene.cloud) }
        for entity in Device.entities {
            let tables = try stores.map { try Self.rows(of: entity, in: $0) }
            let merged = try merge(entity, tables, Self.dateIndex(of: entity, in: stores[0]))
            for (store, table) in zip(stores, tables) {
                for key in Set(table.keys).union(merged.keys) where table[key] != merged[key] {
                    let name = Self.columns[entity]?.0 ?? ""
                    try store.execute("DELETE FROM \(entity) WHERE \(name) = ?", [.string(key)])
                    guard let row = merged[key] else { continue }
                    let parameters = row.map { _ in "?" }.joined(separator: ", ")
                    try store.execute("INSERT INTO \(entity) VALUES (\(parameters))", row)
                }
            }
            known[entity] = merged
        }
        for store in stores { try store.close() }
    }

    /// The rows that all devices have afterwards: for each key the newest edit since the last sync; without an edit, a
    /// row that a device deleted is removed.
    private func merge(_ entity: String, _ tables: [[String: Row]], _ date: Int) throws -> [String: Row] {
        let before = known[entity] ?? [:]
        var merged: [String: Row] = [:]
        for key in Set(tables.flatMap(\.keys)).union(before.keys) {
            let edited = tables.compactMap { $0[key] }.filter { $0 != before[key] }
            if let newest = edited.max(by: { isOlder($0, than: $1, date) }) {
                merged[key] = newest
            } else if let row = before[key], tables.allSatisfy({ $0[key] != nil }) {
                merged[key] = row
            }
        }
        return merged
    }

    /// Whether a row is older, or has the same date and a smaller text; the text is only made if it decides.
    private func isOlder(_ row: Row, than other: Row, _ date: Int) -> Bool {
        let (own, others) = (row[date].readable, other[date].readable)
        return own == others ? "\(row)" < "\(other)" : own < others
    }

    private static func rows(of entity: String, in store: SampleStore) throws -> [String: Row] {
        let key = columns[entity]?.0 ?? ""
        var found: [String: Row] = [:]
        for row in try store.rows("SELECT \(key), * FROM \(entity)") { found[row[0].readable] = Array(row.dropFirst()) }
        return found
    }

    private static func dateIndex(of entity: String, in store: SampleStore) throws -> Int {
        let names = try store.rows("SELECT name FROM pragma_table_info('\(entity)')").map { $0[0].readable }
        return names.firstIndex(of: columns[entity]?.1 ?? "") ?? 0
    }
}
