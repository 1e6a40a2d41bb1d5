import GodwitFiles
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Synchronization
import Testing

/// What a reader of whole tables finds for the check that runs at the same time.
struct RecordSumsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let values = (1...500).map { "(\($0), 'a\($0 % 99)', \($0))" }.joined(separator: ", ")

    private func make(_ change: String = "") throws {
        try ForgedIndex(
            values: Self.values, change: change, more: "CREATE INDEX TB ON T(b); CREATE INDEX TAB ON T(a, b DESC)"
        ).make(at: folder["a.store"])
    }

    private func open() throws -> StoreSnapshot {
        try StoreSnapshot(
            of: folder["a.store"], name: "a.store", stage: .verify, context: .sample(), checkingIntegrity: false)
    }

    private func check(_ snapshot: borrowing StoreSnapshot, threads: Int = 2) -> SoundnessCheck {
        var check = snapshot.soundness
        (check.size, check.threads) = (0, threads)
        return check
    }

    /// The sums of a table in the form of another reader, with the columns in another order.
    private func read(
        _ store: SQLiteConnection, where condition: String = "TRUE", table: String = "T"
    ) throws -> RecordSummation {
        let summation = try #require(
            try store.beginSummation(of: table, rowid: 2, columns: ["\"b\"": 1, "\"a\"": 3]))
        let rows = try store.prepare("SELECT 'x', b, rowid, a FROM \(table) NOT INDEXED WHERE \(condition)")
        let values = RowValues(count: rows.columnCount)
        var isByValues = false
        while try rows.step() {
            // Both forms give the same sums.
            isByValues.toggle()
            if isByValues {
                let isRead = values.read(rows)
                #expect(isRead)
                summation.add(values)
            } else {
                summation.add(rows)
            }
        }
        return summation
    }

    @Test(
        "the verdict by a reader's sums equals the check's own, in any order", arguments: 1...3,
        [true, false])
    func verdicts(threads: Int, isReadBefore: Bool) throws {
        for (change, finding) in [
            ("", nil), ("UPDATE S SET a = 'other' WHERE rowid = 77", "row 77 missing from index J"),
        ] {
            try make(change)
            let snapshot = try open()
            let check = check(snapshot, threads: threads)
            let sums = RecordSums(promising: ["T", "S"])
            if isReadBefore { sums.keep(try read(snapshot.connection)) }
            let ended = Mutex<(proven: [String]?, error: GodwitError?)>((nil, nil))
            let thread = try #require(
                WorkerThread {
                    let result = Result { () throws(GodwitError) in try check.run(sums: sums) }
                    ended.withLock { ended in
                        switch result {
                        case .success(let proven): ended.proven = proven
                        case .failure(let error): ended.error = error
                        }
                    }
                })
            if !isReadBefore { sums.keep(try read(snapshot.connection)) }
            sums.withdraw()
            thread.join()
            let (proven, error) = ended.withLock { $0 }
            #expect(error?.underlying == finding)
            #expect(proven == (finding == nil ? ["T"] : nil))
            try folder.remove("a.store")
        }
    }

    @Test("a reader's sums are used, and if they are wrong, SQLite decides")
    func wrongSums() throws {
        try make()
        let snapshot = try open()
        let sums = RecordSums(promising: ["t"])
        sums.keep(try read(snapshot.connection, where: "rowid <> 7"))
        // Sound, but not proven by scans.
        #expect(try check(snapshot).run(sums: sums) == [])
    }

    @Test("sums that were promised and withdrawn are computed by the check itself", arguments: [true, false])
    func withdrawn(isLater: Bool) throws {
        try make("DELETE FROM S WHERE rowid = 9")
        let snapshot = try open()
        let check = check(snapshot, threads: 1)
        let sums = RecordSums(promising: ["T"])
        if !isLater { sums.withdraw("t") }
        let found = Mutex<GodwitError?>(nil)
        let thread = try #require(WorkerThread { found.withLock { $0 = failure { try check.run(sums: sums) } } })
        #expect(sums.isPromised("T") == isLater)
        sums.withdraw(allBut: ["Other"])
        thread.join()
        #expect(found.withLock { $0 }?.underlying == "row 9 missing from index J")
        // Too late: no check reads it.
        sums.keep(try read(snapshot.connection))
        #expect(!sums.isPromised("T"))
    }

    @Test("tables that are still read are not withdrawn with the others")
    func allBut() throws {
        let sums = RecordSums(promising: ["One", "Two", "Three"])
        sums.withdraw(allBut: ["TWO"])
        #expect(["One", "Two", "Three"].map(sums.isPromised) == [false, true, false])
        sums.withdraw()
        #expect(!sums.isPromised("Two"))
    }

    @Test("a table has no sums if no check needs them, or if not all columns are read")
    func noSummation() throws {
        try SampleStore.make(
            folder["a.store"],
            """
            CREATE TABLE K(a PRIMARY KEY, b) WITHOUT ROWID; CREATE TABLE N(a COLLATE NOCASE, b);
            CREATE INDEX NA ON N(a); CREATE TABLE P(a, b, c); CREATE INDEX PC ON P(c, a)
            """)
        let snapshot = try open()
        for table in ["K", "N", "P", "Missing"] {
            #expect(
                try snapshot.connection.beginSummation(of: table, rowid: 0, columns: ["\"a\"": 1, "\"b\"": 2]) == nil)
        }
        try SampleStore.make(
            folder["wide.store"], encoding: "UTF-16le", "CREATE TABLE T(a, b); CREATE INDEX TA ON T(a)")
        let wide = try StoreSnapshot(
            of: folder["wide.store"], name: "wide.store", stage: .verify, context: .sample())
        #expect(try wide.connection.beginSummation(of: "T", rowid: 0, columns: ["\"a\"": 1]) == nil)
    }
}
