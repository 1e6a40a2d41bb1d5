import Libc
import GodwitService
import GodwitTestSupport
import Testing

/// What systemd receives, at a real socket.
struct SupervisorSocketTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("lines arrive as one datagram, at a path and at an abstract name", arguments: [false, true])
    func sends(isAbstract: Bool) throws {
        #if canImport(Darwin)
            guard !isAbstract else { return }
        #endif
        let name = isAbstract ? "@godwit-test-\(getpid())-\(UInt32.random(in: 0 ... .max))" : folder["notify"]
        let listener = try DatagramListener(name)
        let socket = SupervisorSocket(environment: ["NOTIFY_SOCKET": name].value, process: 1)
        socket.send("READY=1", "STATUS=ready")
        #expect(listener.next() == "READY=1\nSTATUS=ready")
        socket.sendReloading()
        let reloading = try #require(listener.next()).split(separator: "\n")
        #expect(reloading.first == "RELOADING=1")
        #expect(reloading.last.flatMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) } ?? 0 > 0)
    }

    @Test(
        "without a socket or a receiver, nothing is sent", arguments: ["", "relative", "/nowhere/at/all", "@"])
    func noSocket(name: String) {
        SupervisorSocket(environment: ["NOTIFY_SOCKET": name].value, process: 1).send("READY=1")
        SupervisorSocket(environment: { _ in nil }, process: 1).send("READY=1")
    }

    @Test("a name that is too long for a socket is ignored")
    func tooLong() {
        let name = "/" + String(repeating: "x", count: 107)
        SupervisorSocket(environment: ["NOTIFY_SOCKET": name].value, process: 1).send("READY=1")
    }

    @Test(
        "the watchdog gets messages at its interval, if it is for this process",
        arguments: [
            "30000000": 30_000 as Int64?, "30000000 42": 30_000, "30000000 43": nil, "999": nil, "no": nil, "-5": nil,
        ])
    func watchdog(asked: String, expected: Int64?) {
        let words = asked.split(separator: " ").map(String.init)
        var environment = ["NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": words[0]]
        environment["WATCHDOG_PID"] = words.count > 1 ? words[1] : nil
        #expect(SupervisorSocket(environment: environment.value, process: 42).watchdogMilliseconds == expected)
        environment["NOTIFY_SOCKET"] = nil
        #expect(SupervisorSocket(environment: environment.value, process: 42).watchdogMilliseconds == nil)
    }

    @Test("the service counts as dead only after a long silence")
    func silence() {
        #expect(Watchdog.isAlive(silence: Watchdog.longestSilence - 1))
        #expect(!Watchdog.isAlive(silence: Watchdog.longestSilence))
        let heart = ActivityClock()
        heart.beat()
        #expect(heart.silence < Watchdog.longestSilence)
    }
}

extension [String: String] {
    fileprivate func value(_ name: String) -> String? { self[name] }
}
