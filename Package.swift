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
    "Godwit", "GodwitModel", "GodwitFiles", "GodwitSQLite", "GodwitTestSupport", "GodwitPipelineSupport",
    "FoundationLite", grdb,
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

        // Values, errors and reports; then what reads and writes one format or one kind of file.
        stage("GodwitModel", []),
        stage("GodwitJSON", ["GodwitModel", "CTextShim"]),
        stage("GodwitManifest", ["GodwitModel", "Yams"]),
        stage("GodwitFiles", ["GodwitModel", "FoundationLite", "CSystemShim", crypto]),
        stage("GodwitPropertyList", ["GodwitModel", "GodwitJSON", "GodwitFiles"]),
        stage(
            "GodwitSQLite", ["GodwitModel", "GodwitJSON", "GodwitFiles", "CSQLiteShim", "CSystemShim", grdb, crypto]),
        stage("GodwitLedger", ["GodwitModel", "GodwitJSON", "GodwitFiles", "GodwitSQLite"]),
        stage("GodwitCoreData", ["GodwitModel", "GodwitFiles", "GodwitSQLite", "CZlib"]),

        // The stages, in the order in which data flows through them. None imports another.
        stage("GodwitSchema", ["GodwitModel", "GodwitFiles", "GodwitSQLite", "GodwitLedger"]),
        stage(
            "GodwitLegacy",
            ["GodwitModel", "GodwitJSON", "GodwitFiles", "GodwitPropertyList", "GodwitSQLite", "GodwitLedger"]),
        stage("GodwitDedupe", ["GodwitModel", "GodwitSQLite", "GodwitLedger"]),
        stage(
            "GodwitCopy",
            ["GodwitModel", "GodwitJSON", "GodwitFiles", "GodwitPropertyList", "GodwitSQLite", "GodwitLedger"]),
        stage(
            "GodwitBackup",
            [
                "GodwitModel", "GodwitFiles", "GodwitPropertyList", "GodwitSQLite", "GodwitLedger", "GodwitCoreData",
                "FoundationLite",
            ]),
        stage(
            "GodwitExport",
            [
                "GodwitModel", "GodwitJSON", "GodwitFiles", "GodwitSQLite", "FoundationLite", "CSystemShim", "CZlib",
                crypto,
            ]),
        stage("GodwitSync", ["GodwitModel", "FoundationLite"]),
        stage("GodwitInspect", ["GodwitModel", "GodwitFiles", "GodwitSQLite", "GodwitLedger", "GodwitCoreData"]),

        // The one place that knows the order, reports as people and programs read them, and the command.
        stage(
            "Godwit",
            [
                "GodwitModel", "GodwitJSON", "GodwitManifest", "GodwitFiles", "GodwitPropertyList", "GodwitSQLite",
                "GodwitLedger", "GodwitCoreData", "GodwitSchema", "GodwitLegacy", "GodwitDedupe", "GodwitCopy",
                "GodwitBackup", "GodwitExport", "GodwitSync", "GodwitInspect", "FoundationLite", "CSystemShim", grdb,
                logging,
            ]),
        stage("GodwitRender", ["GodwitModel", "FoundationLite"]),
        // The same command for many containers: which, by which process, with what result.
        stage("GodwitFleet", ["Godwit", "GodwitModel", "GodwitFiles", "FoundationLite", "CSystemShim"]),
        // Exports at their times for as long as the process lives.
        stage("GodwitService", ["Godwit", "GodwitModel", "FoundationLite", logging, lifecycle, signals]),
        .executableTarget(
            name: "GodwitCLI",
            dependencies: [
                "Libc", "Godwit", "GodwitModel", "GodwitRender", "GodwitFleet", "GodwitService", "CSystemShim", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // One folder of tests for each target; property lists are tested with what is read from them.
        stage(
            "GodwitTestSupport",
            ["GodwitModel", "GodwitFiles", "GodwitPropertyList", "GodwitSQLite", "FoundationLite", grdb, crypto],
            path: "Tests/GodwitTestSupport"),
        tests("GodwitModelTests", ["GodwitModel", "GodwitTestSupport", "FoundationLite"]),
        tests("GodwitJSONTests", ["GodwitModel", "GodwitJSON", "GodwitTestSupport"]),
        tests("GodwitManifestTests", ["GodwitModel", "GodwitManifest", "GodwitTestSupport"]),
        tests("GodwitFilesTests", ["GodwitModel", "GodwitFiles", "GodwitTestSupport"]),
        tests(
            "GodwitSQLiteTests",
            [
                "GodwitModel", "GodwitJSON", "GodwitFiles", "GodwitSQLite", "GodwitLedger", "GodwitTestSupport",
                "CSQLiteShim", grdb,
            ]),
        tests("GodwitLedgerTests", ["GodwitModel", "GodwitSQLite", "GodwitLedger", "GodwitTestSupport"]),
        tests(
            "GodwitCoreDataTests",
            ["GodwitModel", "GodwitManifest", "GodwitFiles", "GodwitSQLite", "GodwitCoreData", "GodwitTestSupport"]),
        tests(
            "GodwitLegacyTests",
            [
                "GodwitModel", "GodwitManifest", "GodwitFiles", "GodwitPropertyList", "GodwitSQLite", "GodwitLegacy",
                "GodwitTestSupport", "FoundationLite",
            ]),
        tests(
            "GodwitSchemaTests",
            ["GodwitModel", "GodwitFiles", "GodwitSQLite", "GodwitLedger", "GodwitSchema", "GodwitTestSupport"]),
        tests(
            "GodwitDedupeTests",
            ["GodwitModel", "GodwitSQLite", "GodwitLedger", "GodwitDedupe", "GodwitTestSupport", "FoundationLite"]),
        tests(
            "GodwitCopyTests",
            [
                "GodwitModel", "GodwitJSON", "GodwitFiles", "GodwitPropertyList", "GodwitSQLite", "GodwitLedger",
                "GodwitCopy", "GodwitTestSupport",
            ]),
        tests(
            "GodwitExportTests",
            ["GodwitModel", "GodwitJSON", "GodwitFiles", "GodwitSQLite", "GodwitExport", "GodwitTestSupport", crypto]),
        tests("GodwitSyncTests", ["GodwitModel", "GodwitSync"]),
        tests(
            "GodwitInspectTests",
            ["GodwitModel", "GodwitManifest", "GodwitSQLite", "GodwitCoreData", "GodwitInspect", "GodwitTestSupport"]),
        tests("GodwitRenderTests", ["GodwitModel", "GodwitRender", "GodwitTestSupport", "FoundationLite"]),
        stage(
            "GodwitPipelineSupport",
            ["Godwit", "GodwitModel", "GodwitFiles", "GodwitTestSupport", "FoundationLite", grdb],
            path: "Tests/GodwitPipelineSupport"),
        tests("GodwitTests", pipeline + ["GodwitCoreData", "GodwitPropertyList", "GodwitRender"]),
        // The public API: without package access.
        .testTarget(
            name: "GodwitLibraryTests", dependencies: ["Godwit"], packageAccess: false, swiftSettings: asWritten),
        tests("GodwitFleetTests", pipeline + ["GodwitFleet", "GodwitRender"]),
        tests("GodwitServiceTests", pipeline + ["GodwitService"]),
        // Runs that stop, are stopped, or meet others; the sweeps over every system call are Scripts/fault.
        tests("GodwitFaultTests", pipeline),
        // Runs the built executable: the dependency only makes sure that it is built.
        tests("GodwitCLITests", ["GodwitCLI", "GodwitModel", "GodwitTestSupport"]),

        // What is fuzzed, as functions that the fuzzer's executable and a test both call.
        .target(
            name: "GodwitFuzzTargets",
            dependencies: [
                "Libc", "FoundationLite", "Godwit", "GodwitModel", "GodwitJSON", "GodwitManifest", "GodwitFiles",
                "GodwitPropertyList", "GodwitLegacy", "GodwitSQLite", "GodwitCoreData", "GodwitSync", "GodwitExport",
                "CSQLiteShim",
            ],
            path: "Tests/GodwitFuzzTargets", swiftSettings: settings),
        tests(
            "GodwitFuzzTests",
            ["GodwitFuzzTargets", "GodwitModel", "GodwitPropertyList", "GodwitExport", "FoundationLite"]),
    ] + (libFuzzer.map(fuzzer) ?? []),
    swiftLanguageModes: [.v6]
)
