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

    /// What a commit that must fail says.
    private func refusal(of file: consuming AtomicFile, replacing: Bool) -> GodwitError? {
        do throws(GodwitError) {
            try file.commit(replacing: replacing)
            return nil
        } catch {
            return error
        }
    }

    @Test("a new file appears whole, under its name alone, private to its owner")
    func commitsNewFile() throws {
        let file = try make("export.json")
        try file.write(Array("one".utf8))
        #expect(folder.names() == [".godwit-tmp-ABCDEFGH"])
        try file.commit(replacing: false)
        #expect(folder.names() == ["export.json"])
        #expect(try folder.text(of: "export.json") == "one")
        #expect(try FileStatus.of(folder["export.json"]).map { $0.mode & 0o777 } == 0o600)
    }

    @Test("an existing file is not replaced unless that was asked for: 73, and it stays as it was")
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

    @Test("a link in the target's place counts as existing, also one that leads nowhere")
    func refusesToReplaceLink() throws {
        try folder.makeLink("export.json", to: "nowhere")
        let file = try make("export.json")
        let error = refusal(of: file, replacing: false)
        #expect(error?.code == .cannotCreate)
        #expect(folder.names() == ["export.json"])
    }

    @Test("a file that is still as it was is replaced, and nothing of the old one is left")
    func replacesUnchanged() throws {
        try folder.write("old", to: "settings.plist")
        let before = try #require(try FileStatus.of(folder["settings.plist"]))
        let file = try make("settings.plist")
        try file.write(Array("new".utf8))
        #expect(try file.commit(inPlaceOf: before))
        #expect(try folder.text(of: "settings.plist") == "new")
        #expect(folder.names() == ["settings.plist"])
    }

    /// What somebody else does to a file that is about to be replaced.
    enum Meddling: CaseIterable {
        case replacing, writing, removing

        func meddle(with name: String, in folder: TemporaryFolder) throws {
            switch self {
            case .replacing:
                try folder.write("theirs, anew", to: "made")
                _ = rename(folder["made"], folder[name])
            case .writing: try folder.write("theirs, anew", to: name)
            case .removing: try folder.remove(name)
            }
        }
    }

    @Test(
        "a file that somebody changed is not replaced, however late that was", arguments: Meddling.allCases,
        [true, false])
    func meddled(_ meddling: Meddling, isLate: Bool) throws {
        try folder.write("old", to: "settings.plist")
        let before = try #require(try FileStatus.of(folder["settings.plist"]))
        let file = try make("settings.plist")
        try file.write(Array("new".utf8))
        if !isLate { try meddling.meddle(with: "settings.plist", in: folder) }
        var isReplaced = false
        do throws(GodwitError) {
            let folder = folder
            isReplaced = try file.commit(inPlaceOf: before) { () throws(GodwitError) in
                guard isLate else { return }
                do { try meddling.meddle(with: "settings.plist", in: folder) } catch {
                    throw GodwitError(.copy, .bug, "\(error)")
                }
            }
        } catch {
            #expect(error.code != .bug)
        }
        #expect(!isReplaced)
        let left = meddling == .removing ? [] : ["settings.plist"]
        #expect(folder.names() == left)
        if meddling != .removing { #expect(try folder.text(of: "settings.plist") == "theirs, anew") }
    }

    @Test("where the last look says no, the target stays and nothing is left")
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

    @Test("replacing puts the new file in the old one's place; whoever has the old one open keeps it")
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

    @Test("an abandoned file leaves nothing behind, whatever it held")
    func abandoned() throws {
        func abandon() throws {
            let file = try make("export.json")
            try file.write([UInt8](repeating: 7, count: 100_000))
            #expect(folder.names().count == 1)
        }
        try abandon()
        #expect(folder.names() == [])
    }

    @Test("a folder in the target's place is refused and stays, with what is in it")
    func targetIsFolder() throws {
        try folder.makeFolder("export.json/inside")
        let file = try make("export.json")
        let error = refusal(of: file, replacing: true)
        #expect(error?.code == .cannotCreate)
        #expect(try folder.fingerprint().names == ["export.json", "export.json/inside"])
    }

    @Test("a folder that is missing is named: 73")
    func missingFolder() throws {
        let error = failure { _ = try make("absent/export.json") }
        #expect(error?.code == .cannotCreate)
        #expect(error?.message.contains("absent") == true)
    }

    @Test("the longest name a folder can hold is written; a longer one is refused and leaves nothing")
    func longNames() throws {
        let longest = String(repeating: "x", count: 255)
        try make(longest).commit(replacing: false)
        #expect(folder.names() == [longest])
        let file = try make(longest + "y")
        let error = refusal(of: file, replacing: false)
        #expect(error?.code == .cannotCreate)
        #expect(folder.names() == [longest])
    }

    @Test("mode and owner of the file it replaces are kept")
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

    @Test("bytes written before can be replaced in place, and the size tells all that was written")
    func overwrites() throws {
        let file = try make("export.json")
        try file.write(Array("count: ----\n".utf8))
        try file.overwrite(Array("0042".utf8), at: 7)
        #expect(try file.size() == 12)
        try file.commit(replacing: false)
        #expect(try folder.text(of: "export.json") == "count: 0042\n")
    }

    #if os(Linux)
        @Test("a full disk is told of the target, not of a name that nobody has heard of, and nothing is left")
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
                #expect(error?.message == "Can't write \(folder["export.json"]).")
                #expect(error?.underlying == "No space left on device")
                _ = consume file
                #expect(folder.names() == [])
            }
        }
    #endif

    @Test("a temporary file that is there already is never written over")
    func temporaryNameTaken() throws {
        try folder.write("another run's", to: ".godwit-tmp-ABCDEFGH")
        #expect(failure { _ = try make("export.json") }?.code == .cannotCreate)
        #expect(try folder.text(of: ".godwit-tmp-ABCDEFGH") == "another run's")
    }
}

