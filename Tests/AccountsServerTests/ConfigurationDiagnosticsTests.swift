import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignInWithApple
import Testing

/// A valid configuration passes every check; with one mistake, exactly one line fails.
@Suite struct ConfigurationDiagnosticsTests {
    private static let keyID = "ABC123DEFG"

    private func report(
        clockAheadBy seconds: TimeInterval = 0,
        breaking change: (inout DiagnosticSettings) -> Void = { _ in },
        through transport: @escaping (AppleTransport) -> AppleTransport = { $0 }
    ) async throws -> DiagnosticReport {
        try await withAppleEmulator { apple in
            var settings = DiagnosticSettings()
            settings.teamID = "DEF123GHIJ"
            settings.keyID = Self.keyID
            settings.keyText = P256.Signing.PrivateKey().pemRepresentation
            settings.keyFileName = "AuthKey_\(Self.keyID).p8"
            settings.clientIDs = ["com.example.juice"]
            settings.servicesIDs = ["com.example.juice.web"]
            settings.redirectURIs = ["https://juice.example.com/sign-in/apple/callback"]
            change(&settings)
            return await ConfigurationDiagnostics(
                settings,
                transport: transport(apple.transport),
                time: ManualTime(now: apple.time.now + seconds).source
            )
            .run()
        }
    }

    private func expectOneFailure(
        _ check: String,
        _ words: String,
        in report: DiagnosticReport,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let failures = report.findings.filter { $0.outcome == .failure }
        #expect(report.hasFailure, sourceLocation: sourceLocation)
        #expect(failures.map(\.check) == [check], sourceLocation: sourceLocation)
        #expect(
            failures.first?.advice.contains(words) == true,
            "\(failures)",
            sourceLocation: sourceLocation
        )
    }

    @Test func goodConfigurationPasses() async throws {
        let report = try await report()
        #expect(report.findings.allSatisfy { $0.outcome == .ok }, "\(report.text)")
        #expect(
            report.findings.map(\.check) == [
                "team ID", "key ID", "key file", "bundle ID", "Services ID", "redirect address",
                "Apple's keys", "clock", "issuer", "client secret",
            ]
        )
        #expect(report.text.contains("3 RSA keys"))
        #expect(report.text.contains("a made-up code proves nothing"))
        #expect(!report.text.contains("PRIVATE KEY"))
    }

    @Test func malformedNames() async throws {
        let team = try await report { $0.teamID = "Juice Makers" }
        expectOneFailure("team ID", "ten capital letters", in: team)
        let key = try await report { $0.keyID = "abc123defg" }
        expectOneFailure("key ID", "AuthKey_", in: key)
        let same = try await report { $0.keyID = $0.teamID }
        expectOneFailure("key ID", "this is the team ID", in: same)
    }

    @Test func keyFiles() async throws {
        let publicKey = try await report {
            $0.keyText = P256.Signing.PrivateKey().publicKey.pemRepresentation
        }
        expectOneFailure("key file", "public key", in: publicKey)
        let otherCurve = try await report {
            $0.keyText = P384.Signing.PrivateKey().pemRepresentation
        }
        expectOneFailure("key file", "P-256", in: otherCurve)
        let otherName = try await report { $0.keyFileName = "AuthKey_ZZZZZZZZZZ.p8" }
        #expect(!otherName.hasFailure)
        #expect(otherName.findings.first { $0.check == "key file" }?.outcome == .warning)
    }

    @Test func clients() async throws {
        let none = try await report {
            $0.clientIDs = []
            $0.servicesIDs = []
        }
        expectOneFailure("client IDs", "none are set", in: none)
        let form = try await report { $0.clientIDs = ["juice"] }
        expectOneFailure("bundle ID", "com.example.app", in: form)
        let prefix = try await report { $0.clientIDs = ["DEF123GHIJ.com.example.juice"] }
        expectOneFailure("bundle ID", "remove this prefix", in: prefix)
        let twice = try await report { $0.servicesIDs.append($0.clientIDs[0]) }
        expectOneFailure("Services ID", "also listed as a bundle ID", in: twice)
    }

    @Test(arguments: [
        ("http://juice.example.com/callback", "https"),
        ("https://localhost/callback", "localhost"),
        ("https://192.0.2.1/callback", "IP addresses"),
        ("https://[2001:db8::1]/callback", "IP addresses"),
        ("https://juice.example.com/callback#here", "fragment"),
        ("https://*.example.com/callback", "wildcard"),
        ("https://maya@juice.example.com/callback", "user name"),
        ("/callback", "absolute URL"),
    ])
    func redirectAddresses(text: String, words: String) async throws {
        let report = try await report { $0.redirectURIs = [text] }
        expectOneFailure("redirect address", words, in: report)
    }

    @Test func emulatorAllowsThisMachine() async throws {
        let report = try await report {
            $0.redirectURIs = ["http://localhost:8080/callback"]
            if let url = URL(string: "http://127.0.0.1:8081") { $0.service.url = url }
        }
        #expect(!report.hasFailure, "\(report.text)")
    }

    @Test func secretLifetime() async throws {
        let report = try await report { $0.secretLifetime = .seconds(15_897_600) }
        expectOneFailure("client secret", "15777000", in: report)
    }

    @Test func clocks() async throws {
        let ahead = try await report(clockAheadBy: 31)
        #expect(ahead.findings.first { $0.check == "clock" }?.outcome == .failure)
        let far = try await report(clockAheadBy: -900)
        #expect(
            far.findings.filter { $0.outcome == .failure }.map(\.check)
                == ["clock", "client secret"]
        )
        let little = try await report(clockAheadBy: 10)
        #expect(!little.hasFailure)
        #expect(little.findings.first { $0.check == "clock" }?.outcome == .warning)
    }

    @Test func issuers() async throws {
        let other = try await report { $0.service.issuer = "https://account.apple.com" }
        expectOneFailure("issuer", "https://appleid.apple.com", in: other)
        let emulated = try await report {
            if let url = URL(string: "http://127.0.0.1:8081") { $0.service.url = url }
            $0.service.issuer = "https://apple.example.com"
        }
        expectOneFailure("issuer", "discovery document", in: emulated)
    }

    @Test func keysThatCannotBeHad() async throws {
        struct CableCut: Error {}
        let unreachable = try await report(through: { _ in
            AppleTransport { _, _ in throw CableCut() }
        })
        expectOneFailure("Apple's keys", "can't be reached", in: unreachable)
        let answers: [(HTTPResponse.Status, String, String)] = [
            (.badGateway, "", "responded with 502"), (.ok, "<html>", "did not return keys"),
            (.ok, #"{"keys":[]}"#, "no RSA key"),
        ]
        for (status, body, words) in answers {
            let report = try await report(through: { whole in
                AppleTransport { request, sent in
                    var response = try await whole.send(request, body: sent)
                    if request.path == ApplePath.keys {
                        response.head.status = status
                        response.body = Data(body.utf8)
                    }
                    return response
                }
            })
            expectOneFailure("Apple's keys", words, in: report)
        }
    }
}
