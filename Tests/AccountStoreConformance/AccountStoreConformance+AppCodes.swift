import AppleIdentity
import Foundation

@testable import Accounts

/// A sample of Maya's code, as the service passes it to a store; tests change one value.
package struct SampleAppCode: Sendable {
    package var challenge = "challenge"
    package var clientID: ClientID = "com.example.juice"
    package var redirectURI = "http://127.0.0.1:51004/signed-in"
    package var throttles: [ThrottleUse] = []
    package var maximumCount = 3
    package let code = SessionToken()
    /// The session that the app gets.
    package var session = SampleSignIn()
    package let account: AccountID
    package let confirming: SessionID

    package init(confirmedBy signedIn: SignedInSession) {
        account = signedIn.account.id
        confirming = signedIn.session.id
        session.device = "an app"
    }

    package var binding: AppCodeBinding {
        AppCodeBinding(clientID: clientID, redirectURI: redirectURI, challenge: challenge)
    }

    package var issue: AppCodeIssue {
        AppCodeIssue(
            code: AppCode(
                hash: code.hash,
                account: account,
                session: confirming,
                binding: binding,
                expiresAt: SampleSignIn.start.addingTimeInterval(60)
            ),
            maximumCount: maximumCount,
            now: SampleSignIn.start
        )
    }

    package var redemption: AppCodeRedemption {
        AppCodeRedemption(
            hash: code.hash,
            binding: binding,
            opening: session.opening,
            throttles: throttles
        )
    }
}

