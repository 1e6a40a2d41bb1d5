internal import GodwitModel

/// Reads a document's freshness leniently: ignores unknown words of later versions, and values of a wrong type.
extension Freshness {
    /// Nil unless the member is an object with a known status.
    init?(_ node: LegacyValue) {
        guard let status = node["status"]?.text.flatMap(Freshness.Status.init) else { return nil }
        func date(_ name: String) -> Instant? { node[name]?.text.flatMap { Instant(iso8601: $0) } }
        let reasons = (node["reasons"]?.elements ?? []).compactMap { reason -> Freshness.Reason? in
            guard let code = reason["code"]?.text.flatMap(Freshness.Code.init) else { return nil }
            return Freshness.Reason(code, reason["message"]?.text ?? code.rawValue)
        }
        let (criteria, sync) = (node["criteria"], node["sync"])
        self.init(
            status: status, mayBeStale: !reasons.isEmpty || status != .pass, reasons: reasons,
            newestRecordAt: date("newestRecordAt"), lastLocalSaveAt: date("lastLocalSaveAt"),
            lastSyncAt: date("lastSyncAt"), ageSeconds: node["ageSeconds"]?.wholeNumber,
            criteria: Freshness.Criteria(
                warnAfter: criteria?["warnAfter"]?.text, errorAfter: criteria?["errorAfter"]?.text),
            sync: Freshness.Sync(
                availability: sync?["availability"]?.text.flatMap(Freshness.Account.init) ?? .unknown,
                network: sync?["network"]?.text.flatMap(Freshness.Network.init) ?? .unknown,
                status: sync?["status"]?.text.flatMap(Freshness.Sync.Status.init) ?? .unknown,
                lastError: sync?["lastError"]?.text),
            pendingChanges: node["pendingChanges"]?.wholeNumber)
    }
}
