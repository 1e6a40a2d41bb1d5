import GodwitModel
import GodwitSQLite
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// Generated tables at two moments: the first export and the increment since then restore the second store.
@Suite(.hangGuard)
struct IncrementPropertyTests {
    private static let rounds = GeneratedCases.seeds("GODWIT_INCREMENT_ROUNDS", all: 400, few: 100).count
    private static let forms = [
        ExportForm.plain, ExportForm(layout: .lines), ExportForm(gzipLevel: 1),
        ExportForm(layout: .lines, gzipLevel: 6),
    ]

    /// The results of the rounds.
    private struct Tally {
        var restored = 0
        var changed = 0
        var gone = 0
        var refused = 0
    }

    @Test("a full export with an increment restores what a new full export restores")
    func roundTrip() throws {
        var tally = Tally()
        for seed in 1...UInt64(Self.rounds) {
            var dice = SeededGenerator(seed: seed &* 0xD134_2543_DE82_EF95)
            let table = GeneratedTable(number: 0, using: &dice)
            try check(table, table.later(using: &dice), Self.forms[Int(seed % 4)], seed, &tally)
        }
        #expect(tally.restored > Self.rounds / 3 && tally.changed > Self.rounds / 3 && tally.gone > Self.rounds / 8)
        #expect(tally.refused > 0)
        print("increments: \(tally)")
    }

    private func check(
        _ before: GeneratedTable, _ after: GeneratedTable, _ form: ExportForm, _ seed: UInt64, _ tally: inout Tally
    ) throws {
        let restoration = try Restoration([before.entity], schema: [before.sql])
        try restoration.make("before.store", upTo: 0) { store in try before.make(in: store) }
        try restoration.make("after.store", upTo: 0) { store in try after.make(in: store) }
        try restoration.export("before.store", to: "before.json", as: form)
        let whole = try restoration.export("after.store", to: "after.json", as: form)
        let increment: ExportStage.Written
        do {
            increment = try restoration.export("after.store", to: "increment.json", as: form, since: "before.json")
        } catch let error as GodwitError {
            let isDouble = try ["before.store", "after.store"].contains { try duplicates(restoration, $0, before) }
            #expect(isDouble, "seed \(seed): \(error)")
            #expect(error.code == .data && error.message.contains("more than one record with the same key"))
            tally.refused += 1
            return
        }
        let restored: ImportStage.Restored
        do {
            restored = try restoration.restore("before.json", increment: "increment.json", to: "restored.store")
        } catch {
            let text = String(decoding: try restoration.folder.bytes(of: "increment.json"), as: UTF8.self)
            Issue.record("seed \(seed): \(error)\n\(before.sql), key \(before.key)\n\(text.suffix(3000))")
            return
        }
        #expect(restored.sha256 == whole.sha256, "seed \(seed)")
        #expect(restored.increment?.sha256 == increment.sha256)
        try restoration.export("restored.store", to: "restored.json", as: form)
        #expect(
            try restoration.folder.bytes(of: "restored.json") == restoration.folder.bytes(of: "after.json"),
            "seed \(seed)")
        #expect(
            try restoration.rows("restored.store", before.name) == restoration.rows("after.store", before.name),
            "seed \(seed): \(before.sql)")
        tally.restored += 1
        tally.changed += increment.longestRecord > 0 ? 1 : 0
        // The plain form is one of four.
        let text = String(decoding: try restoration.folder.bytes(of: "increment.json"), as: UTF8.self)
        if form == .plain, !text.contains("\"goneCount\": 0") { tally.gone += 4 }
    }

    /// Whether a store has two records with one key, by storage class and bits.
    private func duplicates(_ restoration: Restoration, _ store: String, _ table: GeneratedTable) throws -> Bool {
        let snapshot = try StoreSnapshot(of: restoration.folder[store], name: store, stage: .export, context: .sample())
        let keys = try snapshot.connection.rows("SELECT \(quoted(table.key)) FROM \(quoted(table.name))").map { $0[0] }
        return Set(keys).count < keys.count
    }
}
