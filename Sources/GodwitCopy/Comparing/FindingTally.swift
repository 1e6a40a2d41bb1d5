internal import GodwitModel
internal import GodwitStore

/// What is found of the records of one entity, or of a range of them.
struct FindingTally: Sendable {
    private let lockstep: Lockstep
    private var found: CopyProof.Finding
    private var (failed, tied) = (FirstRecords(), FirstRecords())

    init(_ lockstep: Lockstep) {
        self.lockstep = lockstep
        found = CopyProof.Finding(entity: lockstep.local.entity.name)
    }

    /// How many records the cloud has alone.
    var onlyCloud: Int64 {
        get { found.onlyCloud }
        set { found.onlyCloud = newValue }
    }

    var finding: CopyProof.Finding {
        var finding = found
        (finding.failed, finding.tied) = (failed.named, tied.named)
        return finding
    }

    /// Adds what became of one local record, and tells of each 4096th.
    mutating func add(
        _ meeting: Lockstep.Meeting, _ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor,
        telling seen: ComparedCount, isTold: Bool
    ) throws(GodwitError) {
        found.local += 1
        if found.local & 4095 == 0 { try seen.add(4096, isTold: isTold) }
        switch meeting {
        case .onlyLocal:
            found.missing += 1
            failed.note(mine.value(lockstep.local.keyIndex), .missing)
        case .both(.keepEqual): found.equal += 1
        case .both(.keepCloud):
            found.cloudKept += 1
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
        }
    }

    /// Tells of the records behind the last 4096th.
    func tellRest(to seen: ComparedCount) throws(GodwitError) { try seen.add(found.local & 4095, isTold: false) }

    /// Adds what was found of other records.
    mutating func add(_ other: FindingTally) {
        found.local += other.found.local
        found.equal += other.found.equal
        found.cloudKept += other.found.cloudKept
        found.sameDate += other.found.sameDate
        found.undated += other.found.undated
        found.missing += other.found.missing
        found.different += other.found.different
        failed.note(other.failed)
        tied.note(other.tied)
    }
}
