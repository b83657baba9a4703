import AppleEmulator
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import ServerTestSupport
import Testing

@testable import AppleEmulatorServer

/// A running port, and a client that finds every name there.
struct SecurePort {
    struct Answer {
        let status: UInt
        let text: String
        let cookies: [String]
    }

    let number: Int
    let client: HTTPClient

    @discardableResult func get(_ url: String, host: String? = nil) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        if let host { request.headers.replaceOrAdd(name: "Host", value: host) }
        let response = try await client.execute(request, timeout: .seconds(10))
        let body = try await response.body.collect(upTo: 1024 * 1024)
        return Answer(
            status: response.status.code,
            text: String(buffer: body),
            cookies: response.headers["Set-Cookie"]
        )
    }
}

/// Runs the body beside an emulator that serves Apple's names over TLS.
///
/// - Parameters:
///   - trusted: whom the client trusts; nil for the emulator's own authority.
///   - body: what to do.
/// - Throws: what the body throws, and when the emulator does not start.
func withSecurePort(
    trusting trusted: LocalAuthority? = nil,
    _ body: @Sendable (SecurePort) async throws -> Void
) async throws {
    let authority = try LocalAuthority.make(at: Date())
    let emulator = try await makeEmulator(of: Seed())
    let configuration = try clientConfiguration(trusting: trusted ?? authority)
    try await HTTPClient.withHTTPClient(configuration: configuration) { client in
        let listener = TLSListener(port: 0, authority: authority)
        try await withEmulatorService(emulator, tls: listener) { addresses in
            let port = addresses.tls?.split(separator: ":").last.flatMap { Int($0) }
            try await body(SecurePort(number: try #require(port), client: client))
        }
    }
}

private func clientConfiguration(
    trusting authority: LocalAuthority
) throws -> HTTPClient.Configuration {
    let certificate = try NIOSSLCertificate(
        bytes: Array(authority.certificatePEM.utf8),
        format: .pem
    )
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates([certificate])
    var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
    configuration.connectionPool.retryConnectionEstablishment = false
    let names = AppleHosts.names + ["example.com"]
    configuration.dnsOverride = Dictionary(uniqueKeysWithValues: names.map { ($0, "127.0.0.1") })
    return configuration
}
