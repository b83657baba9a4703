import Accounts
import AppleIdentity
import Foundation

extension AccountStoreConformance {
    private static let start = SampleSignIn.start

    static let accountChecks: [Check] = [
        Check(name: "a name is stored as given, and taken away") { store in
            let account = try await store.signIn(SampleSignIn()).signedIn.account
            let name: AccountName = "  O'Brien \"; DROP TABLE accounts; -- \u{202E}👩‍👩‍👧‍👦 "
            let renamed = try await store.rename(account.id, to: name)
            try expect(renamed?.name == name)
            let unnamed = try await store.rename(account.id, to: nil)
            try expect(unnamed?.name == nil)
            try expect(unnamed?.apple == account.apple)
        },
        Check(name: "nobody can be renamed who isn't there") { store in
            let renamed = try await store.rename("nobody", to: "Maya")
            try expect(renamed == nil)
        },
        Check(name: "deletion ends sessions, frees the identity, and queues each token once") {
            store in
            var native = SampleSignIn()
            native.name = "Maya"
            native.refreshToken = "native token"
            var replaced = SampleSignIn()
            replaced.refreshToken = "newer native token"
            var web = SampleSignIn()
            web.clientID = "com.example.juice.web"
            web.refreshToken = "web token"
            for sample in [native, replaced, web] { try await store.signIn(sample) }
            let account = try require(
                try await store.session(tokenHash: web.token.hash, now: start)?.account.id
            )
            let outcome = try await store.deleteAccount(deletion(of: account, by: web))
            try expect(outcome == .deleted(revocationCount: 2))
            for sample in [native, replaced, web] {
                let found = try await store.session(tokenHash: sample.token.hash, now: start)
                try expect(found == nil)
            }
            let queued = try await store.claimEntries(claim(by: "worker"))
            try expect(Set(queued.map(\.task.sealedToken)) == ["newer native token", "web token"])
            try expect(Set(queued.map(\.person)) == [web.person.hash])
            let again = try await store.signIn(SampleSignIn())
            try expect(again.isNewAccount)
            try expect(again.signedIn.account.id != account)
            try expect(again.signedIn.account.name == nil)
        },
        Check(name: "deletion needs a fresh sign-in of the session that asks") { store in
            let sample = SampleSignIn()
            let account = try await store.signIn(sample).signedIn.account
            let late = AccountDeletion(
                account: account.id,
                session: sample.session,
                signedInSince: start.addingTimeInterval(1),
                entryID: .random(),
                now: start.addingTimeInterval(601)
            )
            let outcome = try await store.deleteAccount(late)
            try expect(outcome == .signInTooOld)
            let found = try await store.session(tokenHash: sample.token.hash, now: start)
            try expect(found?.account == account)
        },
        Check(name: "a session that has ended deletes nothing") { store in
            let sample = SampleSignIn()
            let other = SampleSignIn()
            let account = try await store.signIn(sample).signedIn.account
            try await store.signIn(other)
            _ = try await store.endSession(sample.session, of: account.id, now: start)
            let outcome = try await store.deleteAccount(deletion(of: account.id, by: sample))
            try expect(outcome == .sessionEnded)
            let found = try await store.session(tokenHash: other.token.hash, now: start)
            try expect(found?.account == account)
        },
        Check(name: "one person's session does not delete another's account") { store in
            let mine = SampleSignIn()
            var theirs = SampleSignIn()
            theirs.user = "000002.noah"
            try await store.signIn(mine)
            let noah = try await store.signIn(theirs).signedIn.account
            let outcome = try await store.deleteAccount(deletion(of: noah.id, by: mine))
            try expect(outcome == .sessionEnded)
        },
        Check(name: "a token used before the deletion makes no new account after it") { store in
            let sample = SampleSignIn(identityToken: "one")
            let account = try await store.signIn(sample).signedIn.account
            _ = try await store.deleteAccount(deletion(of: account.id, by: sample))
            let refusal = try await store.beginSignIn(SampleSignIn(identityToken: "one").attempt)
            try expect(refusal == .tokenReplayed)
        },
    ]

    package static func deletion(of account: AccountID, by sample: SampleSignIn) -> AccountDeletion
    {
        AccountDeletion(
            account: account,
            session: sample.session,
            signedInSince: sample.now.addingTimeInterval(-600),
            entryID: .random(),
            now: sample.now
        )
    }

    package static func claim(
        _ kind: OutboxTask.Kind = .revocation,
        by worker: String,
        maximumCount: Int = 10,
        at now: Date = SampleSignIn.start
    ) -> OutboxClaim {
        OutboxClaim(
            worker: worker,
            kind: kind,
            maximumCount: maximumCount,
            now: now,
            until: now.addingTimeInterval(120)
        )
    }
}
