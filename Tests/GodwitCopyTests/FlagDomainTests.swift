import GodwitCopy
import GodwitFiles
import GodwitModel
import GodwitPropertyList
import GodwitTestSupport
import Testing

/// The completion flag in a domain of the preferences system.
struct FlagDomainTests {
    private let folder: TemporaryFolder
    private let daemon: PreferencesDaemon

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(PropertyListEditor.newPropertyList(with: "muted", setTo: true), to: "domain.plist")
        daemon = PreferencesDaemon("com.example.trainlog", file: folder["domain.plist"])
    }

    private func flag() -> CompletionFlag {
        CompletionFlag(
            in: FlagDomain(daemon.process(), path: folder["domain.plist"]), name: "Library/domain.plist", key: "copied")
    }

    @Test("it is set through the system: its file is neither written nor replaced")
    func sets() throws {
        let before = try folder.fingerprint()
        #expect(try flag().state() == RunReport.Flag(file: "Library/domain.plist", key: "copied", isSet: false))
        try flag().set(context: .sample())
        #expect(try flag().isSet())
        #expect(try folder.fingerprint() == before)
        try daemon.writeFile()
        let document = try LegacyDocument(folder.bytes(of: "domain.plist"))
        #expect(document.root.map(\.key).sorted() == ["copied", "muted"])
        try flag().set(to: false, context: .sample())
        #expect(try !flag().isSet())
    }

    @Test(
        "a flag that is written into the file is lost when the daemon writes: why the app's flag goes through the system"
    )
    func behindTheDaemon() throws {
        let file = FlagFile(folder["domain.plist"], name: "domain.plist")
        try CompletionFlag(in: file, name: "domain.plist", key: "copied").set(context: .sample())
        #expect(try !flag().isSet())
        try daemon.writeFile()
        #expect(try file.readFlag("copied") == nil)
    }

    @Test("a refusal at the last moment and a fault before leave it unset; a fault after leaves it set")
    func faults() throws {
        let refusal = failure {
            try flag().set(context: .sample()) { () throws(GodwitError) in throw GodwitError(.copy, .busy, "moved") }
        }
        #expect(refusal?.code == .busy)
        #expect(try !flag().isSet())
        for point in [FaultPoint.beforeFlag, .afterFlag] {
            let fault = Fault(at: point)
            let context = RunContext.sample(faultPoint: { reached throws(GodwitError) in try fault.meet(reached) })
            #expect(failure { try flag().set(context: context) }?.code == .io)
            #expect(try flag().isSet() == (point == .afterFlag))
        }
    }

    @Test("a key that holds a number is an error that names the domain's file")
    func number() throws {
        try folder.write(#"{"copied":1}"#, to: "domain.plist")
        daemon.powerCut()
        let error = failure { try flag().isSet() }
        #expect(error?.code == .data)
        #expect(error?.message.hasPrefix("Library/domain.plist: ") == true)
    }
}
