import GodwitFiles
import GodwitModel
import GodwitTestSupport
import Testing

struct OwnFilesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "a file with another name is never removed",
        arguments: ["TrainLog.store", "godwit-tmp-1", ".godwit", ".godwit-tm", "x.godwit-tmp-1", ".Godwit-tmp-1"])
    func foreignNames(name: String) throws {
        try folder.write("kept", to: name)
        OwnFiles.removeTemporary(folder[name])
        OwnFiles.removeTemporaries(in: folder.path)
        OwnFiles.removeScratch(folder[name])
        #expect(try folder.text(of: name) == "kept")
    }

    @Test("a temporary store is removed with its journals, and nothing else")
    func temporaryWithJournals() throws {
        for name in [".godwit-tmp-1", ".godwit-tmp-1-journal", ".godwit-tmp-1-wal", ".godwit-tmp-1-shm", "a-wal"] {
            try folder.write("x", to: name)
        }
        OwnFiles.removeTemporary(folder[".godwit-tmp-1"])
        #expect(folder.names() == ["a-wal"])
        OwnFiles.removeTemporary(folder[".godwit-tmp-1"])
    }

    @Test(
        "a name that only begins like one of Godwit's is not removed",
        arguments: [
            "", "notes", "0123ABC", "0123ABCDE", "0123ABCD.txt", "0123ABCD-journal-old", "0123abcd", "0123ABC\u{E9}",
            "café",
        ])
    func similarNames(ending: String) throws {
        for prefix in [OwnFiles.temporaryPrefix, OwnFiles.outputPrefix] {
            try folder.write("kept", to: prefix + ending)
        }
        OwnFiles.removeTemporaries(in: folder.path)
        OwnFiles.removeAbandonedOutputs(in: folder.path)
        #expect(folder.names().count == 2)
    }

    @Test(
        "an output must not have a name like Godwit's own files",
        arguments: ["out", ".godwit-out-0123ABCD", ".Godwit-x"])
    func lastingNames(name: String) {
        let error = failure { try OwnFiles.requireLasting("/folder/" + name, stage: .export) }
        #expect(error?.code == (name == "out" ? nil : .cannotCreate))
    }

    @Test("leftovers of killed runs are found by name, and a folder with such a name stays")
    func leftovers() throws {
        try folder.write("x", to: ".godwit-tmp-0123ABCD")
        try folder.write("x", to: ".godwit-tmp-89ABCDEF-journal")
        try folder.write("x", to: "TrainLog.store")
        try folder.makeFolder(".godwit-tmp-folder")
        OwnFiles.removeTemporaries(in: folder.path)
        #expect(folder.names() == [".godwit-tmp-folder", "TrainLog.store"])
        OwnFiles.removeTemporaries(in: folder["absent"])
    }

    @Test("a scratch folder is removed with its contents, and links inside without their targets")
    func scratch() throws {
        try folder.makeFolder("precious")
        try folder.write("kept", to: "precious/file")
        try folder.makeFolder("godwit-scratch-1/deep/deeper")
        try folder.write("x", to: "godwit-scratch-1/deep/deeper/clone")
        try folder.makeLink("godwit-scratch-1/link", to: folder["precious"])
        try folder.makeLink("godwit-scratch-1/deep/file", to: folder["precious/file"])
        try folder.makeLink("godwit-scratch-1/dangling", to: "nowhere")
        OwnFiles.removeScratch(folder["godwit-scratch-1"])
        #expect(try folder.fingerprint().names == ["precious", "precious/file"])
    }

    @Test("a link instead of a scratch folder is not followed")
    func scratchIsLink() throws {
        try folder.makeFolder("precious")
        try folder.write("kept", to: "precious/file")
        try folder.makeLink("godwit-scratch-1", to: folder["precious"])
        OwnFiles.removeScratch(folder["godwit-scratch-1"])
        #expect(try folder.text(of: "precious/file") == "kept")
    }

    @Test(
        "a path that only passes through such a folder does not count as one",
        arguments: ["godwit-scratch-1/..", "godwit-scratch-1/inside", "godwit-scratch-1/"])
    func scratchInPath(name: String) throws {
        try folder.makeFolder("godwit-scratch-1/inside")
        OwnFiles.removeScratch(folder[name])
        #expect(folder.exists("godwit-scratch-1/inside"))
    }

    @Test("a temporary name is next to its target and short, for any target")
    func temporaryPath() {
        #expect(
            OwnFiles.temporaryPath(nextTo: "/a/b/Store.store", identifier: "12345678-9ABC")
                == "/a/b/.godwit-tmp-12345678")
        #expect(OwnFiles.temporaryPath(nextTo: "bare", identifier: "1") == "./.godwit-tmp-1")
    }
}
