package import Testing

extension Trait where Self == TimeLimitTrait {
    /// For tests of what once hung: ends such a test with its name, before CI ends all tests without a name.
    ///
    /// An hour, because the time counts from when the runner accepts the test, and it accepts all tests at once: on a
    /// slow machine a test of a second waits a quarter of an hour for its turn. It says nothing about speed.
    package static var hangGuard: Self { .timeLimit(.minutes(60)) }
}

extension Duration {
    /// How long a test waits for a process that it started; only a process that hangs takes that long, on any machine.
    package static let hangGuard = Duration.seconds(1200)
}
