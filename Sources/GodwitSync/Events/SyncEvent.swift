package import GodwitModel

/// One of the three phases of a cloud sync, in their order.
///
/// Source: Apple, `NSPersistentCloudKitContainer.EventType`.
package enum SyncPhase: String, Sendable, CaseIterable, Decodable {
    /// Preparing the store and the cloud's zone; once for each launch.
    case setup
    /// Receiving the changes of other devices.
    case `import`
    /// Sending the changes of this device.
    case export
}

/// One recorded step of a sync; an app writes it when the step begins and again when it ends.
package struct SyncEvent: Sendable, Hashable {
    /// The app's identifier for the store; nil if the app names none.
    ///
    /// Source: Apple, `NSPersistentCloudKitContainer.Event.storeIdentifier`.
    package var store: String?
    package var phase: SyncPhase
    /// When it began; also distinguishes two events of one phase.
    package var startedAt: Instant
    /// When it ended; nil while it is in progress.
    package var endedAt: Instant?
    /// Whether it succeeded; without a meaning while it is in progress.
    package var succeeded: Bool
    /// The error; nil if it did not fail or the app recorded none.
    package var error: SyncError?

    package init(
        _ phase: SyncPhase, startedAt: Instant, endedAt: Instant? = nil, succeeded: Bool = false,
        error: SyncError? = nil, store: String? = nil
    ) {
        (self.store, self.phase, self.startedAt, self.endedAt) = (store, phase, startedAt, endedAt)
        (self.succeeded, self.error) = (succeeded, error)
    }
}

/// The content of one line in an events file.
package enum SyncRecord: Sendable, Hashable {
    case event(SyncEvent)
    /// An observation of the network, the account or a launch.
    case observation(SyncObservation)
}

/// A sync error: the domain and code of an `NSError`, without its user info, which may have users' data.
package struct SyncError: Sendable, Hashable {
    /// The domain: `CKErrorDomain`, `NSCocoaErrorDomain` and so on.
    package var domain: String
    /// The code, unique inside its domain.
    package var code: Int

    /// Number of characters of a domain that are shown.
    private static let shownDomain = 80

    package init(domain: String, code: Int) {
        (self.domain, self.code) = (domain, code)
    }

    /// A failure that was recorded without an error.
    package static let unspecified = SyncError(domain: "unspecified", code: 0)
}

extension SyncError: CustomStringConvertible {
    /// `CKErrorDomain 9`: safe to print, because characters that a domain cannot have are omitted.
    package var description: String {
        let shown = domain.unicodeScalars.prefix(Self.shownDomain).filter {
            $0.isASCII && $0.value > 0x20 && $0 != "\u{7F}"
        }
        return "\(String(String.UnicodeScalarView(shown))) \(code)"
    }
}
