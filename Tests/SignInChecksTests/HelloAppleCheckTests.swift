import AppleEmulator
import AppleEmulatorServer
import AppleIdentity
import Foundation
import Hummingbird
import SignInWithApple
import Testing

@testable import SignInChecks

@Suite("The check of the example's server") struct HelloAppleCheckTests {
    @Test("Every defence of the library's routes holds")
    func holds() async throws {
        let port = try await freePort()
        let address = "http://127.0.0.1:\(port)"
        let seed = Seed.demo(
            redirectURIs: [address + "/auth/apple/callback"],
            notificationURL: address + "/auth/apple/notifications"
        )
        try await withServices(seed: seed) { addresses, emulator in
            let key = try ClientSecretKey(
                pem: try #require(await emulator.privateKeyPEM(of: "JUICEKEY01")),
                keyID: "JUICEKEY01",
                teamID: "JUICETEAM1"
            )
            let configuration = AppleSignIn.Configuration(
                clientIDs: ["com.example.juice", "com.example.juice.web"],
                key: key,
                service: AppleService(url: addresses.apple)
            )
            let router = try helloRouter(
                apple: AppleSignIn(configuration: configuration),
                sealingKeys: TokenSealer.makeKey(identifier: "test"),
                publicURL: address
            )
            return Application(
                router: router,
                configuration: .init(address: .hostname("127.0.0.1", port: port))
            )
        } _: { addresses in
            let target = CheckTarget(
                start: try #require(URL(string: address + "/auth/apple")),
                whoAmI: try #require(URL(string: address + "/hello")),
                control: addresses.control
            )
            let report = try await CheckRun(target: target).run()
            for result in report.results {
                #expect(result.finding.verdict != .fails, "\(result.lines)")
            }
            let notExamined = report.results.filter { $0.finding.verdict == .notExamined }
            #expect(notExamined.map(\.check.name) == ["deletion-revokes"])
            let advice = report.results.filter { $0.finding.verdict == .advice }
            // The example takes each name that is posted, and does not compare times.
            #expect(advice.map(\.check.name) == ["name-later", "notification-late"])
        }
    }
}
