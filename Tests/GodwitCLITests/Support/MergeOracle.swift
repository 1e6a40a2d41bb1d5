import GodwitModel
import Foundation
import GodwitTestSupport

/// What a run should lead to, found by one query of SQLite for each entity, over copies of the stores from before it.
///
/// Its databases: `l` and `c` are local and cloud store as they were, `m` and `n` as they are now.
struct MergeOracle {
    private let app: SampleApp
    private let store: SampleStore

    /// Copies both stores; to be made before the run.
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

    /// Opens the stores as the run left them.
    func open(_ scene: Scene) throws {
        try store.execute("ATTACH '\(scene.path(app.local))' AS m")
        try store.execute("ATTACH '\(scene.path(app.cloud))' AS n")
    }

    func close() throws { try store.close() }

    /// Where the local records of an entity are: before the run, but for those that it makes.
    func localSchema(of entity: SampleEntity) -> String { entity.isFromPreferences ? "m" : "l" }

    /// The records that should be there when those of some stores are one: the winner of each key, by key.
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

    /// All records of a store, in the order of their keys.
    func records(_ entity: SampleEntity, in schema: String) throws -> [[Value]] {
        let listed = try columns(of: entity).map { "\"\($0)\"" }.joined(separator: ", ")
        return try store.rows(
            "SELECT \(listed) FROM \(schema).\"\(entity.table)\" ORDER BY \"\(entity.key)\" COLLATE BINARY")
    }

    /// How many rows of a store are not the only one of their key.
    func surplus(_ entity: SampleEntity, in schema: String) throws -> Int64 {
        guard try has(entity.table, in: schema) else { return 0 }
        let keys = entity.singleton == nil ? "count(DISTINCT \"\(entity.key)\")" : "min(count(*), 1)"
        return try store.integer("SELECT count(*) - \(keys) FROM \(schema).\"\(entity.table)\"")
    }

    /// The columns that an entity had in the local store; those it has now where the run made its table.
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
