import GodwitFiles
import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

struct AtomicFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, identifier: String = "ABCDEFGH-1", mode: UInt32 = 0o600) throws -> AtomicFile {
        try AtomicFile(target: folder[name], identifier: identifier, mode: mode, stage: .export)
    }

    /// The error of a commit that must fail.
    private func refusal(of file: consuming AtomicFile, replacing: Bool) -> GodwitError? {
        do throws(GodwitError) {
            try file.commit(replacing: replacing)
            return nil
        } catch {
            return error
        }
    }

    @Test("a new file appears complete, only under its name, private to its owner")
    func commitsNewFile() throws {
        let file = try make("export.json")
        try file.write(Array("one".utf8))
        #expect(folder.names() == [".godwit-tmp-ABCDEFGH"])
        try file.commit(replacing: false)
        #expect(folder.names() == ["export.json"])
        #expect(try folder.text(of: "export.json") == "one")
        #expect(try FileStatus.of(folder["export.json"]).map { $0.mode & 0o777 } == 0o600)
    }

    @Test("an existing file is replaced only on request; otherwise 73, unchanged")
    func refusesToReplace() throws {
        try folder.write("old", to: "export.json")
        let before = try folder.fingerprint()
        let file = try make("export.json")
        try file.write(Array("new".utf8))
        let error = refusal(of: file, replacing: false)
        #expect(error?.code == .cannotCreate)
        #expect(error?.stage == .export)
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("a link as the target counts as existing, also a dangling one")
    func refusesToReplaceLink() throws {
        try folder.makeLink("export.json", to: "nowhere")
        let file = try make("export.json")
        let error = refusal(of: file, replacing: false)
        #expect(error?.code == .cannotCreate)
        #expect(folder.names() == ["export.json"])
    }

    @Test("an unchanged file is replaced, and nothing of the old one is left")
    func replacesUnchanged() throws {
        try folder.write("old", to: "settings.plist")
        let before = try #require(try FileStatus.of(folder["settings.plist"]))
        let file = try make("settings.plist")
        try file.write(Array("new".utf8))
        #expect(try file.commit(inPlaceOf: before))
        #expect(try folder.text(of: "settings.plist") == "new")
        #expect(folder.names() == ["settings.plist"])
    }

    /// What another process does to a file that is about to be replaced.
    enum Interference: CaseIterable {
        case replacing, writing, removing

        func interfere(with name: String, in folder: TemporaryFolder) throws {
            switch self {
            case .replacing:
                try folder.write("from another process", to: "made")
                _ = rename(folder["made"], folder[name])
            case .writing: try folder.write("from another process", to: name)
            case .removing: try folder.remove(name)
            }
        }
    }

    @Test(
        "a file that another process changed is not replaced, at any time", arguments: Interference.allCases,
        [true, false])
    func interfered(_ interference: Interference, isLate: Bool) throws {
        try folder.write("old", to: "settings.plist")
        let before = try #require(try FileStatus.of(folder["settings.plist"]))
        let file = try make("settings.plist")
        try file.write(Array("new".utf8))
        if !isLate { try interference.interfere(with: "settings.plist", in: folder) }
        var isReplaced = false
        do throws(GodwitError) {
            let folder = folder
            isReplaced = try file.commit(inPlaceOf: before) { () throws(GodwitError) in
                guard isLate else { return }
                do { try interference.interfere(with: "settings.plist", in: folder) } catch {
                    throw GodwitError(.copy, .bug, "\(error)")
                }
            }
        } catch {
            #expect(error.code != .bug)
        }
        #expect(!isReplaced)
        let left = interference == .removing ? [] : ["settings.plist"]
        #expect(folder.names() == left)
        if interference != .removing { #expect(try folder.text(of: "settings.plist") == "from another process") }
    }

    @Test("if the last check fails, the target stays and nothing is left")
    func refusedLastly() throws {
        try folder.write("old", to: "settings.plist")
        let before = try #require(try FileStatus.of(folder["settings.plist"]))
        let file = try make("settings.plist")
        do throws(GodwitError) {
            _ = try file.commit(inPlaceOf: before) { () throws(GodwitError) in throw GodwitError(.copy, .busy, "no") }
            Issue.record("it was committed")
        } catch {
            #expect(error.code == .busy)
        }
        #expect(folder.names() == ["settings.plist"])
        #expect(try folder.text(of: "settings.plist") == "old")
    }

    @Test("the new file replaces the old one, and an open old one stays readable")
    func replaces() throws {
        try folder.write("old", to: "settings.plist")
        let reader = try OpenFile(reading: folder["settings.plist"])
        let file = try make("settings.plist")
        try file.write(Array("new".utf8))
        #expect(try folder.text(of: "settings.plist") == "old")
        try file.commit(replacing: true)
        #expect(try folder.text(of: "settings.plist") == "new")
        #expect(folder.names() == ["settings.plist"])
        #expect(try reader.status().size == 3)
        let now = try FileStatus.of(folder["settings.plist"])
        #expect(try reader.status().inode != now?.inode)
    }

    @Test("an abandoned file leaves nothing, with any content")
    func abandoned() throws {
        func abandon() throws {
            let file = try make("export.json")
            try file.write([UInt8](repeating: 7, count: 100_000))
            #expect(folder.names().count == 1)
        }
        try abandon()
        #expect(folder.names() == [])
    }

    @Test("a folder as the target is rejected with its content unchanged")
    func targetIsFolder() throws {
        try folder.makeFolder("export.json/inside")
        let file = try make("export.json")
        let error = refusal(of: file, replacing: true)
        #expect(error?.code == .cannotCreate)
        #expect(try folder.fingerprint().names == ["export.json", "export.json/inside"])
    }

    @Test("a missing folder is named with 73")
    func missingFolder() throws {
        let error = failure { _ = try make("absent/export.json") }
        #expect(error?.code == .cannotCreate)
        #expect(error?.message.contains("absent") == true)
    }

    @Test("the longest possible name is written, and a longer one is rejected without leftovers")
    func longNames() throws {
        let longest = String(repeating: "x", count: 255)
        try make(longest).commit(replacing: false)
        #expect(folder.names() == [longest])
        let file = try make(longest + "y")
        let error = refusal(of: file, replacing: false)
        #expect(error?.code == .cannotCreate)
        #expect(folder.names() == [longest])
    }

    @Test("mode and owner of the replaced file are kept")
    func takesOwnership() throws {
        try folder.write("old", to: "settings.plist")
        try folder.setMode(0o640, of: "settings.plist")
        let before = try #require(try FileStatus.of(folder["settings.plist"]))
        let file = try make("settings.plist")
        try file.takeOwnership(FileOwnership(folder["settings.plist"], before))
        try file.commit(replacing: true)
        let after = try #require(try FileStatus.of(folder["settings.plist"]))
        #expect(after.mode == before.mode)
        #expect(after.owner == before.owner)
        #expect(after.group == before.group)
    }

    @Test("written bytes can be replaced in place, and the size includes all")
    func overwrites() throws {
        let file = try make("export.json")
        try file.write(Array("count: ----\n".utf8))
        try file.overwrite(Array("0042".utf8), at: 7)
        #expect(try file.size() == 12)
        try file.commit(replacing: false)
        #expect(try folder.text(of: "export.json") == "count: 0042\n")
    }

    #if os(Linux)
        @Test("a full disk is reported with the target's name, and nothing is left")
        func fullDisk() throws {
            let full = open("/dev/full", O_WRONLY)
            defer { close(full) }
            for step in ["write", "overwrite"] {
                let file = try make("export.json")
                #expect(dup2(full, file.writtenBytes.descriptor) == file.writtenBytes.descriptor)
                let error = failure {
                    if step == "write" {
                        try file.write(Array("bytes".utf8))
                    } else {
                        try file.overwrite(Array("bytes".utf8), at: 0)
                    }
                }
                #expect(error?.code == .io)
                #expect(error?.stage == .export)
                #expect(error?.message == "can't write `\(folder["export.json"])`")
                #expect(error?.underlying == "No space left on device")
                _ = consume file
                #expect(folder.names() == [])
            }
        }
    #endif

    @Test("an existing temporary file is never overwritten")
    func temporaryNameTaken() throws {
        try folder.write("another run's", to: ".godwit-tmp-ABCDEFGH")
        #expect(failure { _ = try make("export.json") }?.code == .cannotCreate)
        #expect(try folder.text(of: ".godwit-tmp-ABCDEFGH") == "another run's")
    }
}

struct OpenFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a missing file gives 66 with the caller's stage")
    func missing() {
        let error = failure { _ = try OpenFile(reading: folder["absent"], stage: .legacy) }
        #expect(error?.code == .noInput)
        #expect(error?.stage == .legacy)
        #expect(error?.hint != nil)
    }

    @Test("opening a FIFO does not wait for a writer")
    func fifo() throws {
        try folder.makeFIFO("pipe")
        #expect(try OpenFile(reading: folder["pipe"]).status().isRegularFile == false)
    }

    @Test("creating fails if the file exists, and does not follow a link", arguments: ["file", "link", "dangling"])
    func createsNothingTwice(name: String) throws {
        try folder.write("kept", to: "file")
        try folder.makeLink("link", to: "file")
        try folder.makeLink("dangling", to: "nowhere")
        let before = try folder.fingerprint()
        #expect(failure { try OpenFile(creating: folder[name]).close() }?.code == .cannotCreate)
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("large writes are complete, and empty ones write nothing")
    func writes() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try OpenFile(creating: folder["large"])
        try file.write(bytes)
        try file.write([])
        try file.flush()
        try file.close()
        #expect(try folder.bytes(of: "large") == bytes)
    }

    @Test(
        "bytes are read from any offset to the end of the file",
        arguments: [(0, 4, "0123"), (6, 4, "6789"), (8, 4, "89"), (10, 4, ""), (500, 4, ""), (3, 0, "")])
    func bytesOfAPlace(place: Int64, count: Int, expected: String) throws {
        try folder.write("0123456789", to: "file")
        #expect(try OpenFile(reading: folder["file"]).bytes(count, at: place) == Array(expected.utf8))
    }

    @Test("a read that fails names the file, here a folder")
    func bytesRefused() throws {
        let error = failure { _ = try OpenFile(directory: folder.path).bytes(4) }
        #expect(error?.message.contains(folder.path) == true)
        #expect(error?.message.contains("read back") == false)
    }

    @Test("a folder opens as a folder, and a file does not")
    func directory() throws {
        try folder.write("x", to: "file")
        #expect(try OpenFile(directory: folder.path).status().isDirectory)
        #expect(failure { _ = try OpenFile(directory: folder["file"]) }?.code == .noInput)
    }

    @Test("a write that the system rejects is an I/O error with the file's name")
    func writeRefused() throws {
        try folder.write("x", to: "file")
        let file = try OpenFile(reading: folder["file"])
        let error = failure { try file.write([1]) }
        #expect(error?.code == .io)
        #expect(error?.message.contains("file") == true)
        #expect(error?.underlying != nil)
    }

    /// The temporary file of an output.
    private func makeOutput(_ name: String, identifier: String = "ABCDEFGH-1") throws -> AtomicFile {
        try AtomicFile(target: folder[name], identifier: identifier, isOutput: true, stage: .export)
    }

    @Test("the next output removes only leftovers of a killed one in its folder")
    func sweepsAbandonedOutputs() throws {
        try folder.write("half", to: ".godwit-out-KILLED01")
        try folder.write("a store being made", to: ".godwit-tmp-STORE001")
        try folder.write("another program's", to: "notes.json")
        let file = try makeOutput("export.json")
        try file.commit(replacing: false)
        #expect(folder.names() == [".godwit-tmp-STORE001", "export.json", "notes.json"])
    }

    @Test("two outputs in one folder do not interfere")
    func outputsSideBySide() throws {
        let first = try makeOutput("a.json", identifier: "FIRST001")
        try first.write(Array("a".utf8))
        let second = try makeOutput("b.json", identifier: "SECOND01")
        #expect(folder.names() == [".godwit-out-FIRST001", ".godwit-out-SECOND01"])
        try second.commit(replacing: false)
        try first.commit(replacing: false)
        #expect(folder.names() == ["a.json", "b.json"])
        #expect(try folder.text(of: "a.json") == "a")
    }

    @Test("a link named like an abandoned output is neither followed nor removed")
    func keepsLinks() throws {
        try folder.write("kept", to: "target")
        #expect(symlink(folder["target"], folder[".godwit-out-LINK0001"]) == 0)
        try makeOutput("export.json").commit(replacing: false)
        #expect(folder.names() == [".godwit-out-LINK0001", "export.json", "target"])
    }
}
