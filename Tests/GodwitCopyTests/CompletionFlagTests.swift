import GodwitFiles
import GodwitModel
import GodwitCopy
import GodwitPropertyList
import GodwitTestSupport
import Synchronization
import Testing

/// The completion flag in a preferences file.
struct CompletionFlagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func flag(_ name: String = "prefs.txt") -> CompletionFlag {
        CompletionFlag(in: FlagFile(folder[name], name: "Library/\(name)"), name: "Library/\(name)", key: "copied")
    }

    @Test(
        "the completion flag is true only if the file says so",
        arguments: [
            (#"{"copied":true}"#, true), (#"{"copied":false}"#, false), (#"{"other":true}"#, false), ("{}", false),
        ])
    func reads(text: String, expected: Bool) throws {
        try folder.write(text, to: "prefs.txt")
        #expect(try flag().isSet() == expected)
        #expect(try flag().state() == RunReport.Flag(file: "Library/prefs.txt", key: "copied", isSet: expected))
        #expect(try folder.text(of: "prefs.txt") == text)
    }

    @Test("without a file the flag is false, and reading it makes no file")
    func missing() throws {
        #expect(try !flag("none/prefs.txt").isSet())
        #expect(folder.names().isEmpty)
    }

    @Test(
        "setting the flag keeps every other key and the mode, and leaves no other file",
        arguments: [UInt32(0o600), 0o644, 0o640])
    func sets(mode: UInt32) throws {
        try folder.write(#"{"units":"kg","copied":false,"theme":"dark"}"#, to: "prefs.txt")
        try folder.setMode(mode, of: "prefs.txt")
        try flag().set(context: .sample())
        #expect(try folder.text(of: "prefs.txt") == #"{"units":"kg","copied":true,"theme":"dark"}"#)
        #expect(try FileStatus.of(folder["prefs.txt"])?.mode == mode | 0o100_000)
        #expect(folder.names() == ["prefs.txt"])
        #expect(try flag().isSet())
    }

    #if os(Linux)
        @Test(
            "setting the flag keeps extended attributes and the access control list"
        )
        func keepsAttributes() throws {
            try folder.write(#"{"units":"kg"}"#, to: "prefs.txt")
            try folder.setMode(0o600, of: "prefs.txt")
            let path = folder["prefs.txt"]
            let wanted = [
                "user.empty": [], "user.origin": Array("phone".utf8),
                ExtendedAttributes.accessList: ExtendedAttributes.ofAnotherUser,
            ]
            for (name, value) in wanted where !ExtendedAttributes.set(name, to: value, of: path) {
                return print("skipped: the temporary folder is on a file system without \(name)")
            }
            #expect(try FileStatus.of(path)?.mode == 0o100_660)
            try flag().set(context: .sample())
            #expect(try flag().isSet())
            #expect(try FileStatus.of(path)?.mode == 0o100_660)
            for (name, value) in wanted { #expect(ExtendedAttributes.value(name, of: path) == value, "\(name)") }
        }
    #endif

    @Test("the flag is set by a rename, so that an open file keeps its content")
    func atomic() throws {
        try folder.write(#"{"units":"kg"}"#, to: "prefs.txt")
        try folder.makeHardLink("old.txt", to: "prefs.txt")
        let before = try FileStatus.of(folder["prefs.txt"])
        try flag().set(context: .sample())
        #expect(try folder.text(of: "old.txt") == #"{"units":"kg"}"#)
        #expect(try FileStatus.of(folder["prefs.txt"])?.inode != before?.inode)
    }

    @Test("a missing file is created privately, with the folders of its path")
    func creates() throws {
        try flag("Library/Preferences/prefs.txt").set(context: .sample())
        #expect(
            try folder.bytes(of: "Library/Preferences/prefs.txt")
                == PropertyListEditor.newPropertyList(with: "copied", setTo: true))
        #expect(try FileStatus.of(folder["Library/Preferences/prefs.txt"])?.mode == 0o100_600)
        #expect(try FileStatus.of(folder["Library"])?.mode == 0o040_700)
        #expect(folder.names(in: "Library/Preferences") == ["prefs.txt"])
    }

    /// Writes after the file was read and before it is replaced, as an app that saves its preferences does.
    private func interfering(_ body: @escaping @Sendable (TemporaryFolder) throws -> Void) -> RunContext {
        let folder = folder
        return .sample(makeIdentifier: {
            try? body(folder)
            return "interfered"
        })
    }

    static let changes: [(String, @Sendable (TemporaryFolder) throws -> Void)] = [
        ("other bytes", { try $0.write(#"{"units":"lbs"}"#, to: "prefs.txt") }),
        ("same size", { try $0.write(#"{"units":"lb"}"#, to: "prefs.txt") }),
        (
            "same size and time",
            { folder in
                try folder.write(#"{"units":"lb"}"#, to: "prefs.txt")
                try folder.setModified(seconds: 1000, of: "prefs.txt")
            }
        ),
        ("gone", { try $0.remove("prefs.txt") }),
    ]

    @Test("a file that the app changes during the run keeps the app's content", arguments: changes.indices)
    func changedMeanwhile(index: Int) throws {
        try folder.write(#"{"units":"kg"}"#, to: "prefs.txt")
        try folder.setModified(seconds: 1000, of: "prefs.txt")
        let context = interfering(Self.changes[index].1)
        let error = failure { try flag().set(context: context) }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("Library/prefs.txt") == true)
        #expect(folder.names() == (Self.changes[index].0 == "gone" ? [] : ["prefs.txt"]))
        if folder.exists("prefs.txt") { #expect(try folder.text(of: "prefs.txt").hasPrefix(#"{"units":"lb"#)) }
    }

    @Test("a file that the app creates during the run keeps the app's content")
    func madeMeanwhile() throws {
        let context = interfering { try $0.write(#"{"units":"lb"}"#, to: "prefs.txt") }
        #expect(failure { try flag().set(context: context) }?.code == .busy)
        #expect(try folder.text(of: "prefs.txt") == #"{"units":"lb"}"#)
        #expect(folder.names() == ["prefs.txt"])
    }

    @Test("a flag that is not a boolean and a damaged file are errors that name the file, and the file stays")
    func formatErrors() throws {
        for text in [#"{"copied":"perhaps"}"#, #"{"copied":tru"#] {
            try folder.write(text, to: "prefs.txt")
            for error in [failure { try flag().isSet() }, failure { try flag().set(context: .sample()) }] {
                #expect(error?.code == .data)
                #expect(error?.message.hasPrefix("Library/prefs.txt: ") == true)
            }
            #expect(try folder.text(of: "prefs.txt") == text)
            #expect(folder.names() == ["prefs.txt"])
        }
    }

    @Test("a flag file that is not a regular file is rejected")
    func noRegularFile() throws {
        try folder.makeFolder("prefs.txt")
        #expect(failure { try flag().isSet() }?.code == .noInput)
        try folder.makeFIFO("fifo")
        #expect(failure { try flag("fifo").isSet() }?.code == .noInput)
        #expect(failure { try flag("fifo").set(context: .sample()) }?.code == .noInput)
    }

    @Test("a flag file behind a link inside the container is set, and the link stays")
    func symbolicLink() throws {
        try folder.makeFolder("real")
        try folder.write(#"{"units":"kg"}"#, to: "real/prefs.txt")
        try folder.makeLink("prefs.txt", to: "real/prefs.txt")
        let container = try Container(folder.path)
        let path = try container.resolve("prefs.txt")
        let flag = CompletionFlag(in: FlagFile(path, name: "prefs.txt"), name: "prefs.txt", key: "copied")
        try flag.set(context: .sample())
        #expect(try folder.text(of: "real/prefs.txt") == #"{"units":"kg","copied":true}"#)
        #expect(try FileStatus.ofLink(folder["prefs.txt"])?.isSymbolicLink == true)
        #expect(folder.names() == ["prefs.txt", "real"])
        #expect(folder.names(in: "real") == ["prefs.txt"])
    }

    @Test("a fault before the rename leaves the flag unset, a fault after it set, and both leave no temporary file")
    func faults() throws {
        for point in [FaultPoint.beforeFlag, .afterFlag] {
            try folder.write(#"{"units":"kg"}"#, to: "prefs.txt")
            let fault = Fault(at: point)
            let context = RunContext.sample(faultPoint: { reached throws(GodwitError) in try fault.meet(reached) })
            #expect(failure { try flag().set(context: context) }?.code == .io)
            #expect(try flag().isSet() == (point == .afterFlag))
            #expect(folder.names() == ["prefs.txt"])
        }
    }

    @Test("setting the flag twice changes the file once")
    func twice() throws {
        try flag().set(context: .sample())
        try flag().set(context: .sample())
        #expect(
            try folder.bytes(of: "prefs.txt") == PropertyListEditor.newPropertyList(with: "copied", setTo: true))
    }
}
