import GodwitModel
import GodwitFleet
import GodwitTestSupport
import Testing

struct ContainerPlaceTests {
    @Test(
        "a name that leaves its folder is rejected, with any mark after a slash",
        arguments: ["..", "../x", "a/../../x", "../\u{301}x", "/../\u{301}x", "a/../\u{301}x/../\u{301}y"])
    func outside(name: String) {
        #expect(failure { try ContainerWork.folder(of: name, below: "/exports") }?.code == .usage)
    }

    @Test(
        "any other name is a path below the folder, without leading slashes",
        arguments: [
            ("a/b", "/exports/a/b"), ("/a/b", "/exports/a/b"), ("a..b", "/exports/a..b"), ("/", "/exports"),
            (".", "/exports"), ("//\u{301}x", "/exports/\u{301}x"),
        ])
    func inside(name: String, place: String) throws {
        #expect(try Array(ContainerWork.folder(of: name, below: "/exports").utf8) == Array(place.utf8))
    }
}
