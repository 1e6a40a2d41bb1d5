import GodwitTestSupport
import Testing

/// Exports that tests keep for the verifier are complete and kept once.
struct MadeExportsTests {
    @Test("made exports have the name of their hash, and equal bytes are written once")
    func names() throws {
        let folder = try TemporaryFolder()
        for text in ["abc", "", "abc"] { try MadeExports.keep(Array(text.utf8), in: folder.path) }
        #expect(
            folder.names() == [
                // SHA-256 of "abc" and of nothing: FIPS 180-4.
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ])
        #expect(try folder.text(of: folder.names()[0]) == "abc")
    }

    @Test("if the folder is not writable, the test that made the export fails")
    func missing() throws {
        let folder = try TemporaryFolder()
        #expect(throws: (any Error).self) { try MadeExports.keep([1], in: folder["none"]) }
    }

    @Test("only a variable with a folder turns the collection of exports on")
    func variable() {
        #expect(MadeExports.folder(of: [:]) == nil)
        #expect(MadeExports.folder(of: ["GODWIT_EXPORTS": ""]) == nil)
        #expect(MadeExports.folder(of: ["GODWIT_EXPORTS": "/x"]) == "/x")
    }
}
