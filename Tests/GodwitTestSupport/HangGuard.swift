package import Testing

extension Trait where Self == TimeLimitTrait {
    /// For tests of what once hung, or would if it were wrong: ends such a test with its name, instead of all of CI without.
    ///
    /// An hour, for the time counts from when the runner takes the test up, and all tests are taken up together: on a slow
    /// machine one that runs for a second waits a quarter of an hour for its turn. It is no statement on speed.
    package static var hangGuard: Self { .timeLimit(.minutes(60)) }
}

extension Duration {
    /// How long a test waits for a process that it started: only what hangs takes that long, whatever the machine.
    package static let hangGuard = Duration.seconds(1200)
}
