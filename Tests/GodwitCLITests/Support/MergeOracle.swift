import GodwitModel
import Foundation
import GodwitTestSupport

/// The expected result of a run, computed by one SQLite query for each entity on copies of the stores from before.
///
/// Its databases: `l` and `c` are the local and cloud stores before the run, `m` and `n` after it.
struct MergeOracle {
    private let app: SampleApp
    private let store: SampleStore

    /// Copies both stores; must be called before the run.
    init(_ app: SampleApp, in scene: Scene) throws {
        self.app = app
        try scene.folder.makeFolder("before")
        store = try SampleStore(scene.folder["before/oracle.store"])
        for (schema, name) in [("l", app.local), ("c", app.cloud)] {
            let path = scene.folder["before/\(schema).store"]
            if scene.exists(name) { try FileManager.default.copyItem(atPath: scene.path(name), toPath: path) }
            try store.execute("ATTACH '\(path)' AS \(schema)")
        }
    }

    /// Opens the stores after the run.
    func open(_ scene: Scene) throws {
        try store.execute("ATTACH '\(scene.path(app.local))' AS m")
        try store.execute("ATTACH '\(scene.path(app.cloud))' AS n")
    }

    func close() throws { try store.close() }

    /// The database with an entity's local records: the one from before the run, except for entities that the run
    /// makes.
    func localSchema(of entity: SampleEntity) -> String { entity.isFromPreferences ? "m" : "l" }

    /// The expected records when some stores are merged: the winner of each key, in the order of the keys.
    func winners(_ entity: SampleEntity, of schemas: [String]) throws -> [[Value]] {
        let columns = try columns(of: entity)
        let present = try schemas.filter { try has(entity.table, in: $0) }
        guard !present.isEmpty else { return [] }
        let listed = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let every = present.map { schema in
            "SELECT \(schema == "c" ? 1 : 0) AS side_, \(listed) FROM \(schema).\"\(entity.table)\""
        }.joined(separator: " UNION ALL ")
        let shown = columns.map { column in
            column == entity.key ? entity.singleton.map { "'\($0)'" } ?? "\"\(column)\"" : "\"\(column)\""
        }
        return try store.rows(
            """
            WITH every AS (\(every)), ranked AS (
                SELECT *, row_number() OVER (
                    PARTITION BY \(entity.singleton == nil ? "\"\(entity.key)\"" : "1") ORDER BY \(order(entity))
                ) AS place_ FROM every)
            SELECT \(shown.joined(separator: ", ")) FROM ranked WHERE place_ = 1
            ORDER BY "\(entity.key)" COLLATE BINARY
            """)
    }

    /// All records of a store, in the order of the keys.
    func records(_ entity: SampleEntity, in schema: String) throws -> [[Value]] {
        let listed = try columns(of: entity).map { "\"\($0)\"" }.joined(separator: ", ")
        return try store.rows(
            "SELECT \(listed) FROM \(schema).\"\(entity.table)\" ORDER BY \"\(entity.key)\" COLLATE BINARY")
    }

    /// The number of rows in a store that share their key with another.
    func surplus(_ entity: SampleEntity, in schema: String) throws -> Int64 {
        guard try has(entity.table, in: schema) else { return 0 }
        let keys = entity.singleton == nil ? "count(DISTINCT \"\(entity.key)\")" : "min(count(*), 1)"
        return try store.integer("SELECT count(*) - \(keys) FROM \(schema).\"\(entity.table)\"")
    }

    /// The entity's columns in the local store before the run, or after it if the run made the table.
    func columns(of entity: SampleEntity) throws -> [String] {
        let schema = try has(entity.table, in: "l") ? "l" : "m"
        return try store.rows("SELECT name FROM pragma_table_info('\(entity.table)', '\(schema)')").map {
            $0[0].readable
        }
    }

    private func has(_ table: String, in schema: String) throws -> Bool {
        try store.integer("SELECT count(*) FROM \(schema).sqlite_schema WHERE name = '\(table)'") == 1
    }

    private func order(_ entity: SampleEntity) -> String {
        switch entity.rule {
        case .newest: "\(entity.date) IS NULL, \(entity.date) DESC, side_ DESC"
        case .earliest: "\(entity.date), side_ DESC"
        case .cloud: "side_ DESC, \(entity.date) DESC"
        case .local: "side_, \(entity.date) DESC"
        }
    }
}
