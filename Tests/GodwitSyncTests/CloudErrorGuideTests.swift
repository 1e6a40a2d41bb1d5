import GodwitSync
import Testing

struct CloudErrorGuideTests {
    private static func advice(_ code: Int, domain: String = "CKErrorDomain") -> CloudErrorAdvice {
        CloudErrorGuide.advice(on: SyncError(domain: domain, code: code))
    }

    /// Code, name, category, retryability and whether signing in helps, as Apple documents each code.
    static let codes: [(Int, String, CloudErrorCategory, Retryability, Bool)] = [
        (1, "internalError", .internal, .never, false),
        (2, "partialFailure", .batch, .automatic, false),
        (3, "networkUnavailable", .network, .automatic, false),
        (4, "networkFailure", .network, .automatic, false),
        (5, "badContainer", .configuration, .never, false),
        (6, "serviceUnavailable", .service, .automatic, false),
        (7, "requestRateLimited", .service, .automatic, false),
        (8, "missingEntitlement", .configuration, .never, false),
        (9, "notAuthenticated", .account, .afterNextStep, true),
        (10, "permissionFailure", .permission, .never, false),
        (11, "unknownItem", .missing, .never, false),
        (12, "invalidArguments", .configuration, .never, false),
        (13, "resultsTruncated", .batch, .automatic, false),
        (14, "serverRecordChanged", .conflict, .automatic, false),
        (15, "serverRejectedRequest", .service, .never, false),
        (16, "assetFileNotFound", .asset, .never, false),
        (17, "assetFileModified", .asset, .automatic, false),
        (18, "incompatibleVersion", .appVersion, .afterNextStep, false),
        (19, "constraintViolation", .conflict, .never, false),
        (20, "operationCancelled", .cancelled, .automatic, false),
        (21, "changeTokenExpired", .service, .automatic, false),
        (22, "batchRequestFailed", .batch, .automatic, false),
        (23, "zoneBusy", .service, .automatic, false),
        (24, "badDatabase", .configuration, .never, false),
        (25, "quotaExceeded", .quota, .afterNextStep, false),
        (26, "zoneNotFound", .missing, .automatic, false),
        (27, "limitExceeded", .batch, .automatic, false),
        (28, "userDeletedZone", .missing, .afterNextStep, false),
        (29, "tooManyParticipants", .sharing, .afterNextStep, false),
        (30, "alreadyShared", .sharing, .never, false),
        (31, "referenceViolation", .conflict, .automatic, false),
        (32, "managedAccountRestricted", .account, .never, false),
        (33, "participantMayNeedVerification", .sharing, .afterNextStep, false),
        (34, "serverResponseLost", .network, .automatic, false),
        (35, "assetNotAvailable", .asset, .afterNextStep, false),
        (36, "accountTemporarilyUnavailable", .account, .afterNextStep, true),
        (37, "participantAlreadyInvited", .sharing, .afterNextStep, false),
    ]

    @Test("each CloudKit code has its entry", arguments: codes)
    func entry(code: Int, name: String, category: CloudErrorCategory, retry: Retryability, signIn: Bool) {
        let advice = Self.advice(code)
        #expect(advice.name == name)
        #expect(advice.category == category)
        #expect(advice.retry == retry)
        #expect(advice.canRetry == (retry != .never))
        #expect(advice.needsSignIn == signIn)
    }

    @Test("the guide covers the codes 1 to 37, each with its own message in both languages")
    func complete() {
        #expect(Self.codes.map(\.0) == Array(1...37))
        let entries = (1...37).map { Self.advice($0) }
        #expect(Set(entries.map(\.name)).count == 37)
        for language in MessageLanguage.allCases {
            #expect(Set(entries.map { $0.message.text(in: language) }).count == 37)
        }
    }

    @Test("every text of the guide is one sentence in its own language")
    func sentences() {
        let texts = (0...38).flatMap { [Self.advice($0).message, Self.advice($0).nextStep] }
        for text in texts + CloudErrorStep.allCases.map(\.text) {
            #expect(text.en.hasSuffix(".") && text.en.allSatisfy(\.isASCII), "\(text.en)")
            #expect(text.ja.hasSuffix("。") && !text.ja.contains(" "), "\(text.ja)")
            #expect(text.ja.unicodeScalars.contains { (0x3040...0x30FF).contains($0.value) }, "\(text.ja)")
        }
    }

    @Test("no two steps have the same text")
    func steps() {
        #expect(Set(CloudErrorStep.allCases.map(\.text)).count == CloudErrorStep.allCases.count)
    }

    @Test(
        "an error that is retried automatically asks the user to wait, and an error for the developer never asks for a retry"
    )
    func consistent() {
        for code in 1...37 {
            let advice = Self.advice(code)
            switch advice.step {
            case .wait, .checkNetwork, .waitThenTellDeveloper: #expect(advice.retry == .automatic, "\(code)")
            case .tellDeveloper, .askAdministrator, .askOwner, .openExistingShare:
                #expect(advice.retry == .never, "\(code)")
            default: #expect(advice.retry == .afterNextStep, "\(code)")
            }
        }
    }

    @Test(
        "unknown codes and domains have a useful entry",
        arguments: [
            SyncError(domain: "CKErrorDomain", code: 0), SyncError(domain: "CKErrorDomain", code: 38),
            SyncError(domain: "CKErrorDomain", code: -1), SyncError(domain: "CKErrorDomain", code: .max),
            SyncError(domain: "ckerrordomain", code: 9), SyncError(domain: "", code: 9),
            SyncError(domain: "NSCocoaErrorDomain", code: 4), .unspecified,
        ])
    func unknown(error: SyncError) {
        let advice = CloudErrorGuide.advice(on: error)
        #expect(advice.category == .unknown)
        #expect(advice.canRetry)
        #expect(!advice.needsSignIn)
        #expect(advice.step == .waitThenTellDeveloper)
    }

    @Test("errors of the network and of Core Data's mirroring are known")
    func otherDomains() {
        for code in [-1001, -1009, -1200] {
            #expect(Self.advice(code, domain: "NSURLErrorDomain").category == .network)
        }
        #expect(Self.advice(-999, domain: "NSURLErrorDomain").category == .cancelled)
        let mirroring = Self.advice(134_400, domain: "NSCocoaErrorDomain")
        #expect(mirroring.category == .account)
        #expect(mirroring.needsSignIn && mirroring.canRetry)
    }

    @Test(
        "a locale selects the language, and English unless it is Japanese",
        arguments: [
            ("ja", MessageLanguage.ja), ("ja-JP", .ja), ("ja_JP.UTF-8", .ja), ("JA", .ja), ("ja.eucJP", .ja),
            ("en", .en), ("en_GB", .en), ("C", .en), ("", .en), ("jav", .en), ("fr-JA", .en),
        ])
    func language(locale: String, expected: MessageLanguage) {
        #expect(MessageLanguage(locale: locale) == expected)
        let text = LocalizedText(en: "yes", ja: "はい")
        #expect(text.text(in: expected) == (expected == .ja ? text.ja : text.en))
    }
}
