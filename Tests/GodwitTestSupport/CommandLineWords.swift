import GodwitModel
package import Testing

/// Gives tests the words of the command line; all others have those of the library.
///
/// What a test runs on a thread of the library keeps the library's.
package struct CommandLineWords: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    // `@concurrent`, because Swift Testing is compiled without our upcoming features:
    // <https://github.com/swiftlang/swift-testing/issues/1570>.
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Wording.ofTask.withValue(.commandLine) { try await function() }
    }
}

extension Trait where Self == CommandLineWords {
    /// For tests of options and commands as people type them.
    package static var commandLineWords: Self { Self() }
}
