import GodwitFiles
import GodwitModel
import GodwitTestSupport
import Testing

struct ContainerTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("box/Library/Application Support")
        try folder.makeFolder("outside")
        try folder.write("secret", to: "outside/file")
        try folder.write("data", to: "box/Library/file")
    }

    private var container: Container { get throws { try Container(folder["box"]) } }

    @Test("a file inside is found, with links in the container's own path resolved")
    func finds() throws {
        try folder.makeLink("alias", to: "box")
        let container = try Container(folder["alias"])
        #expect(container.given == folder["alias"])
        #expect(container.root == folder["box"])
        #expect(try container.resolve("Library/file") == folder["box/Library/file"])
    }

    @Test(
        "a file that does not exist yet has a path inside",
        arguments: ["new", "Library/new", "Library/new/deeper/file"])
    func missingParts(relative: String) throws {
        #expect(try container.resolve(relative) == folder["box/" + relative])
    }

    @Test("a link that stays inside is followed")
    func linkInside() throws {
        try folder.makeLink("box/link", to: "Library")
        #expect(try container.resolve("link/file") == folder["box/Library/file"])
        #expect(try container.resolve("link/new") == folder["box/Library/new"])
    }

    @Test("a folder is above a file by its identity, also if the paths are different texts")
    func identity() throws {
        // As on a volume that ignores letter case: two paths, one folder.
        try folder.makeLink("BOX", to: "box")
        #expect(
            try Container.path(of: folder["box/Library/file"], below: folder["BOX"]) == folder["BOX/Library/file"])
        #expect(try Container.path(of: folder["box"], below: folder["BOX"]) == folder["BOX"])
        #expect(try Container.path(of: folder["outside/file"], below: folder["BOX"]) == nil)
        #expect(try Container.path(of: folder["outside/file"], below: folder["missing"]) == nil)
    }

    @Test(
        "a link that leaves the container gives 78, whether or not the file exists",
        arguments: ["link", "folder/file", "folder/new", "folder/new/deeper"])
    func escapeByLink(relative: String) throws {
        try folder.makeLink("box/link", to: folder["outside/file"])
        try folder.makeLink("box/folder", to: "../outside")
        let error = failure { try container.resolve(relative) }
        #expect(error?.code == .manifest)
        #expect(error?.message.contains(relative) == true)
    }

    @Test(
        "dots that leave the container give 78, also after missing folders",
        arguments: ["../outside/file", "Library/../../outside/file", "../new", "absent/../../outside/new", "a/../.."])
    func escapeByDots(relative: String) throws {
        #expect(failure { try container.resolve(relative) }?.code == .manifest)
    }

    @Test("a folder next to the container with a similar or Unicode-equal name is outside")
    func neighbours() throws {
        try folder.makeFolder("boxes")
        try folder.makeLink("box/near", to: folder["boxes"])
        #expect(failure { try container.resolve("near") }?.code == .manifest)
        // Linux separates both names: é as one scalar, and as e with an accent.
        try folder.makeFolder("caf\u{E9}")
        guard (try? folder.makeFolder("cafe\u{301}/x")) != nil, folder.names().count == 5 else { return }
        try folder.makeLink("caf\u{E9}/link", to: folder["cafe\u{301}"])
        #expect(failure { try Container(folder["caf\u{E9}"]).resolve("link/x") }?.code == .manifest)
    }

    @Test("a file whose name begins with a combining mark is inside")
    func combiningMark() throws {
        try folder.write("x", to: "box/\u{301}odd")
        let path = try container.resolve("\u{301}odd")
        #expect(Array(path.utf8) == Array((folder["box"] + "/\u{301}odd").utf8))
    }

    @Test("a dangling link is named with 66", arguments: ["dangling", "dangling/below"])
    func danglingLink(relative: String) throws {
        try folder.makeLink("box/dangling", to: "nowhere")
        let error = failure { try container.resolve(relative) }
        #expect(error?.code == .noInput)
        #expect(error?.message.contains("symbolic link") == true)
    }

    @Test("the AppData of an .xcappdata bundle is the container")
    func bundle() throws {
        try folder.makeFolder("phone.xcappdata/AppData/Library")
        let container = try Container(folder["phone.xcappdata"])
        #expect(container.root == folder["phone.xcappdata/AppData"])
        #expect(try container.resolve("Library/new") == folder["phone.xcappdata/AppData/Library/new"])
    }

    @Test(
        "a bundle without its extension, and macOS containers, are resolved to the container inside",
        arguments: [("down/AppData", InspectedLayout.xcappdata), ("mac/Data", .macOS)])
    func nested(inside: String, layout: InspectedLayout) throws {
        try folder.makeFolder(inside + "/Library")
        let outer = String(inside.prefix { $0 != "/" })
        let container = try Container(folder[outer])
        #expect(container.root == folder[inside] && container.layout == layout)
        // A sandbox with a folder of that name is a container itself.
        try folder.makeFolder(outer + "/Documents")
        #expect(try Container(folder[outer]).root == folder[outer])
        #expect(try Container(folder[outer]).layout == .sandbox)
    }

    @Test("a link instead of that folder is not followed")
    func nestedLink() throws {
        try folder.makeFolder("odd")
        try folder.makeLink("odd/Data", to: "../box")
        #expect(try Container(folder["odd"]).root == folder["odd"])
        #expect(try Container(folder["odd"]).layout == .folder)
    }

    @Test("a bundle without AppData, or with a file instead, is rejected")
    func hollowBundle() throws {
        try folder.makeFolder("hollow.xcappdata")
        #expect(failure { _ = try Container(folder["hollow.xcappdata"]) }?.code == .noInput)
        try folder.write("", to: "hollow.xcappdata/AppData")
        #expect(failure { _ = try Container(folder["hollow.xcappdata"]) }?.code == .noInput)
    }

    @Test("a missing container gives 66", arguments: ["absent", "outside/file"])
    func noContainer(name: String) {
        let error = failure { _ = try Container(folder[name]) }
        #expect(error?.code == .noInput)
        #expect(error?.hint != nil)
    }

    @Test("a group container is searched after the container, with its own limits")
    func groups() throws {
        try folder.makeFolder("group/Library")
        try folder.write("shared", to: "group/Library/shared")
        try folder.write("shadowed", to: "group/Library/file")
        try folder.makeLink("group/out", to: folder["outside"])
        let container = try Container(folder["box"], groups: [folder["group"]])
        #expect(try container.resolve("Library/shared") == folder["group/Library/shared"])
        #expect(try container.resolve("Library/file") == folder["box/Library/file"])
        #expect(try container.resolve("Library/new") == folder["box/Library/new"])
        #expect(failure { try container.resolve("out/file") }?.code == .manifest)
        #expect(failure { _ = try Container(folder["box"], groups: [folder["absent"]]) }?.code == .noInput)
    }

    @Test("one file with two names is rejected: same path, hard link, symbolic link")
    func distinct() throws {
        try folder.makeHardLink("box/hard", to: "box/Library/file")
        try folder.makeLink("box/soft", to: "Library/file")
        try folder.copy("box/Library/file", to: "box/copy")
        let container = try container
        let first = folder["box/Library/file"]
        for second in [first, folder["box/hard"], folder["box/soft"]] {
            let error = failure { try container.requireDistinct(first, second, names: ("A.store", "B.store")) }
            #expect(error?.code == .manifest)
            #expect(error?.message.contains("`A.store` and `B.store`") == true)
        }
        try container.requireDistinct(first, folder["box/copy"], names: ("A", "B"))
        try container.requireDistinct(first, folder["box/absent"], names: ("A", "B"))
        #expect(failure { try container.requireDistinct("/no/x", "/no/x", names: ("A", "B")) }?.code == .manifest)
    }

    @Test("a plan's clone is reported with the name of its original")
    func dryRun() throws {
        try folder.makeFolder("copy")
        let copy = try Container(dryRunOf: try container, at: folder["copy"])
        #expect(copy.given == folder["box"])
        #expect(copy.root == folder["copy"])
    }
}
