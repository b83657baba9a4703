import AppleIdentity
import Foundation
import NIOSSL
import Testing

@testable import AppleEmulatorServer

// Fidelity: registration-22, registration-23
/// Apple's port over TLS, on real sockets.
@Suite struct SecurePortTests {
    @Test func eachHostAnswersWhoTrustsTheAuthorityAlone() async throws {
        try await withSecurePort { port in
            for name in AppleHosts.names {
                let answer = try await port.get("https://\(name):\(port.number)/auth/keys")
                #expect(answer.status == 200)
                #expect(answer.text.contains("\"keys\""))
            }
        }
    }

    @Test(arguments: ["appleid.apple.com", "account.apple.com"])
    func discoveryLeadsToTheHostThatWasAsked(name: String) async throws {
        try await withSecurePort { port in
            let url = "https://\(name):\(port.number)/.well-known/openid-configuration"
            // As clients ask whose way to the usual port is redirected.
            let answer = try await port.get(url, host: name)
            let object = try JSONValue(parsing: Data(answer.text.utf8)).objectValue
            #expect(object?["issuer"] == "https://appleid.apple.com")
            #expect(object?["jwks_uri"] == .string("https://\(name)/auth/keys"))
            #expect(object?["token_endpoint"] == .string("https://\(name)/auth/token"))
        }
    }

    @Test func theSheetsCookieIsForTLSAlone() async throws {
        try await withSecurePort { port in
            let base = "https://appleid.apple.com:\(port.number)"
            let answer = try await port.get(base + "/account", host: "appleid.apple.com")
            #expect(answer.status == 200)
            for cookie in answer.cookies { #expect(cookie.contains("; Secure")) }
        }
    }

    @Test(arguments: [
        "example.com", "www.apple.com", "127.0.0.1", "appleid.apple.com.example.com", "",
    ])
    func aRequestForAnotherHostIsMisdirected(host: String) async throws {
        try await withSecurePort { port in
            let url = "https://appleid.apple.com:\(port.number)/auth/keys"
            let answer = try await port.get(url, host: host)
            #expect(answer.status == 421)
            #expect(answer.text.contains("this port serves only appleid.apple.com"))
        }
    }

    @Test(arguments: ["example.com", "127.0.0.1"])
    func aClientRefusesTheCertificateForAnotherName(name: String) async throws {
        try await withSecurePort { port in
            await #expect(throws: (any Error).self) {
                try await port.get("https://\(name):\(port.number)/auth/keys")
            }
        }
    }

    @Test func aClientThatDoesNotTrustTheAuthorityRefuses() async throws {
        try await withSecurePort(trusting: try LocalAuthority.make(at: Date())) { port in
            await #expect(throws: (any Error).self) {
                try await port.get("https://appleid.apple.com:\(port.number)/auth/keys")
            }
        }
    }

    @Test func plainRequestsToThePortGetNoAnswer() async throws {
        try await withSecurePort { port in
            await #expect(throws: (any Error).self) {
                try await port.get("http://appleid.apple.com:\(port.number)/auth/keys")
            }
            let answer = try await port.get("https://appleid.apple.com:\(port.number)/auth/keys")
            #expect(answer.status == 200)
        }
    }
}