extension AccountStoreConformance {
    static let appCodeChecks: [Check] = [
        Check("a code creates one session, with the sign-in time of the browser") { store in
            var sample = try await issued(in: store)
            sample.session.now = start.addingTimeInterval(59)
            let signedIn = try await store.redeemAppCode(sample.redemption).get()
            try expect(signedIn.account.id == sample.account)
            try expect(signedIn.session.signedInAt == start)
            try expect(signedIn.session.createdAt == sample.session.now)
            try expect(signedIn.session.signInMethod == .apple)
            let found = try await store.session(of: sample.session, now: sample.session.now)
            try expect(found?.session == signedIn.session)
            sample.session = SampleSignIn()
            try expect(
                try await store.redeemAppCode(sample.redemption)
                    == .failure(.appCodeInvalid(.unknown))
            )
        },
        Check("twenty exchanges of a code at once create one session") { store in
            let sample = try await issued(in: store)
            let outcomes = try await atOnce(20) { _ in
                var own = sample
                own.session = SampleSignIn()
                return try await store.redeemAppCode(own.redemption)
            }
            try expect(outcomes.count { $0.isSignedIn } == 1)
            try expect(outcomes.count { $0 == .failure(.appCodeInvalid(.unknown)) } == 19)
            try expect(try await store.sessions(of: sample.account, now: start).count == 2)
        },
        Check("a repeated exchange creates one session and returns it again") { store in
            let redemption = try await issued(in: store).redemption
            let outcomes = try await atOnce(5) { _ in try await store.redeemAppCode(redemption) }
            try expect(Set(outcomes).count == 1)
            try expect(outcomes.allSatisfy(\.isSignedIn))
        },
        Check("a code is refused once it has expired") { store in
            var sample = try await issued(in: store)
            sample.session.now = start.addingTimeInterval(60)
            try await refuses(.expired, of: sample, in: store)
        },
        Check("a failed exchange invalidates the code") { store in
            let signedIn = try await store.signIn(SampleSignIn()).signedIn
            let changes: [(AppCodeRefusal, (inout SampleAppCode) -> Void)] = [
                (.wrongVerifier, { $0.challenge = "another" }),
                (.otherRedirectURI, { $0.redirectURI = "http://127.0.0.1:51005/signed-in" }),
                (.otherClient, { $0.clientID = "com.example.other" }),
            ]
            for (refusal, change) in changes {
                let sample = SampleAppCode(confirmedBy: signedIn)
                try expect(try await store.issueAppCode(sample.issue))
                var wrong = sample
                change(&wrong)
                try await refuses(refusal, of: wrong, in: store)
                try await refuses(.unknown, of: sample, in: store)
            }
        },
        Check("a code is invalid after the browser session has ended") { store in
            let sample = try await issued(in: store)
            _ = try await store.endSession(sample.confirming, of: sample.account, now: start)
            try await refuses(.sessionEnded, of: sample, in: store)
        },
        Check("signing out everywhere else invalidates a code of the remaining session") { store in
            let sample = try await issued(in: store)
            _ = try await store.endSessions(
                of: sample.account,
                except: sample.confirming,
                now: start
            )
            try await refuses(.unknown, of: sample, in: store)
        },
        Check("a code is deleted with its account") { store in
            let confirming = SampleSignIn(refreshToken: "token")
            let signedIn = try await store.signIn(confirming).signedIn
            let sample = SampleAppCode(confirmedBy: signedIn)
            try expect(try await store.issueAppCode(sample.issue))
            _ = try await store.deleteAccount(deletion(of: sample.account, by: confirming))
            try await refuses(.unknown, of: sample, in: store)
            try expect(try await store.account(sample.account) == nil)
        },
        Check("an ended session gets no code") { store in
            let signedIn = try await store.signIn(SampleSignIn()).signedIn
            _ = try await store.endSession(signedIn.session.id, of: signedIn.account.id, now: start)
            let sample = SampleAppCode(confirmedBy: signedIn)
            try expect(!(try await store.issueAppCode(sample.issue)))
            try await refuses(.unknown, of: sample, in: store)
        },
        Check("only the latest code stays when an account has too many") { store in
            let signedIn = try await store.signIn(SampleSignIn()).signedIn
            let samples = (0..<4).map { _ in SampleAppCode(confirmedBy: signedIn) }
            for sample in samples { try expect(try await store.issueAppCode(sample.issue)) }
            for sample in samples.dropLast() { try await refuses(.unknown, of: sample, in: store) }
            try expect(try await store.redeemAppCode(samples[3].redemption).isSignedIn)
        },
        Check("failed exchanges are counted, and throttled ones are not checked") { store in
            var sample = try await issued(in: store)
            let policy = ThrottlePolicy(freeCount: 2, firstWait: 10, maximumWait: 60, memory: 3600)
            sample.throttles = [ThrottleUse(key: SecretHash(of: "192.0.2.1"), policy: policy)]
            for _ in 0..<2 {
                var guess = SampleAppCode(
                    confirmedBy: try await store.signIn(SampleSignIn()).signedIn
                )
                guess.throttles = sample.throttles
                try await refuses(.unknown, of: guess, in: store)
            }
            try expect(
                try await store.redeemAppCode(sample.redemption)
                    == .failure(.tooManyAttempts(seconds: 10))
            )
            sample.session.now = start.addingTimeInterval(10)
            try expect(try await store.redeemAppCode(sample.redemption).isSignedIn)
        },
        Check("expired codes are deleted") { store in
            _ = try await issued(in: store)
            let late = start.addingTimeInterval(60)
            try expect(try await store.forgetExpired(now: late, maximumCount: 10) == 1)
        },
    ]

    private static func issued(in store: AccountStore) async throws -> SampleAppCode {
        let sample = SampleAppCode(confirmedBy: try await store.signIn(SampleSignIn()).signedIn)
        try expect(try await store.issueAppCode(sample.issue), "the code was not stored")
        return sample
    }

    private static func refuses(
        _ refusal: AppCodeRefusal,
        of sample: SampleAppCode,
        in store: AccountStore
    ) async throws {
        let outcome = try await store.redeemAppCode(sample.redemption)
        guard outcome == .failure(.appCodeInvalid(refusal)) else {
            throw Failure(description: "expected \(refusal), found \(outcome)")
        }
        let found = try await store.session(of: sample.session)
        try expect(found == nil, "a refused code created a session")
    }
}
