internal import GodwitModel
internal import GodwitSQLite

/// The counts for one entity, or for a range of its records.
struct FindingTally: Sendable {
    private let lockstep: EntityComparison
    private var found: CopyProof.Finding
    private let mark: CopyMark?
    private var (failed, tied) = (FirstRecords(), FirstRecords())
    private var (later, deleted, unclear) = (FirstRecords(), FirstRecords(), FirstRecords())

    /// - Parameter mark: the time of an earlier copy; nil if all records must be in the cloud store.
    init(_ lockstep: EntityComparison, since mark: CopyMark?) {
        (self.lockstep, self.mark) = (lockstep, mark)
        found = CopyProof.Finding(entity: lockstep.local.entity.name)
    }

    /// Number of records that only the cloud has.
    var onlyCloud: Int64 {
        get { found.onlyCloud }
        set { found.onlyCloud = newValue }
    }

    var finding: CopyProof.Finding {
        var finding = found
        (finding.failed, finding.tied) = (failed.named, tied.named)
        finding.sinceCopy.laterRecords = later.named
        finding.sinceCopy.deletedRecords = deleted.named
        finding.sinceCopy.unclearRecords = unclear.named
        return finding
    }

    /// Adds the comparison of one local record, and reports progress for each 4096th.
    mutating func add(
        _ meeting: EntityComparison.RecordMatch, _ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor,
        telling seen: ComparedCount, isTold: Bool
    ) throws(GodwitError) {
        found.local += 1
        if found.local & 4095 == 0 { try seen.add(4096, isTold: isTold) }
        switch meeting {
        case .onlyLocal:
            found.missing += 1
            failed.note(mine.value(lockstep.local.keyIndex), .missing)
            if let mark { addMissing(mine, since: mark) }
        case .both(.keepEqual): found.equal += 1
        case .both(.keepCloud):
            found.cloudKept += 1
            if let mark { addKept(mine, theirs, since: mark) }
            switch lockstep.dates(mine, theirs) {
            case .none:
                found.undated += 1
                tied.note(mine.value(lockstep.local.keyIndex), .undated)
            case .same:
                found.sameDate += 1
                tied.note(mine.value(lockstep.local.keyIndex), .sameDate)
            case .different: break
            }
        case .both:
            found.different += 1
            failed.note(mine.value(lockstep.local.keyIndex), .different)
            if let mark { addDifferent(mine, theirs, since: mark) }
        }
    }

    /// Adds a local record that the cloud store lacks, by its date.
    private mutating func addMissing(_ mine: borrowing SQLiteCursor, since mark: CopyMark) {
        let key = mine.value(lockstep.local.keyIndex)
        switch mark.reading(of: lockstep.date(mine, lockstep.local.modifiedIndex)) {
        case .covered:
            found.sinceCopy.deleted += 1
            deleted.note(key, .deleted)
        case .unclear:
            found.sinceCopy.unclear += 1
            unclear.note(key, .missing)
        case .later: later.note(key, .missing)
        }
    }

    /// Adds a cloud record that wins by the rule, by its date.
    private mutating func addKept(
        _ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor, since mark: CopyMark
    ) {
        guard let date = lockstep.date(theirs, lockstep.cloud.modifiedIndex) else { return }
        if let local = lockstep.date(mine, lockstep.local.modifiedIndex), local >= date { return }
        found.sinceCopy.newer += 1
        if date > mark.since { found.sinceCopy.newerThanCopy += 1 }
    }

    /// Adds a local record that should have won, by the dates: if the cloud's record was edited since, it wins.
    private mutating func addDifferent(
        _ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor, since mark: CopyMark
    ) {
        let (key, date) = (
            mine.value(lockstep.local.keyIndex), lockstep.date(mine, lockstep.local.modifiedIndex)
        )
        switch (date, lockstep.date(theirs, lockstep.cloud.modifiedIndex)) {
        case (nil, nil):
            found.sinceCopy.undated += 1
            tied.note(key, .undated)
        case (let date, let other?) where mark.reading(of: date) != .later && date.map { $0 < other } ?? true:
            found.sinceCopy.edited += 1
        default: later.note(key, .different)
        }
    }

    /// Reports the records after the last 4096th.
    func tellRest(to seen: ComparedCount) throws(GodwitError) { try seen.add(found.local & 4095, isTold: false) }

    /// Adds the counts of other records.
    mutating func add(_ other: FindingTally) {
        found.local += other.found.local
        found.equal += other.found.equal
        found.cloudKept += other.found.cloudKept
        found.sameDate += other.found.sameDate
        found.undated += other.found.undated
        found.missing += other.found.missing
        found.different += other.found.different
        found.sinceCopy.add(other.found.sinceCopy)
        failed.note(other.failed)
        tied.note(other.tied)
        later.note(other.later)
        deleted.note(other.deleted)
        unclear.note(other.unclear)
    }
}
