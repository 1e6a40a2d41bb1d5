// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same rules: Swift 6, each upcoming feature of 6.3, and no warning left standing.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// Where `Scripts/fuzz` found libFuzzer; nil in every other build, which then knows nothing of fuzzing.
let libFuzzer = Context.environment["GODWIT_LIBFUZZER"]

/// Under the fuzzer our own code reports which of its edges ran, and assertions stay on in the optimised build.
let instrumented =
    libFuzzer == nil ? settings : settings + [.unsafeFlags(["-sanitize=fuzzer", "-assert-config", "Debug"])]

/// A target of ours: named once, with the shared settings.
func stage(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies + ["Libc"], path: path, swiftSettings: instrumented)
}

/// The executable that `Scripts/fuzz` runs: the targets, libFuzzer's driver, and a clock that saves waiting.
func fuzzer(_ library: String) -> [Target] {
    [
        .target(name: "CFuzzClock", path: "Tests/Fuzz/CFuzzClock"),
        .executableTarget(
            name: "godwit-fuzz", dependencies: ["GodwitFuzzTargets", "CFuzzClock", "Libc"], path: "Tests/Fuzz/Driver",
            swiftSettings: settings, linkerSettings: [.unsafeFlags([library, "-lstdc++", "-lm"])]),
    ]
}

/// Tests run against what is shipped, so the release build has them as well: as they are written, since to optimise them
/// takes longer than to run them.
let asWritten: [SwiftSetting] = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["Libc"], swiftSettings: asWritten)
}

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

/// What tests of the whole pipeline need.
let pipeline: [Target.Dependency] = [
    "Godwit", "GodwitModel", "GodwitStore", "GodwitTestSupport", "GodwitPipelineSupport", grdb,
]

let package = Package(
    name: "Godwit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Godwit", targets: ["Godwit"]),
        .executable(name: "godwit", targets: ["GodwitCLI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The C side: a system library, the SQLite calls that Swift can't make because they are variadic, a few calls of the
        // system that Swift does not see, and what is done to each byte of each text.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "CSQLiteShim", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CSystemShim"),
        .target(name: "CTextShim"),

        // One file each: the only ones that name a system's C library or choose between two Foundations.
        .target(name: "Libc", swiftSettings: settings),
        .target(name: "FoundationLite", swiftSettings: settings),

        // The vocabulary, then the stages in the order in which data flows through them.
        stage("GodwitModel", ["Yams", "CTextShim"]),
        stage("GodwitStore", ["FoundationLite", "GodwitModel", "CSQLiteShim", "CSystemShim", "CZlib", grdb, crypto]),
        stage("GodwitLegacy", ["GodwitModel"]),
        stage("GodwitMigrate", ["GodwitModel", "GodwitStore", grdb]),
        stage("GodwitDedupe", ["GodwitModel", "GodwitStore", grdb]),
        stage("GodwitCopy", ["FoundationLite", "GodwitModel", "GodwitStore", grdb]),
        stage("GodwitBackup", ["FoundationLite", "GodwitModel", "GodwitStore"]),
        stage("GodwitExport", ["FoundationLite", "GodwitModel", "GodwitStore", "CSystemShim", "CZlib", crypto]),
        stage("GodwitSync", ["FoundationLite", "GodwitModel"]),
        stage("GodwitInspect", ["GodwitModel", "GodwitStore"]),
        stage("GodwitReport", ["FoundationLite", "GodwitModel"]),

        // The one place that knows the order, and the command that calls it.
        stage(
            "Godwit",
            [
                "FoundationLite",
                "GodwitModel", "GodwitStore", "GodwitLegacy", "GodwitMigrate", "GodwitDedupe", "GodwitCopy",
                "GodwitBackup", "GodwitExport", "GodwitSync", "GodwitInspect", "CSystemShim", grdb, logging,
            ]),
        // The same command for many containers: which, by whom, what came of them.
        stage("GodwitFleet", ["FoundationLite", "Godwit", "GodwitModel", "GodwitStore", "CSystemShim"]),
        // Exports at their times for as long as the process lives.
        stage("GodwitService", ["FoundationLite", "Godwit", "GodwitModel", logging, lifecycle, signals]),
        .executableTarget(
            name: "GodwitCLI",
            dependencies: [
                "Libc", "Godwit", "GodwitModel", "GodwitReport", "GodwitFleet", "GodwitService", "CSystemShim", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // One folder of tests for each target.
        stage(
            "GodwitTestSupport", ["FoundationLite", "GodwitModel", "GodwitStore", grdb, crypto],
            path: "Tests/GodwitTestSupport"),
        tests("GodwitModelTests", ["FoundationLite", "GodwitModel"]),
        tests("GodwitStoreTests", ["GodwitModel", "GodwitStore", "GodwitTestSupport", "CSQLiteShim", grdb]),
        tests("GodwitLegacyTests", ["GodwitModel", "GodwitLegacy"]),
        tests(
            "GodwitMigrateTests",
            ["FoundationLite", "GodwitModel", "GodwitStore", "GodwitMigrate", "GodwitTestSupport", grdb]),
        tests(
            "GodwitDedupeTests",
            ["FoundationLite", "GodwitModel", "GodwitStore", "GodwitDedupe", "GodwitTestSupport", grdb]),
        tests("GodwitCopyTests", ["GodwitModel", "GodwitStore", "GodwitCopy", "GodwitTestSupport", grdb]),
        tests("GodwitExportTests", ["GodwitModel", "GodwitStore", "GodwitExport", "GodwitTestSupport", grdb, crypto]),
        tests("GodwitSyncTests", ["GodwitModel", "GodwitSync"]),
        tests("GodwitInspectTests", ["GodwitModel", "GodwitStore", "GodwitInspect", "GodwitTestSupport"]),
        tests("GodwitReportTests", ["FoundationLite", "GodwitModel", "GodwitReport", "GodwitTestSupport"]),
        stage(
            "GodwitPipelineSupport",
            ["FoundationLite", "Godwit", "GodwitModel", "GodwitStore", "GodwitTestSupport", grdb],
            path: "Tests/GodwitPipelineSupport"),
        tests("GodwitTests", pipeline + ["FoundationLite", "GodwitReport"]),
        tests("GodwitFleetTests", pipeline + ["GodwitFleet", "GodwitReport"]),
        tests("GodwitServiceTests", pipeline + ["GodwitService"]),
        // Runs that stop, are stopped, or meet others; the sweeps over every system call are Scripts/fault.
        tests("GodwitFaultTests", pipeline),
        // Runs the built executable: the dependency only makes sure that it is built.
        tests("GodwitCLITests", ["GodwitCLI", "GodwitModel", "GodwitStore", "GodwitTestSupport", grdb]),

        // What is fuzzed, as functions that the fuzzer's executable and a test both call.
        .target(
            name: "GodwitFuzzTargets",
            dependencies: [
                "Libc", "FoundationLite", "Godwit", "GodwitModel", "GodwitLegacy", "GodwitStore", "GodwitSync",
                "GodwitExport", "CSQLiteShim",
            ],
            path: "Tests/GodwitFuzzTargets", swiftSettings: settings),
        tests(
            "GodwitFuzzTests",
            ["FoundationLite", "GodwitFuzzTargets", "GodwitModel", "GodwitLegacy", "GodwitStore", "GodwitExport"]),
    ] + (libFuzzer.map(fuzzer) ?? []),
    swiftLanguageModes: [.v6]
)
