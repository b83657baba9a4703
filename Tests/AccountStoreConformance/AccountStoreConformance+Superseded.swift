import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let supersededChecks: [Check] = [
        Check("a queued revocation is dropped when its user signs in again") { store in
            try await deleted(in: store, tokens: ["com.example.juice": "old"])
            var again = later(10)
            again.refreshToken = "new"
            let account = try await store.signIn(again).signedIn.account
            let due = try await store.claimEntries(claim(by: "worker", at: again.now))
            try expect(due.isEmpty, "the revocation would end the new consent")
            let outcome = try await store.deleteAccount(deletion(of: account.id, by: again))
            try expect(outcome == .success(1))
            let queued = try await store.claimEntries(claim(by: "worker", at: again.now))
            try expect(queued.compactMap(\.task.sealedToken) == ["new"])
        },
        Check("a token that was not revoked is revoked when the new account is deleted") { store in
            try await deleted(in: store, tokens: ["com.example.juice.web": "web"])
            var again = later(10)
            again.refreshToken = "native"
            let account = try await store.signIn(again).signedIn.account
            let outcome = try await store.deleteAccount(deletion(of: account.id, by: again))
            try expect(outcome == .success(2))
            let queued = try await store.claimEntries(claim(by: "worker", at: again.now))
            try expect(Set(queued.compactMap(\.task.sealedToken)) == ["native", "web"])
        },
        Check("another user's sign-in does not drop a revocation") { store in
            try await deleted(in: store, tokens: ["com.example.juice": "old"])
            var other = later(10)
            other.user = "000002.noah"
            try await store.signIn(other)
            try expect(try await store.claimEntries(claim(by: "worker", at: other.now)).count == 1)
        },
        Check("an end of consent at Apple drops queued revocations") { store in
            try await deleted(in: store, tokens: ["com.example.juice": "old"])
            try expect(try await store.apply(event(.consentRevoked, at: 10)) == .unknownPerson)
            let late = start.addingTimeInterval(20)
            try expect(try await store.claimEntries(claim(by: "worker", at: late)).isEmpty)
        },
        Check("a deleted Apple Account without an account deletes the pending name") { store in
            let lost = SampleSignIn(name: "Maya")
            _ = try await store.beginSignIn(lost.check)
            try expect(try await store.apply(event(.accountDeleted, at: 10)) == .unknownPerson)
            try expect(try await store.signIn(later(20)).signedIn.account.name == nil)
        },
    ]

    /// Creates an account with a token for each client, and deletes it.
    private static func deleted(
        in store: AccountStore,
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
        try expect(outcome == .success(tokens.count))
    }
}

extension OutboxTask {
    /// The token of a revocation, which tests do not encrypt.
    package var sealedToken: String? {
        switch self {
        case .revocation(let token): token.sealedToken
        case .mail: nil
        }
    }
}
