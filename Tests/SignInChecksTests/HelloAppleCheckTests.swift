import AppleEmulator
import AppleEmulatorServer
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple
import Testing

@testable import SignInChecks

@Suite("The check of the example's server", .timeLimit(.minutes(5))) struct HelloAppleCheckTests {
    @Test("The library's routes pass every check")
    func holds() async throws {
        let report = try await check()
        for result in report.results {
            #expect(![.fails, .error].contains(result.finding.verdict), "\(result.lines)")
        }
        let notExamined = report.results.filter { $0.finding.verdict == .notExamined }
        // Over HTTP cookies are not Secure, which shows nothing about HTTPS.
        #expect(
            notExamined.map(\.check.name) == [
                "api-nonce", "session-cookie-secure", "android-redirect", "unlink-ends-sessions",
            ]
        )
        let advice = report.results.filter { $0.finding.verdict == .advice }
        // The example stores each posted name.
        #expect(advice.map(\.check.name) == ["name-later"], "\(advice.map(\.finding.reason))")
    }

    @Test("A server that keeps Apple's old keys gets no verdict after 90 seconds")
    func keptKeys() async throws {
        let leap = LockedValue(0.0)
        let time = TimeSource(
            now: { Date().addingTimeInterval(leap.withLock { $0 }) },
            uptime: { TimeSource.live.uptime + .seconds(leap.withLock { $0 }) },
            sleep: { _ in leap.withLock { $0 += 10 } }
        )
        let live = AppleTransport.live()
        let kept = LockedValue<AppleTransport.Response?>(nil)
        let transport = AppleTransport { request, body in
            guard request.path == "/auth/keys" else {
                return try await live.send(request, body: body)
            }
            if let answer = kept.withLock({ $0 }) { return answer }
            let answer = try await live.send(request, body: body)
            kept.withLock { $0 = answer }
            return answer
        }
        let report = try await check(SignInCheck.rotation, transport: transport, time: time)
        let finding = try #require(report.results.first?.finding)
        #expect(finding.verdict == .error)
        #expect(finding.reason.contains("for 90 seconds after Apple changed its keys"))
        #expect(!report.allHold)
    }

    private func check(
        _ checks: [SignInCheck] = SignInCheck.all,
        transport: AppleTransport = .live(),
        time: TimeSource = .live
    ) async throws -> CheckReport {
        let port = try await freePort()
        let address = "http://127.0.0.1:\(port)"
        let seed = Seed.demo(
            redirectURIs: [address + "/auth/apple/callback"],
            notificationURL: address + "/auth/apple/notifications"
        )
        let report = LockedValue<CheckReport?>(nil)
        let (running, signal) = AsyncStream.makeStream(of: Void.self)
        try await withServices(seed: seed) { addresses, emulator in
            let key = try ClientSecretKey(
                pem: try #require(await emulator.privateKeyPEM(of: "JUICEKEY01")),
                keyID: "JUICEKEY01",
                teamID: "JUICETEAM1"
            )
            let configuration = AppleSignIn.Configuration(
                appIDs: ["com.example.juice"],
                servicesIDs: ["com.example.juice.web"],
                key: key,
                service: AppleService(url: addresses.apple)
            )
            let hello = try Hello(
                apple: AppleSignIn(configuration: configuration, transport: transport),
                sealer: TokenSealer(keys: TokenSealer.makeKey(identifier: "test")),
                store: DemoAppleTokenStore(),
                publicURL: address
            )
            return Application(
                router: hello.router,
                configuration: .init(address: .hostname("127.0.0.1", port: port)),
                services: [hello.tokens],
                onServerRunning: { _ in signal.yield() }
            )
        } _: { addresses in
            try #require(await running.first { _ in true } != nil)
            var target = CheckTarget(
                start: try #require(URL(string: address + "/auth/apple")),
                whoAmI: try #require(URL(string: address + "/hello")),
                control: addresses.control
            )
            target.deletion = CheckRequest(
                method: "POST",
                url: try #require(URL(string: address + "/delete"))
            )
            target.nativeClient = "com.example.juice"
            target.tokenSignIn = CheckRequest(
                method: "POST",
                url: try #require(URL(string: address + "/auth/apple/native")),
                body: #"{"identityToken": "{identityToken}", "authorizationCode": "{code}"}"#
            )
            let made = try await CheckRun(target: target, checks: checks, time: time).run()
            report.withLock { $0 = made }
        }
        return try #require(report.withLock { $0 })
    }
}
