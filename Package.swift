// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "sign-in-with-apple",
    defaultLocalization: "en",
    platforms: [.macOS(.v15), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "SignInWithApple", targets: ["SignInWithApple"]),
        .library(
            name: "SignInWithAppleHummingbird",
            targets: [
                "AccountsAccessTokens", "SignInWithApple", "SignInWithAppleHummingbird",
            ]
        ),
        .library(
            name: "SignInWithAppleVapor",
            targets: ["AccountsAccessTokens", "SignInWithApple", "SignInWithAppleVapor"]
        ),
        .library(name: "AccountsAccessTokens", targets: ["AccountsAccessTokens"]),
        .library(name: "SignInKit", targets: ["SignInKit"]),
        .library(name: "SignInKitUI", targets: ["SignInKitUI"]),
        .library(name: "AppleEmulatorTesting", targets: ["AppleEmulatorTesting"]),
        .library(
            name: "SimulatedAuthenticationServices",
            targets: ["SimulatedAuthenticationServices"]
        ),
        .executable(name: "siwa", targets: ["siwa"]),
    ],
    // A clone needs all of it; a dependent names what it uses, and the app kit needs no trait.
    traits: [
        .trait(name: "Library", description: "SignInWithApple, the server library"),
        .trait(
            name: "Hummingbird",
            description: "SignInWithAppleHummingbird, its routes",
            enabledTraits: ["Library"]
        ),
        .trait(
            name: "Vapor",
            description: "SignInWithAppleVapor, the same for Vapor",
            enabledTraits: ["Library"]
        ),
        .trait(
            name: "Testing",
            description: "AppleEmulatorTesting, Apple's service in your tests",
            enabledTraits: ["Library"]
        ),
        .trait(
            name: "Server",
            description: "the servers, the emulator and siwa",
            enabledTraits: ["Hummingbird", "Testing"]
        ),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(
            url: "https://github.com/apple/swift-configuration",
            from: "1.4.0",
            traits: [.trait(name: "YAML", condition: .when(traits: ["Server"]))]
        ),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The words and the signatures.
        .target(name: "AppleIdentity"),
        .target(
            name: "SignedTokens",
            dependencies: ["AppleIdentity", .crypto, .cryptoExtras]
        ),

        // What the pages of both servers share.
        .target(name: "HTMLPages", dependencies: [.mustache]),

        // What RFC 9112 asks of both servers beyond the parser, and the end of a connection.
        .target(
            name: "StrictHTTP",
            dependencies: ["AppleIdentity", .nioCore, .nioHTTP1, .nioPosix]
        ),

        // What a server's routes do, as OpenAPI writes it.
        .target(name: "OpenAPIDescription", dependencies: ["AppleIdentity", .httpTypes]),

        // Metrics, as a Prometheus server reads them.
        .target(name: "PrometheusMetrics", dependencies: [.coreMetrics]),

        // A browser without scripts: cookies, redirects and forms.
        .target(name: "WebBrowsing", dependencies: ["AppleIdentity"]),

        // What the app side and the simulated device share: one exchange, with limits.
        .target(name: "LimitedTransport", dependencies: ["AppleIdentity"]),

        // The app side.
        .target(
            name: "SignInKit",
            dependencies: [
                "AppleIdentity", "LimitedTransport",
                .target(
                    name: "SimulatedAuthenticationServices",
                    condition: .when(platforms: [.linux])
                ),
                .crypto,
            ],
            resources: [.process("Resources")]
        ),
        .target(
            name: "SignInKitUI",
            dependencies: ["SignInKit"],
            resources: [.process("Resources")]
        ),

        // The server library, and its routes.
        .target(
            name: "SignInWithApple",
            dependencies: [
                "AppleIdentity", "SignedTokens", "StrictHTTP", .crypto, .httpTypes, .logging,
                .asyncHTTPClient, .coreMetrics, .instrumentation, .nioCore, .nioHTTP1, .nioPosix,
                .serviceLifecycle,
                .tracing,
            ]
        ),
        .target(
            name: "AccountsAccessTokens",
            dependencies: [
                "AppleIdentity", "SignInWithApple", .coreMetrics, .httpTypes, .logging,
            ]
        ),
        .target(
            name: "SignInWithAppleHummingbird",
            dependencies: [
                "AccountsAccessTokens", "AppleIdentity", "SignInWithApple", .httpTypes,
                .hummingbird, .logging, .nioCore,
                .nioHTTP1,
            ]
        ),
        .target(
            name: "SignInWithAppleVapor",
            dependencies: [
                "AccountsAccessTokens", "AppleIdentity", "SignInWithApple", .httpTypes, .logging,
                .nioCore, .nioHTTP1, .vapor,
            ]
        ),

        // The accounts server.
        .target(
            name: "Accounts",
            dependencies: [
                "AppleIdentity", "SignedTokens", "SignInWithApple", .coreMetrics, .crypto,
                .cryptoExtras, .logging, .serviceLifecycle,
            ],
            resources: [.embedInCode("Resources")]
        ),
        .target(
            name: "AccountsSQLite",
            dependencies: [
                "AppleIdentity", "SignInWithApple", "Accounts", .coreMetrics, .grdb,
                .grdbSQLite, .logging,
            ]
        ),
        .systemLibrary(
            name: "CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(
            name: "AccountsPostgreSQL",
            dependencies: [
                "AppleIdentity", "SignInWithApple", "Accounts", "CPostgreSQL",
                .coreMetrics, .logging,
            ]
        ),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .target(name: "MailTransport", dependencies: ["AppleIdentity", "CCurl"]),
        .target(
            name: "AccountsServer",
            dependencies: [
                "AppleIdentity", "HTMLPages", "OpenAPIDescription", "StrictHTTP",
                "SignInWithApple",
                "SignInWithAppleHummingbird", "Accounts", "AccountsSQLite", "AccountsPostgreSQL",
                "MailTransport", "PrometheusMetrics", .configuration, .coreMetrics, .crypto,
                .hummingbird, .hummingbirdCore, .mustache, .httpTypes, .logging,
                .serviceLifecycle, .nioCore, .nioHTTPTypes,
            ],
            resources: [.embedInCode("Resources")]
        ),

        // The device: Apple's framework for systems that do not have it.
        .target(
            name: "SimulatedAuthenticationServices",
            dependencies: ["AppleIdentity", "LimitedTransport"]
        ),

        // Apple in a box.
        .target(
            name: "AppleEmulator",
            dependencies: [
                "AppleIdentity", "SignedTokens", "OpenAPIDescription", .crypto, .cryptoExtras,
                .httpTypes, .yams,
            ]
        ),
        .target(
            name: "AppleEmulatorPages",
            dependencies: [
                "AppleIdentity", "AppleEmulator", "HTMLPages", .crypto, .httpTypes, .mustache,
            ],
            resources: [.embedInCode("Resources")]
        ),
        .target(
            name: "AppleEmulatorServer",
            dependencies: [
                "AppleIdentity", "AppleEmulator", "AppleEmulatorPages", "HTMLPages",
                "OpenAPIDescription",
                "StrictHTTP", .asn1,
                .asyncHTTPClient, .crypto, .hummingbird, .hummingbirdCore, .hummingbirdTLS,
                .httpTypes, .logging,
                .serviceLifecycle,
                .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .x509,
            ]
        ),
        .target(
            name: "AppleEmulatorTesting",
            dependencies: [
                "AccountsAccessTokens", "AppleIdentity", "AppleEmulator", "SignInWithApple",
                "SimulatedAuthenticationServices", "WebBrowsing", .httpTypes,
            ]
        ),

        // Whether somebody's own server is defended.
        .target(
            name: "SignInChecks",
            dependencies: [
                "AppleIdentity", "SignedTokens", "StrictHTTP", "WebBrowsing", .asn1,
                .asyncHTTPClient, .crypto, .cryptoExtras, .nioCore, .nioHTTP1, .nioSSL, .x509,
            ]
        ),

        // The sample app without a face.
        .target(name: "JuiceApp", dependencies: ["SignInKit"]),

        // The command.
        .executableTarget(
            name: "siwa",
            dependencies: [
                "AppleIdentity", "SignedTokens", "SignInWithApple", "Accounts", "AccountsSQLite",
                "AccountsPostgreSQL", "AccountsServer", "AppleEmulator", "AppleEmulatorServer",
                "JuiceApp", "PrometheusMetrics", "SignInChecks", "SignInKit",
                "SimulatedAuthenticationServices", "StrictHTTP", .argumentParser, .asyncHTTPClient,
                .configuration, .coreMetrics, .crypto, .httpTypes, .hummingbird,
                .logging,
                .nioCore, .nioHTTP1, .nioPosix, .serviceLifecycle, .unixSignals, .yams,
            ]
        ),

        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(
            name: "ServerTestSupport",
            dependencies: [
                "Accounts", "AccountsSQLite", "AppleEmulator", "AppleEmulatorServer",
                "AppleIdentity", .crypto, .grdb, .hummingbird, .hummingbirdCore, .logging,
                .nioCore, .serviceLifecycle,
            ],
            path: "Tests/ServerTestSupport"
        ),
        .target(
            name: "AccountStoreConformance",
            dependencies: ["AppleIdentity", "SignInWithApple", "Accounts"],
            path: "Tests/AccountStoreConformance"
        ),
        .testTarget(name: "AppleIdentityTests", dependencies: ["AppleIdentity", "TestSupport"]),
        .testTarget(
            name: "SignedTokensTests",
            dependencies: ["SignedTokens", "AppleIdentity", .crypto, .cryptoExtras],
            exclude: ["Vectors"]
        ),
        .testTarget(
            name: "SignInWithAppleTests",
            dependencies: [
                "TestSupport", "ServerTestSupport", "AccountsAccessTokens",
                "SignInWithApple", "SignedTokens", "AppleIdentity", "AppleEmulator",
                "AppleEmulatorServer", "AppleEmulatorTesting", .asyncHTTPClient, .crypto,
                .cryptoExtras, .httpTypes, .hummingbird, .hummingbirdCore, .hummingbirdTLS,
                .inMemoryTracing, .logging, .nioCore,
                .nioPosix, .nioSSL, .serviceLifecycle,
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "SignInWithAppleHummingbirdTests",
            dependencies: [
                "ServerTestSupport", "TestSupport",
                "AccountsAccessTokens", "SignInWithAppleHummingbird", "SignInWithApple",
                "AppleIdentity", "AppleEmulator", "AppleEmulatorServer", "AppleEmulatorTesting",
                .httpTypes,
                .hummingbird, .hummingbirdTesting, .logging, .nioCore,
            ]
        ),
        .testTarget(
            name: "AppleEmulatorTests",
            dependencies: [
                "AppleEmulator", "AppleEmulatorPages", "AppleEmulatorTesting", "SignInWithApple",
                "AppleIdentity", "SignedTokens", .crypto, .cryptoExtras, .httpTypes,
            ]
        ),
        .testTarget(
            name: "AppleEmulatorPagesTests",
            dependencies: [
                "AppleEmulatorPages", "AppleEmulator", "AppleEmulatorTesting", "AppleIdentity",
                "HTMLPages", .crypto, .httpTypes,
            ]
        ),
        .testTarget(
            name: "AppleEmulatorServerTests",
            dependencies: [
                "TestSupport", "ServerTestSupport",
                "AppleEmulatorServer", "AppleEmulator", "AppleEmulatorPages", "AppleIdentity",
                "HTMLPages", "SignedTokens", .asn1, .crypto, .hummingbird, .hummingbirdTesting,
                .httpTypes,
                .asyncHTTPClient,
                .logging, .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .serviceLifecycle, .x509, .yams,
            ]
        ),
        .testTarget(
            name: "SimulatedAuthenticationServicesTests",
            dependencies: [
                "TestSupport", "ServerTestSupport",
                "SimulatedAuthenticationServices", "LimitedTransport", "AppleEmulator",
                "AppleEmulatorServer", "AppleEmulatorTesting", "AppleIdentity", "SignInWithApple",
                .logging,
                .serviceLifecycle,
            ]
        ),
        .testTarget(
            name: "AccountsTests",
            dependencies: [
                "TestSupport", "ServerTestSupport",
                "Accounts", "AccountStoreConformance", "AccountsSQLite",
                "AppleIdentity", "SignInWithApple", "SignedTokens", "AppleEmulator",
                "AppleEmulatorTesting", .crypto,
                .grdb, .httpTypes, .logging,
            ]
        ),
        .testTarget(
            name: "AccountsPostgreSQLTests",
            dependencies: [
                "TestSupport", "ServerTestSupport",
                "AccountsPostgreSQL", "Accounts", "AccountStoreConformance",
                "AccountsSQLite", "AppleIdentity", "SignInWithApple", "PrometheusMetrics",
                .coreMetrics, .logging,
                .nioCore, .nioPosix,
            ]
        ),
        .testTarget(
            name: "PrometheusMetricsTests",
            dependencies: ["PrometheusMetrics", .coreMetrics]
        ),
        .testTarget(
            name: "MailTransportTests",
            dependencies: ["TestSupport", "MailTransport"],
            exclude: ["mail_server.py"]
        ),
        .testTarget(
            name: "AccountsServerTests",
            dependencies: [
                "TestSupport", "ServerTestSupport",
                "AccountsServer", "Accounts", "AccountStoreConformance", "AccountsPostgreSQL",
                "AccountsSQLite",
                "AppleIdentity", "HTMLPages", "MailTransport", "OpenAPIDescription",
                "PrometheusMetrics",
                "SignInWithApple", "SignInWithAppleHummingbird", "StrictHTTP", "AppleEmulator",
                "AppleEmulatorServer", "AppleEmulatorTesting", .asyncHTTPClient, .configuration,
                .coreMetrics, .crypto, .grdb, .hummingbird, .hummingbirdCore, .serviceLifecycle,
                .hummingbirdTesting, .httpTypes, .nioCore, .nioEmbedded, .nioHTTP1, .nioHTTPTypes,
                .nioPosix, .logging,
            ]
        ),
        .testTarget(
            name: "SignInKitTests",
            dependencies: [
                "TestSupport", "ServerTestSupport",
                "SignInKit", "SignInKitUI", "JuiceApp", "SimulatedAuthenticationServices",
                "Accounts", "AccountsServer",
                "AccountsSQLite", "AppleEmulator", "AppleEmulatorServer", "AppleEmulatorTesting",
                "AppleIdentity", .crypto, .grdb, .httpTypes, .hummingbird, .hummingbirdTesting,
                .logging, .nioCore, .serviceLifecycle,
            ]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TestSupport",
                "siwa", "AppleEmulator", "AppleEmulatorTesting", "AppleIdentity", "JuiceApp",
                "MailTransport", "SignInKit", "SignInWithApple", "SimulatedAuthenticationServices",
                .asyncHTTPClient, .crypto, .nioCore, .nioHTTP1,
            ],
            exclude: ["PowerCut/forgetful.c"]
        ),
        .testTarget(
            name: "SignInChecksTests",
            dependencies: [
                "ServerTestSupport", "SignInChecks", "AppleEmulator", "AppleEmulatorServer",
                "AppleIdentity",
                "SignInWithApple", "SignInWithAppleHummingbird", .httpTypes, .hummingbird,
                .hummingbirdTesting, .logging, .nioCore, .nioPosix, .serviceLifecycle,
            ]
        ),
        .testTarget(name: "SignInKitUITests", dependencies: ["SignInKitUI", "SignInKit"]),
        // SignInKit for its module, against which code of apps is type-checked.
        .testTarget(
            name: "TidyTests",
            dependencies: [
                "HTMLPages", "TestSupport", "SignInKit", "SimulatedAuthenticationServices",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The folders of Sources, by the side of the drawing in ARCHITECTURE.md that a target belongs to.
let folders = [
    "App": ["JuiceApp", "SignInKit", "SignInKitUI", "SimulatedAuthenticationServices"],
    "Server": [
        "Accounts", "AccountsAccessTokens", "AccountsPostgreSQL", "AccountsSQLite",
        "AccountsServer", "CCurl", "CPostgreSQL", "MailTransport", "PrometheusMetrics",
        "SignInWithApple",
        "SignInWithAppleHummingbird", "SignInWithAppleVapor",
    ],
    "Emulator": [
        "AppleEmulator", "AppleEmulatorPages", "AppleEmulatorServer", "AppleEmulatorTesting",
    ],
    "Shared": [
        "AppleIdentity", "HTMLPages", "LimitedTransport", "OpenAPIDescription", "SignedTokens",
        "StrictHTTP", "WebBrowsing",
    ],
    "Command": ["SignInChecks", "siwa"],
]
for (folder, names) in folders {
    for target in package.targets where names.contains(target.name) {
        target.path = "Sources/\(folder)/\(target.name)"
    }
}

// Comparing needs a dependency that nobody else needs: `make bench` asks for it.
if Context.environment["SIWA_BENCHMARKS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"))
    package.targets.append(
        .executableTarget(
            name: "siwa-bench",
            dependencies: [
                "SignInWithApple", "Accounts", "AccountsPostgreSQL", "AccountsServer",
                "AppleEmulator", "AppleEmulatorServer", "AppleIdentity",
                .asyncHTTPClient, .crypto, .cryptoExtras, .grdb, .grdbSQLite, .httpTypes,
                .hummingbird, .logging, .nioCore, .nioHTTP1, .nioPosix,
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            path: "Benchmarks/Sources/siwa-bench"
        )
    )
}

// SwiftPM fetches Vapor for its trait only, except for `dump-symbol-graph` and if no target names it.
let withoutVapor = ["SIWA_WITHOUT_VAPOR", "SIWA_HARDENING"]
if withoutVapor.allSatisfy({ Context.environment[$0] == nil }) {
    package.dependencies.append(.package(url: "https://github.com/vapor/vapor", from: "4.122.0"))
} else {
    package.products.removeAll { $0.name == "SignInWithAppleVapor" }
    package.targets.removeAll { $0.name == "SignInWithAppleVapor" }
}

if Context.environment["SIWA_HARDENING"] != nil { package.harden() }

for target in package.targets where target.type != .system {
    let flags = target.swiftSettings ?? []
    target.swiftSettings =
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            // A call stays on the executor of its caller, without a change of threads.
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            // A dependent names its traits, and a newer compiler's warning should not stop its build.
            .treatAllWarnings(as: .error, .when(traits: ["Server"])),
        ] + flags
}

extension Package {
    /// Adds the fuzz targets and the second opinion, and compiles what they test with sanitizers; only
    /// `make fuzz` and `make second-opinion` ask for it.
    func harden() {
        let fuzz = Target.executableTarget(
            name: "siwa-fuzz",
            dependencies: [
                "AppleIdentity", "SignedTokens", "SignInWithApple", "CLibFuzzer",
                .crypto, .httpTypes, .logging,
            ],
            path: "Tests/Hardening/siwa-fuzz",
            swiftSettings: [.unsafeFlags(["-sanitize=address"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        )
        // What jwt-kit says of our tokens, and what we say of its.
        let secondOpinion = Target.testTarget(
            name: "SecondOpinionTests",
            dependencies: [
                "AppleIdentity", "SignedTokens", "SignInWithApple", "AppleEmulatorTesting",
                .crypto, .cryptoExtras, .httpTypes, .logging,
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            path: "Tests/Hardening/SecondOpinionTests",
            swiftSettings: [.unsafeFlags(["-sanitize=address"])],
            linkerSettings: [.unsafeFlags(["-sanitize=address", "-use-ld=lld"])]
        )
        dependencies.append(.package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"))
        // libFuzzer brings its own main, which the program's own calls.
        targets += [
            fuzz, secondOpinion, .target(name: "CLibFuzzer", path: "Tests/Hardening/CLibFuzzer"),
        ]
        products = []
        let used = targets(reachedFrom: [fuzz, secondOpinion])
        targets.removeAll { !used.contains($0.name) }
        let fuzzed = ["AppleIdentity", "SignedTokens", "SignInWithApple"]
        for target in targets where fuzzed.contains(target.name) {
            target.swiftSettings = [.unsafeFlags(["-O", "-sanitize=fuzzer,address"])]
        }
    }

    private func targets(reachedFrom roots: [Target]) -> Set<String> {
        roots.reduce(into: []) { names, target in
            let needed = target.dependencies.compactMap { dependency in
                if case .byNameItem(let name, _) = dependency { name } else { nil }
            }
            names.insert(target.name)
            names.formUnion(targets(reachedFrom: targets.filter { needed.contains($0.name) }))
        }
    }
}

/// What a dependent resolves follows from its traits: the app kit needs none.
extension Target.Dependency {
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")

    static let asyncHTTPClient = library("AsyncHTTPClient", "async-http-client")
    static let coreMetrics = library("CoreMetrics", "swift-metrics")
    static let httpTypes = library("HTTPTypes", "swift-http-types")
    static let instrumentation = library("Instrumentation", "swift-distributed-tracing")
    static let logging = library("Logging", "swift-log")
    static let nioCore = library("NIOCore", "swift-nio")
    static let nioHTTP1 = library("NIOHTTP1", "swift-nio")
    static let nioPosix = library("NIOPosix", "swift-nio")
    static let serviceLifecycle = library("ServiceLifecycle", "swift-service-lifecycle")
    static let tracing = library("Tracing", "swift-distributed-tracing")

    static let argumentParser = server("ArgumentParser", "swift-argument-parser")
    static let asn1 = server("SwiftASN1", "swift-asn1")
    static let configuration = server("Configuration", "swift-configuration")
    static let grdb = server("GRDB", "GRDB.swift")
    /// SQLite's C functions, for the flush that GRDB does not offer.
    static let grdbSQLite = server("GRDBSQLite", "GRDB.swift")
    static let hummingbird = product(
        name: "Hummingbird",
        package: "hummingbird",
        condition: .when(traits: ["Hummingbird"])
    )
    static let hummingbirdCore = server("HummingbirdCore", "hummingbird")
    static let hummingbirdTLS = server("HummingbirdTLS", "hummingbird")
    static let hummingbirdTesting = server("HummingbirdTesting", "hummingbird")
    static let inMemoryTracing = server("InMemoryTracing", "swift-distributed-tracing")
    static let mustache = server("Mustache", "swift-mustache")
    static let nioEmbedded = server("NIOEmbedded", "swift-nio")
    static let nioHTTPTypes = server("NIOHTTPTypes", "swift-nio-extras")
    static let nioSSL = server("NIOSSL", "swift-nio-ssl")
    static let unixSignals = server("UnixSignals", "swift-service-lifecycle")
    static let vapor = product(
        name: "Vapor",
        package: "vapor",
        condition: .when(traits: ["Vapor"])
    )
    static let x509 = server("X509", "swift-certificates")
    static let yams = product(
        name: "Yams",
        package: "Yams",
        condition: .when(traits: ["Testing"])
    )

    private static func library(_ name: String, _ package: String) -> Self {
        product(name: name, package: package, condition: .when(traits: ["Library"]))
    }

    private static func server(_ name: String, _ package: String) -> Self {
        product(name: name, package: package, condition: .when(traits: ["Server"]))
    }
}
