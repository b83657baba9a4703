/// An arrow only ever points up the table of modules; what is not listed here is not imported.
enum ImportRule {
    /// The modules that each target may import.
    ///
    /// A new entry needs a reason in its commit.
    static let allowed: [String: Set<String>] = [
        "AppleIdentity": ["Foundation"],
        "LimitedTransport": ["AppleIdentity", "Foundation", "FoundationNetworking"],
        // Each system has one of those that are listed together here.
        "SignInKit": [
            "AppleIdentity", "LimitedTransport", "Foundation", "FoundationNetworking", "Crypto",
            "Observation", "AuthenticationServices", "SimulatedAuthenticationServices", "Security",
            "UIKit", "notify",
            "AppKit",
            // The C library, for files that only their owner reads, and a port on the loopback.
            "Darwin", "Glibc", "Musl",
        ],
        "SignInKitUI": [
            "SignInKit", "Foundation", "SwiftUI", "AuthenticationServices", "UIKit", "AppKit",
        ],
        "SignedTokens": ["AppleIdentity", "Foundation", "Crypto", "CryptoExtras"],
        "HTMLPages": ["Foundation", "Mustache"],
        "StrictHTTP": ["AppleIdentity", "NIOCore", "NIOHTTP1"],
        "OpenAPIDescription": ["AppleIdentity", "HTTPTypes"],
        "PrometheusMetrics": ["CoreMetrics", "Synchronization"],
        "TraceContext": ["Instrumentation", "Tracing"],
        "SignInWithApple": [
            "AppleIdentity", "SignedTokens",
            "CoreMetrics", "Foundation", "Synchronization", "Crypto", "HTTPTypes", "Logging",
            "AsyncHTTPClient",
            "Instrumentation", "NIOCore", "NIOHTTP1", "NIOPosix", "Tracing",
        ],
        "SignInWithAppleHummingbird": [
            "AppleIdentity", "SignInWithApple",
            "Foundation", "HTTPTypes", "Hummingbird", "Logging", "NIOCore", "NIOHTTP1",
        ],
        "Accounts": [
            "AppleIdentity", "SignedTokens", "SignInWithApple",
            "CoreMetrics", "Foundation", "Synchronization", "Crypto", "CryptoExtras", "Logging",
            "ServiceLifecycle", "Tracing",
        ],
        "AccountsSQL": ["AppleIdentity", "Accounts", "Foundation"],
        "AccountsSQLite": [
            "AppleIdentity", "SignInWithApple", "Accounts", "AccountsSQL",
            "CoreMetrics", "Foundation", "Synchronization", "GRDB", "GRDBSQLite", "Logging",
            // The C library, for the lock beside the file: one of them on each system.
            "Darwin", "Glibc", "Musl",
        ],
        "AccountsPostgreSQL": [
            "AppleIdentity", "SignInWithApple", "Accounts", "AccountsSQL", "CPostgreSQL",
            // The queue that watches a connection's socket.
            "Dispatch", "CoreMetrics", "Foundation", "Synchronization", "Logging",
        ],
        "MailTransport": ["AppleIdentity", "Foundation", "CCurl"],
        "AccountStoreConformance": ["AppleIdentity", "SignInWithApple", "Accounts", "Foundation"],
        "AccountsServer": [
            "AppleIdentity", "HTMLPages", "OpenAPIDescription", "StrictHTTP", "SignInWithApple",
            "SignInWithAppleHummingbird", "Accounts", "AccountsSQLite", "AccountsPostgreSQL",
            "MailTransport", "PrometheusMetrics", "TraceContext", "Instrumentation", "Tracing",
            "CoreMetrics", "Foundation", "Synchronization", "Configuration", "Crypto", "HTTPTypes",
            "Hummingbird",
            "HummingbirdCore", "Logging", "Mustache", "NIOCore", "NIOHTTPTypes", "ServiceLifecycle",
        ],
        "AppleEmulator": [
            "AppleIdentity", "SignedTokens", "OpenAPIDescription",
            "Foundation", "Synchronization", "Crypto", "CryptoExtras", "HTTPTypes", "Yams",
        ],
        "AppleEmulatorPages": [
            "AppleIdentity", "AppleEmulator", "HTMLPages",
            "Foundation", "Crypto", "HTTPTypes", "Mustache",
        ],
        "AppleEmulatorServer": [
            "AppleIdentity", "AppleEmulator", "AppleEmulatorPages", "HTMLPages",
            "OpenAPIDescription", "StrictHTTP",
            "Foundation", "Synchronization", "AsyncHTTPClient", "Crypto", "HTTPTypes",
            "Hummingbird", "HummingbirdCore", "HummingbirdTLS", "Logging", "NIOCore", "NIOHTTP1",
            "NIOPosix", "NIOSSL", "ServiceLifecycle", "SwiftASN1", "X509",
            // The C library, for a folder's lock and for files that survive a power cut.
            "Darwin", "Glibc", "Musl",
        ],
        // An app's module: nothing but the words, and a URLSession to the control port.
        "SimulatedAuthenticationServices": [
            "AppleIdentity", "LimitedTransport", "Foundation", "FoundationNetworking",
        ],
        "AppleEmulatorTesting": [
            "AppleIdentity", "AppleEmulator", "SignInWithApple",
            // For a device of the emulator in process.
            "SimulatedAuthenticationServices",
            "Foundation", "Synchronization", "HTTPTypes",
        ],
        // Neither the emulator nor the library: it speaks to both as strangers do, over HTTP.
        "SignInChecks": [
            "AppleIdentity", "SignedTokens", "Foundation", "AsyncHTTPClient", "Crypto",
            "CryptoExtras", "NIOCore", "NIOHTTP1", "NIOSSL", "SwiftASN1", "X509",
        ],
        "JuiceApp": ["SignInKit", "Foundation", "Observation"],
        "siwa": [
            "AppleIdentity", "SignedTokens", "SignInWithApple", "Accounts", "AccountsSQLite",
            "AccountsPostgreSQL", "AccountsServer", "AppleEmulator", "AppleEmulatorServer",
            "JuiceApp", "PrometheusMetrics", "SignInChecks", "SignInKit",
            "SimulatedAuthenticationServices", "CoreMetrics",
            "Foundation", "Synchronization", "ArgumentParser", "AsyncHTTPClient", "Configuration",
            "Crypto", "HTTPTypes", "Hummingbird", "Logging", "NIOCore", "NIOHTTP1",
            "NIOPosix", "Observation", "ServiceLifecycle", "UnixSignals", "Yams",
            // The C library, for a free port: one of them on each system.
            "Darwin", "Glibc", "Musl",
        ],
    ]

    static func violations(in file: SourceFile) -> [Violation] {
        let modules = allowed[file.target]
        return imports(of: file).compactMap { line, module in
            guard let modules else {
                let message = "the target \(file.target) is not in the table of ImportRule"
                return Violation(path: file.path, line: line, message: message)
            }
            guard !modules.contains(module) else { return nil }
            let message = "\(file.target) must not import \(module)"
            return Violation(path: file.path, line: line, message: message)
        }
    }

    /// The modules a file imports, with line numbers.
    static func imports(of file: SourceFile) -> [(line: Int, module: String)] {
        file.codeLines.enumerated().compactMap { index, line in
            var words = line.split(separator: " ")[...]
            while let word = words.first, word.hasPrefix("@") || accessLevels.contains(word) {
                words.removeFirst()
            }
            guard words.popFirst() == "import", var name = words.popFirst() else { return nil }
            if kinds.contains(name), let symbol = words.first { name = symbol }
            return (index + 1, String(name.prefix { $0 != "." }))
        }
    }

    private static let accessLevels: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]
    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "func", "let", "var", "typealias",
    ]
}
