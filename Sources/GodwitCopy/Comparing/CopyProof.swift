package import GodwitModel
package import GodwitSQLite

/// Proves exactly that every local record is in the cloud store: record by record in key order, every column.
///
/// A local record is present if the cloud's record of its key is equal, or if it differs and wins by the rule. If both
/// tables have the same rows in the same order, they are read in that order (`RowOrder`).
package struct CopyProof: Sendable {
    private let manifest: Manifest
    private let context: RunContext
    private let threads: RowThreads
    private let mark: CopyMark?

    /// - Parameter mark: the time of an earlier copy, to distinguish records that were written before and after it; nil
    ///   if every local record must be in the cloud store.
    package init(manifest: Manifest, context: RunContext, threads: RowThreads = .init(), since mark: CopyMark? = nil) {
        (self.manifest, self.context, self.threads, self.mark) = (manifest, context, threads, mark)
    }

    /// The counts for one entity.
    package struct Finding: Sendable, Equatable {
        package let entity: String
        /// Number of local records.
        package var local: Int64 = 0
        /// In the cloud, equal in every column.
        package var equal: Int64 = 0
        /// In the cloud, where the cloud's record wins by the rule.
        package var cloudKept: Int64 = 0
        /// Of these, those with the local record's date, so the dates do not show which is right.
        package var sameDate: Int64 = 0
        /// Of these, those where neither record has a date.
        package var undated: Int64 = 0
        package var missing: Int64 = 0
        /// In the cloud, where the local record should have won.
        package var different: Int64 = 0
        package var onlyCloud: Int64 = 0
        /// Counts of missing and different records, by the time of an earlier copy.
        package var sinceCopy = SinceCopy()
        /// The first records that are missing or different.
        package var failed: [RunReport.Verify.Record] = []
        /// The first records with equal dates or without dates.
        package var tied: [RunReport.Verify.Record] = []

        package var holds: Bool { missing == 0 && different == 0 }

        package init(entity: String) { self.entity = entity }
    }

    /// Compares all entities of the local store; for stores without further readers.
    package func compare(
        _ local: SQLiteConnection, with cloud: SQLiteConnection
    ) throws(GodwitError) -> [Finding] {
        try compare(ComparedStore(local), with: ComparedStore(cloud))
    }

    /// Compares all entities of the local store.
    package func compare(
        _ localStore: ComparedStore, with cloudStore: ComparedStore
    ) throws(GodwitError) -> [Finding] {
        let (local, cloud) = (localStore.connection, cloudStore.connection)
        let localShape = try local.readShape()
        let cloudShape = try cloud.readShape()
        var findings: [Finding] = []
        let entities = manifest.entitiesParentsFirst.filter { localShape.table(named: $0.name) != nil }
        var total: Int64 = 0
        // Only for progress; errors in a table are thrown below.
        for entity in entities { total += (try? local.estimateRecords(of: entity.name)) ?? 0 }
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
        if let count {
            var finding = Finding(entity: lockstep.local.entity.name)
            (finding.local, finding.equal) = (count, count)
            return finding
        }
        seen.goBack(to: before)
        return try tally(lockstep, local, cloud, seen).finding
    }

    /// Compares each local record with the cloud's record of its key, with several threads for large stores.
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

    /// Throws unless every finding holds and matches the counts of the copy, entity by entity.
    package func require(_ findings: [Finding], matching copied: [RunReport.Copy.Entity]) throws(GodwitError) {
        for index in 0..<max(findings.count, copied.count) {
            let finding = index < findings.count ? findings[index] : nil
            let entity = index < copied.count ? copied[index] : nil
            if let finding, let entity, finding.holds, finding.matches(entity) { continue }
            let place = finding?.failed.first.map { ", first at '\($0.key)'" } ?? ""
            throw GodwitError(
                .copy, .data,
                "the copy of `\(entity?.name ?? finding?.entity ?? "")` does not match its source\(place); "
                    + "nothing was committed and no flag was set",
                hint:
                    "Check the triggers and ON CONFLICT clauses of the cloud store, and the volume."
            )
        }
    }
}

extension CopyProof.Finding {
    /// Whether the finding matches the counts of the copy.
    fileprivate func matches(_ copied: RunReport.Copy.Entity) -> Bool {
        let untouched = copied.cloudBefore - copied.updated - copied.equal - copied.cloudKept
        return entity == copied.name && local + copied.duplicates == copied.local
            && equal == copied.inserted + copied.updated + copied.equal && cloudKept == copied.cloudKept
            && onlyCloud == untouched && equal + cloudKept + onlyCloud == copied.cloudAfter
    }
}
