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
            let grant = try await signIn.redeem(code: code, clientID: Self.app)
            try await body(apple, signIn, try #require(grant.refreshToken))
        }
    }

    private func refreshCount(_ apple: TestApple) async -> Int {
        await apple.emulator.requests().count { $0["path"] == "/auth/token" } - 1
    }

    @Test func appleIsAskedOnceADay() async throws {
        try await withRefreshToken { apple, signIn, token in
            let redeemedAt = apple.time.now
            for seconds in [0, Self.day - 1] {
                apple.time.set(now: redeemedAt.addingTimeInterval(seconds))
                let validation = try await signIn.check(token, redeemedAt)
                #expect(validation == .fresh(nextCheck: redeemedAt.addingTimeInterval(Self.day)))
            }
            #expect(await refreshCount(apple) == 0)
            apple.time.advance(bySeconds: 1)
            let validation = try await signIn.check(token, redeemedAt)
            guard case .valid(let grant, let checkedAt) = validation else {
                Issue.record("\(validation)")
                return
            }
            #expect(grant.refreshToken == nil && checkedAt == apple.time.now)
            let next = try await signIn.check(token, checkedAt)
            #expect(next == .fresh(nextCheck: checkedAt.addingTimeInterval(Self.day)))
            #expect(await refreshCount(apple) == 1)
        }
    }

    @Test func otherServersClocksCountAndBrokenOnesDoNot() async throws {
        try await withRefreshToken { apple, signIn, token in
            let ahead = apple.time.now.addingTimeInterval(5)
            let near = try await signIn.check(token, ahead)
            #expect(near == .fresh(nextCheck: ahead.addingTimeInterval(Self.day)))
            let far = apple.time.now.addingTimeInterval(Self.day)
            _ = try await signIn.check(token, far)
            #expect(await refreshCount(apple) == 1)
        }
    }

    @Test func personWhoStoppedIsRevoked() async throws {
        try await withRefreshToken { apple, signIn, token in
            try await apple.emulator.stopUsing("maya@example.com", clientID: Self.app.rawValue)
            let validation = try await signIn.check(token)
            guard case .revoked(let error) = validation else {
                Issue.record("\(validation)")
                return
            }
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
            do {
                let validation = try await signIn.check(token)
                Issue.record("\(validation)")
            } catch let error as SignInError {
                #expect(error.isRetryable, "\(error)")
            }
            let later = try await signIn.check(token)
            guard case .valid = later else {
                Issue.record("\(later)")
                return
            }
        }
    }

    @Test func mistakesOfThisServerAreNoRevocation() async throws {
        try await withRefreshToken { apple, signIn, token in
            let code = try await apple.credentials().authorizationCode
            let accessToken = try await signIn.redeem(code: code, clientID: Self.app).accessToken
            await expectRefusal(.appleRefusedGrant) { try await signIn.check(accessToken) }
            await expectRefusal(.appleRefusedGrant) {
                try await signIn.validate(
                    token,
                    clientID: "com.example.juice.web",
                    lastChecked: nil
                )
            }
            await expectRefusal(.appleRefusedGrant) {
                try await signIn.validate("", clientID: Self.app, lastChecked: nil)
            }
            _ = try await apple.emulator.addFault([
                "endpoint": "token", "status": 400, "count": 1,
                "body": #"{"error":"invalid_client"}"#,
            ])
            await expectRefusal(.appleRefusedClient) { try await signIn.check(token) }
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
        let error = await expectRefusal(.appleUnavailable) {
            try await signIn.validate("r.1", clientID: TokenDraft.clientID, lastChecked: nil)
        }
        #expect(error?.isRetryable == true)
        #expect(error?.retryAfter == seconds.map { .seconds($0) })
    }
}

extension AppleSignIn {
    /// Validates a refresh token of the app's.
    fileprivate func check(
        _ token: String,
        _ lastChecked: Date? = nil
    ) async throws -> RefreshValidation {
        try await validate(token, clientID: "com.example.juice", lastChecked: lastChecked)
    }
}
