import Godwit
import GodwitCoreData
import GodwitModel
import GodwitSQLite

/// A Core Data store as `inspect`, `init` and `plan` use it: its model, the inspection report, a draft and a dry run.
///
/// The model is the same when it is read twice, names only columns and records that exist, and omits none; the result
/// of `init` can be planned at once; the store keeps its bytes and date.
package enum CoreDataCheck {
    /// How far an input got, for tests.
    package struct Result: Sendable {
        package var entities = 0
        package var isModelKnown = false
        /// Whether every entity has a table, every record an entity, and each join table known ends, as Core Data
        /// leaves it.
        package var isWhole = false
        /// The number of entities in the draft; nil if there was nothing to draft.
        package var drafted: Int?
        package var isPlanned = false
    }

    static func run(_ bytes: [UInt8]) throws(FuzzFinding) { _ = try outcome(of: bytes) }

    /// Nil for an empty input.
    package static func outcome(of bytes: [UInt8]) throws(FuzzFinding) -> Result? {
        guard let input = CoreDataInput(bytes) else { return nil }
        let bench = try StoreBench()
        try CoreDataMaker(bench.store).make(input)
        let before = try bench.files()
        var result = Result()
        let looked: Swift.Result<Void, FuzzFinding>
        do throws(GodwitError) {
            looked = try look(bench.store, bench.identifier, &result)
        } catch {
            looked = .success(())
            try StoreSetCheck.check(error)
        }
        try looked.get()
        let report = try draft(bench.store, into: bench.drafts)
        result.drafted = report?.entities.count
        if input.isPlanned, let report {
            try plan(bench.drafts, report, result)
            result.isPlanned = true
        }
        let after = try bench.files()
        try require(
            before == after, "changed: \(Set(before.keys).union(after.keys).filter { before[$0] != after[$0] })")
        try require(bench.leftovers.isEmpty, "left behind: \(bench.leftovers)")
        return result
    }

    // MARK: The model

    private static func look(
        _ path: String, _ identifier: String, _ result: inout Result
    ) throws(GodwitError) -> Swift.Result<Void, FuzzFinding> {
        let context = RunContext(now: .epoch, makeIdentifier: { identifier }, lockTimeoutMilliseconds: 0)
        let snapshot = try StoreSnapshot(of: path, name: "fuzz.store", stage: .inspect, context: context)
        let connection = snapshot.connection
        guard let model = try connection.readCoreDataModel(archives: .standard) else { return .success(()) }
        result.entities = model.entities.count
        result.isModelKnown = model.isModelKnown
        let named = model.joins.flatMap { [$0.first.entity, $0.second.entity] }
        result.isWhole =
            model.strayRecords == 0 && !model.entities.isEmpty && model.entities.allSatisfy { $0.table != nil }
            && named.allSatisfy { name in model.entities.contains { $0.name == name } }
        let again = try connection.readCoreDataModel(archives: .standard)
        let shape = try connection.readShape()
        var records: Int64 = 0
        for table in Set(model.entities.compactMap(\.table)) { records += try connection.countRecords(of: table) }
        _ = try connection.readMirror()
        return .init { () throws(FuzzFinding) in
            try require(again == model, "read twice, two models")
            try require(
                model.entities.reduce(model.strayRecords) { $0 + $1.count } == records,
                "\(records) records, and entities with \(model.entities.map(\.count)) and \(model.strayRecords) stray ones"
            )
            for entity in model.entities { try check(entity, shape) }
            for join in model.joins {
                try require(shape.table(named: join.table) != nil, "a join table that is not there")
            }
        }
    }

    private static func check(_ entity: CoreDataEntity, _ shape: SchemaShape) throws(FuzzFinding) {
        try require(!entity.name.isEmpty, "an entity without a name")
        try require(entity.count >= 0, "\(entity.count) records")
        guard let name = entity.table else { return }
        guard let table = shape.table(named: name) else { throw FuzzFinding("a table that is not there") }
        let columns = entity.attributes.map(\.column) + entity.relations.map(\.column)
        try require(Set(columns).count == columns.count, "a column that is two properties: \(columns)")
        for column in columns {
            try require(table.column(named: column) != nil, "a column that is not there: \(column)")
        }
        let names = entity.attributes.map(\.name) + entity.relations.map(\.name)
        try require(names.allSatisfy { !$0.isEmpty }, "a property without a name: \(names)")
    }

    // MARK: Draft and plan

    private static func draft(_ path: String, into folder: String) throws(FuzzFinding) -> InitReport? {
        do throws(GodwitError) {
            return try Inspector(path: path).writeManifest(into: folder)
        } catch {
            try StoreSetCheck.check(error)
            return nil
        }
    }

    /// Plans the draft at once; a plan may report damaged data only for a store that lacks tables.
    private static func plan(_ folder: String, _ report: InitReport, _ result: Result) throws(FuzzFinding) {
        var options = MigrationOptions()
        (options.now, options.lockTimeoutMilliseconds) = (.epoch, 0)
        do {
            let migration = try Migration(
                manifest: .load(path: folder + "/godwit.yaml"), container: .path(report.container),
                options: options)
            _ = try migration.perform(.run, dryRun: true)
        } catch let error as GodwitError where !result.isWhole {
            try StoreSetCheck.check(error)
        } catch {
            throw FuzzFinding("init writes what plan refuses: \(error)")
        }
    }
}
