import AppleIdentity
import Crypto
import Foundation
import SignInWithApple
import Testing

/// The doctor at a running Apple.
@Suite struct DiagnosticsOverHTTPTests {
    private func report(
        of apple: ServedApple,
        breaking change: (inout DiagnosticSettings) -> Void = { _ in }
    ) async -> DiagnosticReport {
        var settings = DiagnosticSettings()
        settings.teamID = "JUICETEAM1"
        settings.keyID = "ABC123DEFG"
        settings.keyText = P256.Signing.PrivateKey().pemRepresentation
        settings.clientIDs = ["com.example.juice"]
        settings.servicesID = "com.example.juice.web"
        settings.redirectURIs = ["https://juice.example.com/callback"]
        settings.service.url = apple.url
        change(&settings)
        return await ConfigurationDiagnostics(settings).run()
    }

    @Test func goodConfigurationPasses() async throws {
        try await withServedApple { apple in
            let report = await report(of: apple)
            #expect(report.findings.allSatisfy { $0.outcome == .ok }, "\(report.text)")
            #expect(report.findings.count { $0.check == "Apple's keys" } == 1)
        }
    }

    @Test func announcedIssuerIsCompared() async throws {
        try await withServedApple { apple in
            try await apple.control(
                "faults",
                [
                    "endpoint": "discovery", "status": 200, "count": 1,
                    "body": #"{"issuer":"https://account.apple.com"}"#,
                ]
            )
            let failures = await report(of: apple).findings.filter { $0.outcome != .ok }
            #expect(failures.map(\.check) == ["issuer"])
            #expect(failures.first?.advice.contains("account.apple.com") == true)
        }
    }

    @Test func brokenKeysAreTold() async throws {
        try await withServedApple { apple in
            try await apple.control(
                "faults",
                ["endpoint": "keys", "status": 200, "body": "<html>", "count": 1]
            )
            let failures = await report(of: apple).findings.filter { $0.outcome == .failure }
            #expect(failures.map(\.check) == ["Apple's keys"])
        }
    }

    @Test func appleNobodyAnswersFor() async throws {
        try await withServedApple { apple in
            let free = try #require(URL(string: "http://127.0.0.1:1"))
            let report = await report(of: apple) { $0.service.url = free }
            #expect(report.findings.first { $0.outcome == .failure }?.check == "Apple's keys")
            #expect(report.json["failed"] == true)
        }
    }
}
