import Accounts
import AppleIdentity
import Foundation

extension AccountStoreConformance {
    static let supersededChecks: [Check] = [
        Check("a revocation still queued is dropped when its person signs in again") { store in
            try await deleted(in: store, tokens: ["com.example.juice": "old"])
            var again = later(10)
            again.refreshToken = "new"
            let account = try await store.signIn(again).signedIn.account
            let due = try await store.claimEntries(claim(by: "worker", at: again.now))
            try expect(due.isEmpty, "the new consent would have been ended")
            let outcome = try await store.deleteAccount(deletion(of: account.id, by: again))
            try expect(outcome == .deleted(revocationCount: 1))
            let queued = try await store.claimEntries(claim(by: "worker", at: again.now))
            try expect(queued.compactMap(\.task.sealedToken) == ["new"])
        },
        Check("a token that was not revoked is revoked with the new account's deletion") { store in
            try await deleted(in: store, tokens: ["com.example.juice.web": "web"])
            var again = later(10)
            again.refreshToken = "native"
            let account = try await store.signIn(again).signedIn.account
            let outcome = try await store.deleteAccount(deletion(of: account.id, by: again))
            try expect(outcome == .deleted(revocationCount: 2))
            let queued = try await store.claimEntries(claim(by: "worker", at: again.now))
            try expect(Set(queued.compactMap(\.task.sealedToken)) == ["native", "web"])
        },
        Check("nobody else's sign-in drops a revocation") { store in
            try await deleted(in: store, tokens: ["com.example.juice": "old"])
            var other = later(10)
            other.user = "000002.noah"
            try await store.signIn(other)
            try expect(try await store.claimEntries(claim(by: "worker", at: other.now)).count == 1)
        },
        Check("an end of consent at Apple leaves nothing to revoke") { store in
            try await deleted(in: store, tokens: ["com.example.juice": "old"])
            try expect(try await store.apply(event(.consentRevoked, at: 10)) == .unknownPerson)
            let late = start.addingTimeInterval(20)
            try expect(try await store.claimEntries(claim(by: "worker", at: late)).isEmpty)
        },
        Check("a deleted Apple Account without an account here takes its waiting name along") {
            store in
            let lost = SampleSignIn(name: "Maya")
            _ = try await store.beginSignIn(lost.attempt)
            try expect(try await store.apply(event(.accountDeleted, at: 10)) == .unknownPerson)
            try expect(try await store.signIn(later(20)).signedIn.account.name == nil)
        },
    ]

    /// An account that was made, with a token for each client, and deleted again.
    private static func deleted(
        in store: any AccountStore,
        tokens: [ClientID: String]
    ) async throws {
        var last = SampleSignIn()
        for (client, token) in tokens {
            last = SampleSignIn()
            last.clientID = client
            last.refreshToken = token
            try await store.signIn(last)
        }
        let found = try await store.session(of: last, now: last.now)
        let account = try require(found).account
        let outcome = try await store.deleteAccount(deletion(of: account.id, by: last))
        try expect(outcome == .deleted(revocationCount: tokens.count))
    }
}

extension OutboxTask {
    /// What tests seal is in clear.
    package var sealedToken: String? {
        switch self {
        case .revocation(let token): token.sealedToken
        case .mail: nil
        }
    }
}
