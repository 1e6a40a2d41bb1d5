package import GodwitModel
package import GodwitSQLite

/// Exact proof that every local record is in the cloud store: record by record in key order, every column.
///
/// Not a sample and not a hash of hashes. A local record counts as there when the cloud's record of its key equals it,
/// or when the rule says that the cloud's, which differs, wins. Where both tables hold the same rows one by one, they are
/// read in that order instead (`RowOrder`).
package struct CopyProof: Sendable {
    private let manifest: Manifest
    private let context: RunContext
    private let threads: RowThreads
    private let mark: CopyMark?

    /// - Parameter mark: the time of an earlier copy, where records that were written before it are told from later ones;
    ///   nil where every local record has to be in the cloud store.
    package init(manifest: Manifest, context: RunContext, threads: RowThreads = .init(), since mark: CopyMark? = nil) {
        self.manifest = manifest
        self.context = context
        self.threads = threads
        self.mark = mark
    }

    /// What was found for one entity.
    package struct Finding: Sendable, Equatable {
        package let entity: String
        /// Local records looked at.
        package var local: Int64 = 0
        /// In the cloud, equal in every column.
        package var equal: Int64 = 0
        /// In the cloud, where the cloud's wins by the rule.
        package var cloudKept: Int64 = 0
        /// Of these, the ones whose date is that of the local record: the dates can't tell which is right.
        package var sameDate: Int64 = 0
        /// Of these, the ones where neither record has a date.
        package var undated: Int64 = 0
        /// Not in the cloud.
        package var missing: Int64 = 0
        /// In the cloud, where the local one should have won.
        package var different: Int64 = 0
        /// Only in the cloud.
        package var onlyCloud: Int64 = 0
        /// What is known of those that are missing or differ by the time of an earlier copy.
        package var sinceCopy = SinceCopy()
        /// The first records that are missing or different.
        package var failed: [CheckedRecord] = []
        /// The first of those with the same date, or without one.
        package var tied: [CheckedRecord] = []

        /// Whether every local record is in the cloud.
        package var holds: Bool { missing == 0 && different == 0 }

        package init(entity: String) { self.entity = entity }
    }

    /// Compares all entities that the local store has, for stores that nobody else reads.
    package func compare(
        _ local: SQLiteConnection, with cloud: SQLiteConnection
    ) throws(GodwitError) -> [Finding] {
        try compare(ComparedStore(local), with: ComparedStore(cloud))
    }

    /// Compares all entities that the local store has.
    ///
    /// What the checks of the stores wait for is kept or taken back as soon as that is known.
    package func compare(
        _ localStore: ComparedStore, with cloudStore: ComparedStore
    ) throws(GodwitError) -> [Finding] {
        defer {
            localStore.sums?.withdraw()
            cloudStore.sums?.withdraw()
        }
        let (local, cloud) = (localStore.connection, cloudStore.connection)
        let localShape = try local.readShape()
        let cloudShape = try cloud.readShape()
        var findings: [Finding] = []
        let entities = manifest.entitiesParentsFirst.filter { localShape.table(named: $0.name) != nil }
        var total: Int64 = 0
        // For whoever watches alone; what is wrong with a table is told below.
        for entity in entities { total += (try? local.countRecords(of: entity.name)) ?? 0 }
        let seen = ComparedCount(context, total: total)
        for entity in entities {
            guard cloudShape.table(named: entity.name) != nil else {
                var finding = Finding(entity: entity.name)
                finding.local = try local.countRecords(of: entity.name)
                finding.missing = finding.local
                findings.append(finding)
                try seen.add(finding.local)
                continue
            }
            let lockstep = try EntityComparison(
                local: local.table(for: entity, in: localShape), cloud: cloud.table(for: entity, in: cloudShape),
                store: cloud.name)
            findings.append(try compare(lockstep, localStore, cloudStore, seen))
        }
        return findings
    }

    private func compare(
        _ lockstep: EntityComparison, _ local: ComparedStore, _ cloud: ComparedStore, _ seen: ComparedCount
    ) throws(GodwitError) -> Finding {
        let before = seen.value
        let count = try RowOrder(lockstep: lockstep, seen: seen, threads: threads).countEqual(local, cloud)
        local.sums?.withdraw(lockstep.local.shape.name)
        cloud.sums?.withdraw(lockstep.cloud.shape.name)
        if let count {
            var finding = Finding(entity: lockstep.local.entity.name)
            (finding.local, finding.equal) = (count, count)
            return finding
        }
        seen.goBack(to: before)
        return try tally(lockstep, local, cloud, seen).finding
    }

    /// Looks at each local record and the cloud's of its key, of large stores by several threads.
    private func tally(
        _ lockstep: EntityComparison, _ local: ComparedStore, _ cloud: ComparedStore, _ seen: ComparedCount
    ) throws(GodwitError) -> FindingTally {
        guard let meetings = try lockstep.meetings(local.connection, cloud.connection, context) else {
            var tally = FindingTally(lockstep, since: mark)
            tally.onlyCloud = try lockstep.walkByKey(local.connection, cloud.connection) {
                meeting, mine, theirs throws(GodwitError) in
                try tally.add(meeting, mine, theirs, telling: seen, isTold: true)
            }
            try tally.tellRest(to: seen)
            return tally
        }
        let ranges = try threads.ranges(local, cloud) { () throws(GodwitError) in meetings.pairs.bounds }
        let parts = try threads.perform(ranges, local, cloud) {
            [mark] range, readers throws(GodwitError) -> FindingTally? in
            var tally = FindingTally(lockstep, since: mark)
            try lockstep.walk(meetings.pairs, range, readers.local, readers.cloud) {
                meeting, mine, theirs throws(GodwitError) in
                try tally.add(meeting, mine, theirs, telling: seen, isTold: readers.isCalling)
            }
            try tally.tellRest(to: seen)
            return tally
        }
        var whole = FindingTally(lockstep, since: mark)
        for case let part? in parts { whole.add(part) }
        whole.onlyCloud = meetings.onlyCloud
        return whole
    }

    /// Throws unless every finding holds and adds up to what the copy says it did, entity by entity.
    package func require(_ findings: [Finding], matching copied: [CopiedEntity]) throws(GodwitError) {
        for index in 0..<max(findings.count, copied.count) {
            let finding = index < findings.count ? findings[index] : nil
            let entity = index < copied.count ? copied[index] : nil
            if let finding, let entity, finding.holds, finding.matches(entity) { continue }
            let place = finding?.failed.first.map { ", first at '\($0.key)'" } ?? ""
            throw GodwitError(
                .copy, .data,
                "The copy of \(entity?.name ?? finding?.entity ?? "") does not match its source\(place).",
                hint:
                    "Nothing was committed and no flag was set. A trigger or an ON CONFLICT clause may alter what is written; else check the volume."
            )
        }
    }
}

extension CopyProof.Finding {
    /// Whether what was found adds up to what the copy counted on its way.
    fileprivate func matches(_ copied: CopiedEntity) -> Bool {
        let untouched = copied.cloudBefore - copied.updated - copied.equal - copied.cloudKept
        return entity == copied.name && local + copied.duplicates == copied.local
            && equal == copied.inserted + copied.updated + copied.equal && cloudKept == copied.cloudKept
            && onlyCloud == untouched && equal + cloudKept + onlyCloud == copied.cloudAfter
    }
}
