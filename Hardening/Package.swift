// swift-tools-version: 6.2
import PackageDescription

let plain: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
let sanitized = plain + [.unsafeFlags(["-sanitize=address"])]
let instrumented = plain + [.unsafeFlags(["-O", "-sanitize=fuzzer,address"])]

// Apart from the package itself: it compiles the same sources once more, with libFuzzer's counters
// and the address sanitizer in them, and needs dependencies that no other target needs. The folders
// below Sources that have a target's name are links to the package's own.
let package = Package(
    name: "sign-in-with-apple-hardening",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .target(name: "AppleIdentity", swiftSettings: instrumented),
        .target(
            name: "SignedTokens",
            dependencies: ["AppleIdentity", .crypto, .cryptoExtras],
            swiftSettings: instrumented
        ),
        // Without the live transport, which would bring SwiftNIO along and has nothing to fuzz.
        .target(
            name: "SignInWithApple",
            dependencies: [
                "AppleIdentity", "SignedTokens", .coreMetrics, .crypto, .httpTypes,
                .instrumentation, .logging, .tracing,
            ],
            exclude: ["Library/Transport/AppleTransport+Live.swift"],
            swiftSettings: instrumented
        ),
        .target(
            name: "AppleEmulator",
            dependencies: [
                "AppleIdentity", "OpenAPIDescription", "SignedTokens", .crypto, .cryptoExtras,
                .httpTypes, .yams,
            ],
            swiftSettings: plain
        ),
        .target(
            name: "AppleEmulatorTesting",
            dependencies: [
                "AppleIdentity", "AppleEmulator", "SignInWithApple",
                "SimulatedAuthenticationServices", .httpTypes,
            ],
            swiftSettings: plain
        ),
        .target(
            name: "OpenAPIDescription",
            dependencies: ["AppleIdentity", .httpTypes],
            swiftSettings: plain
        ),
        .target(name: "LimitedTransport", dependencies: ["AppleIdentity"], swiftSettings: plain),
        .target(
            name: "SimulatedAuthenticationServices",
            dependencies: ["AppleIdentity", "LimitedTransport"],
            swiftSettings: plain
        ),

        // libFuzzer brings its own main, which the program's own calls.
        .target(name: "CLibFuzzer"),
        .executableTarget(
            name: "siwa-fuzz",
            dependencies: [
                "AppleIdentity", "SignedTokens", "SignInWithApple", "CLibFuzzer", .crypto,
                .httpTypes, .logging,
            ],
            swiftSettings: sanitized,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        ),

        // What jwt-kit says of our tokens, and what we say of its.
        .testTarget(
            name: "SecondOpinionTests",
            dependencies: [
                "AppleIdentity", "SignedTokens", "SignInWithApple", "AppleEmulatorTesting",
                .crypto, .cryptoExtras, .httpTypes, .jwtKit, .logging,
            ],
            swiftSettings: sanitized,
            linkerSettings: [.unsafeFlags(["-sanitize=address", "-use-ld=lld"])]
        ),
    ],
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    static let coreMetrics = product(name: "CoreMetrics", package: "swift-metrics")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let jwtKit = product(name: "JWTKit", package: "jwt-kit")
    static let instrumentation = product(
        name: "Instrumentation",
        package: "swift-distributed-tracing"
    )
    static let logging = product(name: "Logging", package: "swift-log")
    static let tracing = product(name: "Tracing", package: "swift-distributed-tracing")
    static let yams = product(name: "Yams", package: "Yams")
}
