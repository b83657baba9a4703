import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let endedConsentChecks: [Check] = [
        Check("an identity token from before a deletion signs in nobody after it") { store in
            let sample = later(10, issuedAt: 0)
            let account = try await store.signIn(sample).signedIn.account
            _ = try await store.deleteAccount(deletion(of: account.id, by: sample))
            try await expectEnded(in: store)
        },
        Check("an identity token from before unlinking signs in nobody after it") { store in
            let maya = try await store.create()
            _ = try await store.change(link(later(0, issuedAt: 0), to: maya))
            let unlinking = AccountChange(
                kind: .unlinkApple("entry"),
                caller: maya.caller(),
                now: start.addingTimeInterval(10)
            )
            _ = try await store.change(unlinking)
            let old = later(20, issuedAt: 5)
            let linked = try await store.change(link(old, to: maya))
            try expect(linked == .failure(.consentRevoked), "\(linked)")
            try await expectEnded(in: store)
        },
        Check("a sign-in with a token from before a deletion that runs leaves no account") {
            store in
            for round in 0..<10 {
                var first = later(10, issuedAt: 0)
                first.user = UserID("\(round)")
                let (user, deleting) = (first.user, first)
                let account = try await store.signIn(first).signedIn.account
                let outcomes = try await atOnce(4) { number -> SignInOutcome? in
                    if number == 0 {
                        _ = try await store.deleteAccount(deletion(of: account.id, by: deleting))
                        return nil
                    }
                    var second = later(10, issuedAt: 5)
                    second.user = user
                    return try await store.completeSignIn(second.commit)
                }
                for case .success(let signedIn) in outcomes.compactMap(\.self) {
                    try expect(signedIn.account.id == account.id, "a new account")
                }
                try expect(try await store.accounts(after: nil, maximumCount: 10).isEmpty)
            }
        },
        Check("after an end of consent the address of the new one counts") { store in
            let shared = SampleSignIn(email: .apple("a@example.com"))
            let account = try await store.signIn(shared).signedIn.account
            _ = try await store.apply(event(.consentRevoked, at: 10))
            var hidden = later(20)
            hidden.email = .apple(relay(of: "maya"))
            let again = try await store.signIn(hidden).signedIn.account
            try expect(again.email == hidden.email)
            try expect(again.id == account.id && again.emailDeliverable)
            // Within one consent, a relay address of another app does not replace a real one.
            var other = later(30)
            other.email = shared.email
            try await store.signIn(other)
            var third = later(40)
            third.email = hidden.email
            try expect(try await store.signIn(third).signedIn.account.email == shared.email)
        },
        Check("after an end of consent an address that was confirmed here stays") { store in
            let own = own("own@example.com", isVerified: true)
            let maya = try await store.create(SamplePassword(email: own))
            _ = try await store.change(link(SampleSignIn(), to: maya))
            _ = try await store.apply(event(.consentRevoked, at: 10))
            var hidden = later(20)
            hidden.email = .apple(relay(of: "maya"))
            try expect(try await store.signIn(hidden).signedIn.account.email == own)
        },
        Check("a relay address takes no mail between an end of consent and the next") { store in
            let maya = try await store.create()
            let hidden = SampleSignIn(email: .apple(relay(of: "maya")))
            _ = try await store.change(link(hidden, to: maya))
            _ = try await store.apply(event(.consentRevoked, at: 10))
            let ended = try require(try await store.account(maya.account))
            try expect(ended.email == hidden.email && !ended.emailDeliverable)
            _ = try await store.apply(event(.emailEnabled(address: nil), at: 15))
            try expect(try await store.account(maya.account)?.emailDeliverable == false)
            var again = later(20)
            again.email = hidden.email
            try expect(try await store.signIn(again).signedIn.account.emailDeliverable)
        },
        Check("a deletion's revocation waits an hour for the last mail, while it can be sent") {
            store in
            let ids: [OutboxID] = ["sent", "refused", "late"]
            for id in ids {
                var sample = SampleSignIn(user: UserID(id.rawValue), refreshToken: id.rawValue)
                sample.email = .apple(relay(of: id.rawValue))
                let account = try await store.signIn(sample).signedIn.account
                let deletion = AccountDeletion(
                    account: account.id,
                    entryID: OutboxID("revocation of \(id)"),
                    mail: mail(id),
                    now: start
                )
                _ = try await store.deleteAccount(deletion)
            }
            try expect(try await store.claimEntries(claim(by: "early")).isEmpty)
            _ = try await store.claimEntries(claim(.mail, by: "mail"))
            try await store.finishEntry("sent", worker: "mail", result: .done)
            try await store.finishEntry("refused", worker: "mail", result: .refused(code: "no"))
            let due = try await store.claimEntries(claim(by: "worker"))
            try expect(Set(due.compactMap(\.task.sealedToken)) == ["sent", "refused"])
            let before = claim(by: "before", at: start.addingTimeInterval(3599))
            try expect(try await store.claimEntries(before).count { $0.waitsFor == "late" } == 0)
            let after = claim(by: "after", at: start.addingTimeInterval(3600))
            try expect(try await store.claimEntries(after).count { $0.waitsFor == "late" } == 1)
        },
    ]

    private static func relay(of user: String) -> String { "\(user)@privaterelay.appleid.com" }

    /// Checks that a token from before the end of consent is refused, and a later one opens an account with a name.
    private static func expectEnded(in store: AccountStore) async throws {
        let old = later(20, issuedAt: 5)
        try expect(try await store.beginSignIn(old.check) == .consentRevoked)
        try expect(try await store.refusal(completing: old) == .consentRevoked)
        // Apple's times are whole seconds: the same second counts as later.
        var new = later(20, issuedAt: 10)
        new.name = "Maya"
        let signedIn = try await store.signIn(new)
        try expect(signedIn.isNewAccount && signedIn.signedIn.account.name == "Maya")
    }
}