struct OpenFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a missing file is 66 at the stage that asked")
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

    @Test("creating fails on what is there, and does not follow a link", arguments: ["file", "link", "dangling"])
    func createsNothingTwice(name: String) throws {
        try folder.write("kept", to: "file")
        try folder.makeLink("link", to: "file")
        try folder.makeLink("dangling", to: "nowhere")
        let before = try folder.fingerprint()
        #expect(failure { try OpenFile(creating: folder[name]).close() }?.code == .cannotCreate)
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("large writes arrive whole, empty ones are none")
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
        "bytes are read from any place on, as far as the file goes",
        arguments: [(0, 4, "0123"), (6, 4, "6789"), (8, 4, "89"), (10, 4, ""), (500, 4, ""), (3, 0, "")])
    func bytesOfAPlace(place: Int64, count: Int, expected: String) throws {
        try folder.write("0123456789", to: "file")
        #expect(try OpenFile(reading: folder["file"]).bytes(count, at: place) == Array(expected.utf8))
    }

    @Test("bytes that the system does not give are an error that names the file, here a folder")
    func bytesRefused() throws {
        let error = failure { _ = try OpenFile(directory: folder.path).bytes(4) }
        #expect(error?.message.contains(folder.path) == true)
        #expect(error?.message.contains("read back") == false)
    }

    @Test("a folder opens as one, a file does not")
    func directory() throws {
        try folder.write("x", to: "file")
        #expect(try OpenFile(directory: folder.path).status().isDirectory)
        #expect(failure { _ = try OpenFile(directory: folder["file"]) }?.code == .noInput)
    }

    @Test("a write that the system refuses is an I/O error that names the file")
    func writeRefused() throws {
        try folder.write("x", to: "file")
        let file = try OpenFile(reading: folder["file"])
        let error = failure { try file.write([1]) }
        #expect(error?.code == .io)
        #expect(error?.message.contains("file") == true)
        #expect(error?.underlying != nil)
    }

    /// An output's temporary file.
    private func makeOutput(_ name: String, identifier: String = "ABCDEFGH-1") throws -> AtomicFile {
        try AtomicFile(target: folder[name], identifier: identifier, isOutput: true, stage: .export)
    }

    @Test("the next output takes away what a killed one left in its folder, and nothing else")
    func sweepsAbandonedOutputs() throws {
        try folder.write("half", to: ".godwit-out-KILLED01")
        try folder.write("a store being made", to: ".godwit-tmp-STORE001")
        try folder.write("somebody's", to: "notes.json")
        let file = try makeOutput("export.json")
        try file.commit(replacing: false)
        #expect(folder.names() == [".godwit-tmp-STORE001", "export.json", "notes.json"])
    }

    @Test("two outputs at work in one folder leave each other alone")
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
