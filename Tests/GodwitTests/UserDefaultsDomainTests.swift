#if canImport(Darwin)
    import Foundation
    import Godwit
    import GodwitModel
    import GodwitPropertyList
    import GodwitTestSupport
    import Testing

    /// A suite of `UserDefaults`, with the daemon of the system.
    struct UserDefaultsDomainTests {
        private let name = "com.example.godwit.\(UUID().uuidString)"
        private let defaults: UserDefaults

        init() throws { defaults = try #require(UserDefaults(suiteName: name)) }

        @Test("a boolean is a boolean, a number is a number, and keys of other domains are not read")
        func types() throws {
            defer { UserDefaults.standard.removePersistentDomain(forName: name) }
            defaults.register(defaults: ["registered": true])
            defaults.set(true, forKey: "flag")
            defaults.set(1, forKey: "one")
            defaults.set(1.5, forKey: "real")
            defaults.set(["b", "a"], forKey: "list")
            let root = try #require(try UserDefaultsDomain(suite: name).read()?.root)
            #expect(root.map(\.key) == ["flag", "list", "one", "real"])
            #expect(
                root.map(\.value)
                    == [.bool(true), .array([.string("b"), .string("a")]), .integer(1), .real(1.5)])
        }

        @Test("the flag is set where the app reads it, and values are set back")
        func sets() throws {
            defer { UserDefaults.standard.removePersistentDomain(forName: name) }
            let domain = try UserDefaultsDomain(suite: name)
            #expect(try domain.read() == nil)
            defaults.set("kg", forKey: "units")
            let before = try domain.currentPropertyList()
            try domain.setFlag("copied", to: true)
            #expect(defaults.bool(forKey: "copied"))
            #expect(try domain.setValues(from: before) == ["copied"])
            #expect(defaults.object(forKey: "copied") == nil)
            #expect(defaults.string(forKey: "units") == "kg")
        }

        @Test("what is not a suite is refused: 64")
        func refused() {
            #expect(failure { try UserDefaultsDomain(suite: "") }?.code == .usage)
            #expect(failure { try UserDefaultsDomain(suite: UserDefaults.globalDomain) }?.code == .usage)
            #expect(failure { try UserDefaultsDomain(defaults) }?.code == .usage)
        }
    }
#endif
