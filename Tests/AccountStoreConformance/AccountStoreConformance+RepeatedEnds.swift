import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    private static func administrator() -> AuditContext {
        AuditContext(actor: .administrator, administrator: "root", now: start)
    }

    /// Checks that repeat a deletion, end or attempt whose result was lost, with the same values.
    static let repeatedEndChecks: [Check] = [
        Check("a repeated deletion returns the number of revocations each time") { store in
            let (native, web) = SampleSignIn.nativeAndWeb()
            let account = try await store.signIn(native).signedIn.account.id
            try await store.signIn(web)
            var deletion = AccountDeletion(account: account, entryID: "entry", now: start)
            deletion.audit = administrator()
            for _ in 0..<2 {
                let outcome = try await store.deleteAccount(deletion)
                try expect(outcome == .success(2), "\(outcome)")
            }
            deletion.audit = administrator()
            let other = try await store.deleteAccount(deletion)
            try expect(
                other == .success(0),
                "another deletion counted revocations"
            )
            try await expectEntries(["account_deleted"], in: store)
        },
        Check("repeated ends of one session or of all return the same result") { store in
            var account: AccountID?
            var sessions: [SessionID] = []
            for _ in 0..<3 {
                let signedIn = try await store.signIn(SampleSignIn()).signedIn
                account = signedIn.account.id
                sessions.append(signedIn.session.id)
            }
            let maya = try require(account)
            func end(_ audit: AuditContext) async throws -> Bool {
                try await store.endSession(
                    sessions[0],
                    of: maya,
                    isSignOut: false,
                    audit: audit,
                    now: start
                )
            }
            let one = administrator()
            let ends = [try await end(one), try await end(one), try await end(administrator())]
            try expect(ends == [true, true, false], "\(ends)")
            func endAll(_ audit: AuditContext) async throws -> Int {
                try await store.endSessions(of: maya, except: nil, audit: audit, now: start)
            }
            let all = administrator()
            let counts = [
                try await endAll(all), try await endAll(all), try await endAll(administrator()),
            ]
            try expect(counts == [2, 2, 0], "\(counts)")
            try await expectEntries(["session_ended", "sessions_ended"], in: store)
        },
        Check("a repeated password attempt counts once") { store in
            var maya = SamplePassword()
            maya.throttles = [
                ThrottleUse(
                    key: SecretHash(of: "address"),
                    policy: ThrottlePolicy(
                        freeCount: 2,
                        firstWait: 10,
                        maximumWait: 60,
                        memory: 3600
                    )
                )
            ]
            _ = try await store.createAccount(maya.creation)
            // If the first attempt were counted twice, the second one would wait.
            for _ in 0..<2 {
                let attempt = maya.attempt
                for _ in 0..<2 {
                    let challenge = try await store.beginPasswordCheck(attempt)
                    try expect(challenge == .success([maya.stored]), "\(challenge)")
                }
            }
            let next = try await store.beginPasswordCheck(maya.attempt)
            try expect(next == .failure(.tooManyAttempts(seconds: 10)), "\(next)")
        },
    ]

    private static func expectEntries(
        _ actions: Set<String>,
        in store: AccountStore
    ) async throws {
        let entries = try await store.auditEntries(AuditQuery())
            .filter { actions.contains($0.action) }
        try expect(entries.count == actions.count, "not every end has one audit entry")
    }
}
