package import GodwitModel
package import GodwitSQLite

/// The state of CloudKit's mirroring, from its tables in a Core Data store (`ANSCK…`): read, never written.
///
/// These tables belong to Core Data and are undocumented; a missing column counts as unknown.
package struct CoreDataMirror: Sendable, Equatable {
    /// The name of the store in messages.
    package let store: String
    /// The newest events of the sync, newest first.
    package var events: [Event] = []
    /// By Core Data entity: records to send, and deletions to send.
    package var pending: [String: Pending] = [:]

    package struct Event: Sendable, Equatable {
        /// 0 setup, 1 import, 2 export: `NSPersistentCloudKitContainer.EventType`.
        package let type: Int64
        package let startedAt: Instant
        /// Nil while it is in progress.
        package let endedAt: Instant?
        package let succeeded: Bool
        package let errorDomain: String?
        package let errorCode: Int64
    }

    /// What must be sent for one entity.
    package struct Pending: Sendable, Equatable {
        package var uploads: Int64 = 0
        package var deletes: Int64 = 0
    }

    package var uploads: Int64 { pending.values.reduce(0) { $0 + $1.uploads } }
    package var deletes: Int64 { pending.values.reduce(0) { $0 + $1.deletes } }

    /// More events make no difference: the newest event of each phase decides.
    static let mostEvents = 10_000
}

extension SQLiteConnection {
    /// Nil if the store is not mirrored.
    package func readMirror() throws(GodwitError) -> CoreDataMirror? {
        let shape = try readShape()
        guard shape.tables.contains(where: { $0.name.asciiUppercased.hasPrefix("ANSCK") }) else { return nil }
        var mirror = CoreDataMirror(store: name)
        if let table = shape.table(named: "ANSCKEVENT") { mirror.events = try readEvents(table) }
        if let table = shape.table(named: "ANSCKRECORDMETADATA") {
            mirror.pending = try readPending(table, names: readEntityNames(shape))
        }
        return mirror
    }

    private func readEvents(_ table: TableShape) throws(GodwitError) -> [CoreDataMirror.Event] {
        let present = Set(table.columnsInFile.map(\.name.asciiUppercased))
        guard present.isSuperset(of: ["ZCLOUDKITEVENTTYPE", "ZSTARTEDAT"]) else { return [] }
        let wanted = ["ZCLOUDKITEVENTTYPE", "ZSTARTEDAT", "ZENDEDAT", "ZSUCCEEDED", "ZERRORDOMAIN", "ZERRORCODE"]
        let list = wanted.map { present.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
        let rows = try rows(
            "SELECT \(list) FROM \(source(table.name)) ORDER BY ZSTARTEDAT DESC LIMIT \(CoreDataMirror.mostEvents)")
        return rows.compactMap { row in
            guard case .integer(let type) = row[0], let started = Instant(row[1], as: .coreData) else { return nil }
            var domain: String?
            if case .text(let bytes) = row[4], !bytes.isEmpty { domain = String(decoding: bytes, as: UTF8.self) }
            var code: Int64 = 0
            if case .integer(let number) = row[5] { code = number }
            return CoreDataMirror.Event(
                type: type, startedAt: started, endedAt: Instant(row[2], as: .coreData),
                succeeded: row[3] == .integer(1), errorDomain: domain, errorCode: code)
        }
    }

    private func readPending(
        _ table: TableShape, names: [Int64: String]
    ) throws(GodwitError) -> [String: CoreDataMirror.Pending] {
        let present = Set(table.columnsInFile.map(\.name.asciiUppercased))
        guard present.contains("ZENTITYID") else { return [:] }
        let deletes = present.contains("ZNEEDSCLOUDDELETE") ? "coalesce(ZNEEDSCLOUDDELETE, 0) <> 0" : "0"
        let uploads = present.contains("ZNEEDSUPLOAD") ? "coalesce(ZNEEDSUPLOAD, 0) <> 0" : "0"
        let rows = try rows(
            """
            SELECT ZENTITYID, sum(\(uploads) AND NOT \(deletes)), sum(\(deletes)) FROM \(source(table.name))
            WHERE \(uploads) OR \(deletes) GROUP BY ZENTITYID ORDER BY ZENTITYID LIMIT \(CoreDataSurvey.mostEntities)
            """)
        var pending: [String: CoreDataMirror.Pending] = [:]
        for row in rows {
            guard case .integer(let number) = row[0], case .integer(let up) = row[1], case .integer(let gone) = row[2]
            else { continue }
            let name = names[number] ?? "entity \(number)"
            pending[name, default: .init()].uploads += up
            pending[name, default: .init()].deletes += gone
        }
        return pending
    }

    private func readEntityNames(_ shape: SchemaShape) throws(GodwitError) -> [Int64: String] {
        guard let table = shape.table(named: CoreDataTable.primaryKey), table.column(named: "Z_ENT") != nil,
            table.column(named: "Z_NAME") != nil
        else { return [:] }
        var names: [Int64: String] = [:]
        let sql =
            "SELECT Z_ENT, Z_NAME FROM \(try source(table.name)) WHERE typeof(Z_ENT) = 'integer' AND typeof(Z_NAME) = 'text' "
            + "LIMIT \(CoreDataSurvey.mostEntities)"
        for row in try rows(sql) {
            if case .integer(let number) = row[0] { names[number] = row[1].readable }
        }
        return names
    }
}
