package import GodwitModel

/// One of the three things a cloud sync does, in the order in which it does them.
///
/// Source: Apple, `NSPersistentCloudKitContainer.EventType`.
package enum SyncPhase: String, Sendable, CaseIterable, Decodable {
    /// Preparing the store and the cloud's zone; once for each launch.
    case setup
    /// Receiving what other devices changed.
    case `import`
    /// Sending what this device changed.
    case export
}

/// One recorded step of a sync, as an app writes it when the step begins and again when it ends.
package struct SyncEvent: Sendable, Hashable {
    /// The store it speaks of, by an identifier of the app's; nil where the app names none.
    ///
    /// Source: Apple, `NSPersistentCloudKitContainer.Event.storeIdentifier`.
    package var store: String?
    /// What was being done.
    package var phase: SyncPhase
    /// When it began; also tells two events of one phase apart.
    package var startedAt: Instant
    /// When it ended; nil while it is in progress.
    package var endedAt: Instant?
    /// Whether it succeeded; without meaning while it is in progress.
    package var succeeded: Bool
    /// What went wrong; nil where nothing did, or where the app recorded nothing.
    package var error: SyncError?

    /// An event.
    package init(
        _ phase: SyncPhase, startedAt: Instant, endedAt: Instant? = nil, succeeded: Bool = false,
        error: SyncError? = nil, store: String? = nil
    ) {
        self.store = store
        self.phase = phase
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.succeeded = succeeded
        self.error = error
    }
}

/// What one line of an events file stands for.
package enum SyncRecord: Sendable, Hashable {
    /// A step of the sync.
    case event(SyncEvent)
    /// Something around it.
    case sighting(SyncObservation)
}

/// An error of a sync: the domain and code of an `NSError`, and nothing of its user info, which may hold users' data.
package struct SyncError: Sendable, Hashable {
    /// The domain: `CKErrorDomain`, `NSCocoaErrorDomain` and so on.
    package var domain: String
    /// The code, unique inside its domain.
    package var code: Int

    /// The most characters of a domain that are ever shown.
    private static let shownDomain = 80

    /// An error.
    package init(domain: String, code: Int) {
        self.domain = domain
        self.code = code
    }

    /// Stands for a failure that was recorded without an error.
    package static let unspecified = SyncError(domain: "unspecified", code: 0)
}

extension SyncError: CustomStringConvertible {
    /// `CKErrorDomain 9`: safe to print, as what can't be part of a domain's name is left out.
    package var description: String {
        let shown = domain.unicodeScalars.prefix(Self.shownDomain).filter {
            $0.isASCII && $0.value > 0x20 && $0 != "\u{7F}"
        }
        return "\(String(String.UnicodeScalarView(shown))) \(code)"
    }
}
