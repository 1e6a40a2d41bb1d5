internal import GodwitModel
internal import GodwitSQLite

/// A store that is being verified: open, with its integrity check on another thread.
final class StoreProof {
    let role: StoreRole
    let snapshot: StoreSnapshot
    let check: IntegrityCheck

    init(_ role: StoreRole, in stores: StoreOpener, _ depth: IntegrityDepth) throws(GodwitError) {
        // A Core Data store is converted only if it is sound.
        let isConverted = role == .local && stores.scope.isCoreData
        let opened = try stores.snapshot(role, .verify, checkingIntegrity: isConverted)
        self.role = role
        check = IntegrityCheck(of: opened, depth, context: stores.scope.context, isAsked: !isConverted)
        snapshot = opened
    }

    /// The file of a store of either layout, before its content is used.
    init(surveying role: StoreRole, in scope: RunScope) throws(GodwitError) {
        let opened = try scope.original(role, .container)
        self.role = role
        check = IntegrityCheck(of: opened, context: scope.context)
        snapshot = opened
    }

    // The snapshot must outlive its check.
    deinit { check.wait() }

    /// Throws (65) if the store is not sound.
    func requireIntegrity() throws(GodwitError) { try check.require() }

    /// Waits for the check: whether it found the store sound.
    func isSound() -> Bool { check.isSound() }
}
