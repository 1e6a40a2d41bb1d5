import GodwitFiles
import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Synchronization
import Testing

/// The completion flag in the preferences file, in a format of lines.
struct CompletionFlagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func flag(_ name: String = "prefs.txt", coder: CompletionFlag.Coder = .lines) -> CompletionFlag {
        CompletionFlag(path: folder[name], name: "Library/\(name)", key: "copied", coder: coder)
    }

    @Test(
        "the completion flag is true only if the file says so",
        arguments: [("copied=true\n", true), ("copied=false\n", false), ("other=true\n", false), ("", false)])
    func reads(text: String, expected: Bool) throws {
        try folder.write(text, to: "prefs.txt")
        #expect(try flag().isSet() == expected)
        #expect(try flag().state() == FlagState(file: "Library/prefs.txt", key: "copied", isSet: expected))
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
        try folder.write("units=kg\ncopied=false\ntheme=dark\n", to: "prefs.txt")
        try folder.setMode(mode, of: "prefs.txt")
        try flag().set(context: .sample())
        #expect(try folder.text(of: "prefs.txt") == "units=kg\ntheme=dark\ncopied=true\n")
        #expect(try FileStatus.of(folder["prefs.txt"])?.mode == mode | 0o100_000)
        #expect(folder.names() == ["prefs.txt"])
        #expect(try flag().isSet())
    }

    #if os(Linux)
        @Test(
            "setting the flag keeps extended attributes and the access control list"
        )
        func keepsAttributes() throws {
            try folder.write("units=kg\n", to: "prefs.txt")
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
        try folder.write("units=kg\n", to: "prefs.txt")
        try folder.makeHardLink("old.txt", to: "prefs.txt")
        let before = try FileStatus.of(folder["prefs.txt"])
        try flag().set(context: .sample())
        #expect(try folder.text(of: "old.txt") == "units=kg\n")
        #expect(try FileStatus.of(folder["prefs.txt"])?.inode != before?.inode)
    }

    @Test("a missing file is created privately, with the folders of its path")
    func creates() throws {
        try flag("Library/Preferences/prefs.txt").set(context: .sample())
        #expect(try folder.text(of: "Library/Preferences/prefs.txt") == "copied=true\n")
        #expect(try FileStatus.of(folder["Library/Preferences/prefs.txt"])?.mode == 0o100_600)
        #expect(try FileStatus.of(folder["Library"])?.mode == 0o040_700)
        #expect(folder.names(in: "Library/Preferences") == ["prefs.txt"])
    }

    /// Writes while the flag is being set, as an app that saves its preferences does.
    private func interfering(_ body: @escaping @Sendable (TemporaryFolder) throws -> Void) -> CompletionFlag.Coder {
        let folder = folder
        return CompletionFlag.Coder(
            read: CompletionFlag.Coder.lines.read,
            set: { bytes, key, value throws(GodwitError) in
                do { try body(folder) } catch { throw GodwitError(.copy, .bug, "\(error)") }
                return try CompletionFlag.Coder.lines.set(bytes, key, value)
            })
    }

    static let changes: [(String, @Sendable (TemporaryFolder) throws -> Void)] = [
        ("other bytes", { try $0.write("units=lb!\n", to: "prefs.txt") }),
        ("same size", { try $0.write("units=lb\n", to: "prefs.txt") }),
        (
            "same size and time",
            { folder in
                try folder.write("units=lb\n", to: "prefs.txt")
                try folder.setModified(seconds: 1000, of: "prefs.txt")
            }
        ),
        ("gone", { try $0.remove("prefs.txt") }),
    ]

    @Test("a file that the app changes during the run keeps the app's content", arguments: changes.indices)
    func changedMeanwhile(index: Int) throws {
        try folder.write("units=kg\n", to: "prefs.txt")
        try folder.setModified(seconds: 1000, of: "prefs.txt")
        let coder = interfering(Self.changes[index].1)
        let error = failure { try flag(coder: coder).set(context: .sample()) }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("Library/prefs.txt") == true)
        #expect(folder.names() == (Self.changes[index].0 == "gone" ? [] : ["prefs.txt"]))
        if folder.exists("prefs.txt") { #expect(try folder.text(of: "prefs.txt").hasPrefix("units=lb")) }
    }

    @Test("a file that the app creates during the run keeps the app's content")
    func madeMeanwhile() throws {
        let coder = interfering { try $0.write("units=lb\n", to: "prefs.txt") }
        #expect(failure { try flag(coder: coder).set(context: .sample()) }?.code == .busy)
        #expect(try folder.text(of: "prefs.txt") == "units=lb\n")
        #expect(folder.names() == ["prefs.txt"])
    }

    @Test("an error of the format is passed on, and the file stays")
    func formatErrors() throws {
        try folder.write("copied=perhaps\n", to: "prefs.txt")
        #expect(failure { try flag().isSet() }?.message == "Library/prefs.txt: copied is no boolean.")
        #expect(failure { try flag().state() }?.code == .data)
        let refusing = CompletionFlag.Coder(
            read: CompletionFlag.Coder.lines.read,
            set: { _, _, _ throws(GodwitError) in throw GodwitError(.copy, .data, "No such format.") })
        #expect(
            failure { try flag(coder: refusing).set(context: .sample()) }?.message
                == "Library/prefs.txt: No such format.")
        #expect(try folder.text(of: "prefs.txt") == "copied=perhaps\n")
        #expect(folder.names() == ["prefs.txt"])
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
        try folder.write("units=kg\n", to: "real/prefs.txt")
        try folder.makeLink("prefs.txt", to: "real/prefs.txt")
        let container = try Container(folder.path)
        let path = try container.resolve("prefs.txt")
        let flag = CompletionFlag(path: path, name: "prefs.txt", key: "copied", coder: .lines)
        try flag.set(context: .sample())
        #expect(try folder.text(of: "real/prefs.txt") == "units=kg\ncopied=true\n")
        #expect(try FileStatus.ofLink(folder["prefs.txt"])?.isSymbolicLink == true)
        #expect(folder.names() == ["prefs.txt", "real"])
        #expect(folder.names(in: "real") == ["prefs.txt"])
    }

    @Test("a fault before the rename leaves the flag unset, a fault after it set, and both leave no temporary file")
    func faults() throws {
        for point in [FaultPoint.beforeFlag, .afterFlag] {
            try folder.write("units=kg\n", to: "prefs.txt")
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
        #expect(try folder.text(of: "prefs.txt") == "copied=true\n")
    }
}
