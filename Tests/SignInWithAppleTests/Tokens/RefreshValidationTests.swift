import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple
import Testing

/// One check a day, and only Apple's own error counts as a revocation.
@Suite struct RefreshValidationTests {
    private static let app: ClientID = "com.example.juice"
    private static let day: TimeInterval = 86_400

    private func withRefreshToken(
        _ body: (TestApple, AppleSignIn, String) async throws -> Void
    ) async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let code = try await apple.credentials().authorizationCode
            let grant = try await signIn.exchange(code: code, clientID: Self.app)
            try await body(apple, signIn, try #require(grant.refreshToken))
        }
    }

    private func refreshCount(_ apple: TestApple) async -> Int {
        await apple.emulator.requests().count { $0["path"] == "/auth/token" } - 1
    }

    @Test func appleIsAskedOnceADay() async throws {
        try await withRefreshToken { apple, signIn, token in
            let due = apple.time.now.addingTimeInterval(Self.day)
            for seconds in [-Self.day, -1] {
                apple.time.set(now: due.addingTimeInterval(seconds))
                #expect(try await signIn.check(token, due) == .init(.fresh, nextCheck: due))
            }
            #expect(await refreshCount(apple) == 0)
            apple.time.advance(bySeconds: 1)
            let validation = try await signIn.check(token, due)
            let grant = try #require(validation.grant)
            #expect(grant.refreshToken == nil)
            #expect(grant.nextCheck == apple.time.now.addingTimeInterval(Self.day))
            let next = try await signIn.check(token, grant.nextCheck)
            #expect(next == .init(.fresh, nextCheck: grant.nextCheck))
            #expect(await refreshCount(apple) == 1)
        }
    }

    @Test func otherServersClocksCountAndBrokenOnesDoNot() async throws {
        try await withRefreshToken { apple, signIn, token in
            let near = apple.time.now.addingTimeInterval(Self.day + 5)
            #expect(try await signIn.check(token, near) == .init(.fresh, nextCheck: near))
            let far = apple.time.now.addingTimeInterval(2 * Self.day)
            _ = try await signIn.check(token, far)
            #expect(await refreshCount(apple) == 1)
        }
    }

    @Test func personWhoStoppedIsRevoked() async throws {
        try await withRefreshToken { apple, signIn, token in
            try await apple.emulator.stopUsing("maya@example.com", clientID: Self.app)
            let validation = try await signIn.check(token)
            #expect(validation.finding == .revoked && validation.nextCheck == nil)
            let error = try #require(validation.error)
            #expect(error.code == .appleRefusedGrant)
            #expect(error.causes.first?.code == .tokenRevoked)
        }
    }

    @Test(
        arguments: [
            ["status": 429], ["status": 503], ["drop": true], ["status": 200, "body": "<html>"],
            ["status": 400, "body": "<html>"],
        ] as [JSONObject]
    )
    func troubleAtAppleIsNoRevocation(fault: JSONObject) async throws {
        try await withRefreshToken { apple, signIn, token in
            var fault = fault
            fault["endpoint"] = "token"
            fault["count"] = 1
            _ = try await apple.emulator.addFault(fault)
            let failed = try #require(try await signIn.check(token).failure)
            #expect(failed.error.isRetryable, "\(failed.error)")
            #expect(failed.nextCheck == apple.time.now.addingTimeInterval(900))
            let between = try await signIn.check(token, failed.nextCheck)
            #expect(between == .init(.fresh, nextCheck: failed.nextCheck))
            #expect(await refreshCount(apple) == 1)
            apple.time.set(now: failed.nextCheck)
            let later = try await signIn.check(token, failed.nextCheck)
            #expect(later.finding == .valid)
        }
    }

    @Test func mistakesOfThisServerAreNoRevocation() async throws {
        try await withRefreshToken { apple, signIn, token in
            let code = try await apple.credentials().authorizationCode
            let accessToken = try await signIn.exchange(code: code, clientID: Self.app).accessToken
            let otherClient = try await signIn.validate(
                token,
                clientID: "com.example.juice.web",
                nextCheck: nil
            )
            let unknownClient = try await signIn.validate(
                token,
                clientID: "com.example.unknown",
                nextCheck: nil
            )
            let findings: [(RefreshValidation, SignInError.Code)] = [
                (try await signIn.check(accessToken), .appleRefusedGrant),
                (otherClient, .appleRefusedGrant), (unknownClient, .configurationInvalid),
                (try await signIn.check(""), .appleRefusedGrant),
            ]
            for (finding, code) in findings {
                #expect(finding.failure?.error.code == code, "\(finding)")
                // Asking again soon would not help.
                #expect(finding.failure?.nextCheck == apple.time.now.addingTimeInterval(Self.day))
            }
            _ = try await apple.emulator.addFault([
                "endpoint": "token", "status": 400, "count": 1,
                "body": #"{"error":"invalid_client"}"#,
            ])
            let refused = try await signIn.check(token)
            #expect(refused.failure?.error.code == .appleRefusedClient, "\(refused)")
        }
    }

    @Test(
        arguments: [
            ("60", 60), ("86400", 86_400), ("0", nil), ("-1", nil), ("86401", nil), ("soon", nil),
            ("99999999999999999999", nil), (nil, nil),
        ] as [(String?, Int?)]
    )
    func throttlingTellsWhenToComeBack(field: String?, seconds: Int?) async throws {
        let apple = ScriptedApple()
        apple.answer(ApplePath.token) {
            var answer = ScriptedApple.Answer(status: 429)
            answer.fields[.retryAfter] = field
            return answer
        }
        let signIn = apple.signIn(key: try TestSecretKey().key())
        let failed = try #require(try await signIn.check("r.1").failure)
        #expect(failed.error.code == .appleUnavailable && failed.error.isRetryable)
        #expect(failed.error.retryAfter == seconds.map { .seconds($0) })
        let pause = TimeInterval(max(seconds ?? 0, 900))
        #expect(failed.nextCheck == apple.time.now.addingTimeInterval(pause))
    }
}

extension RefreshValidation {
    fileprivate var failure: (error: SignInError, nextCheck: Date)? {
        guard finding == .failed, let error, let nextCheck else { return nil }
        return (error, nextCheck)
    }
}

extension AppleSignIn {
    /// Validates a refresh token of the app's.
    fileprivate func check(
        _ token: String,
        _ nextCheck: Date? = nil
    ) async throws -> RefreshValidation {
        try await validate(token, clientID: "com.example.juice", nextCheck: nextCheck)
    }
}
