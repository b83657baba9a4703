import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let accountChecks: [Check] = [
        Check("a name is stored as given and can be removed") { store in
            let account = try await store.signIn(SampleSignIn()).signedIn.account
            let name: AccountName = "  O'Brien \"; DROP TABLE accounts; -- 👩‍👩‍👧‍👦 "
            try expect(try await store.rename(account.id, to: name)?.name == name)
            let unnamed = try await store.rename(account.id, to: nil)
            try expect(unnamed?.name == nil)
            try expect(unnamed?.apple == account.apple)
        },
        Check("an unknown account cannot be renamed") { store in
            try expect(try await store.rename("nobody", to: "Maya") == nil)
        },
        Check("twenty changes of given and family name at once lose neither") { store in
            let account = try await store.signIn(SampleSignIn()).signedIn.account
            _ = try await atOnce(20) { number in
                let change =
                    number.isMultiple(of: 2)
                    ? NameChange.parts(givenName: "Maya \(number)", familyName: nil)
                    : .parts(givenName: nil, familyName: "Lindgren \(number)")
                return try await store.changeProfile(of: account.id, ProfileChange(name: change))
            }
            let name = try await store.account(account.id)?.name
            try expect(name?.givenName?.hasPrefix("Maya") == true, "\(String(describing: name))")
            try expect(name?.familyName?.hasPrefix("Lindgren") == true)
        },
        Check("a deletion ends sessions, frees the identity and queues each token once") { store in
            let native = SampleSignIn(name: "Maya", refreshToken: "native token")
            let replaced = SampleSignIn(refreshToken: "newer native token")
            let web = SampleSignIn(clientID: "com.example.juice.web", refreshToken: "web token")
            for sample in [native, replaced, web] { try await store.signIn(sample) }
            let account = try require(try await store.session(of: web)?.account.id)
            let outcome = try await store.deleteAccount(deletion(of: account, by: web))
            try expect(outcome == .success(2))
            for sample in [native, replaced, web] {
                try expect(try await store.session(of: sample) == nil)
            }
            let queued = try await store.claimEntries(claim(by: "worker"))
            try expect(Set(queued.map(\.task.sealedToken)) == ["newer native token", "web token"])
            try expect(Set(queued.map(\.person)) == [web.person.hash])
            let again = try await store.signIn(SampleSignIn())
            try expect(again.isNewAccount)
            try expect(again.signedIn.account.id != account)
            try expect(again.signedIn.account.name == nil)
        },
        Check("a deletion requires a recent sign-in of the session") { store in
            let sample = SampleSignIn()
            let account = try await store.signIn(sample).signedIn.account
            let late = AccountDeletion(
                account: account.id,
                caller: AccountChange.Caller(
                    account: account.id,
                    session: sample.session,
                    signedInSince: start.addingTimeInterval(1)
                ),
                entryID: .random(),
                now: start.addingTimeInterval(601)
            )
            try expect(try await store.deleteAccount(late) == .failure(.recentSignInRequired))
            try expect(try await store.session(of: sample)?.account == account)
        },
        Check("an ended session cannot delete an account") { store in
            let sample = SampleSignIn()
            let other = SampleSignIn()
            let account = try await store.signIn(sample).signedIn.account
            try await store.signIn(other)
            _ = try await store.endSession(sample.session, of: account.id, now: start)
            let outcome = try await store.deleteAccount(deletion(of: account.id, by: sample))
            try expect(outcome == .failure(.sessionInvalid))
            try expect(try await store.session(of: other)?.account == account)
        },
        Check("a session cannot delete another user's account") { store in
            let mine = SampleSignIn()
            let theirs = SampleSignIn(user: "000002.noah")
            try await store.signIn(mine)
            let noah = try await store.signIn(theirs).signedIn.account
            let outcome = try await store.deleteAccount(deletion(of: noah.id, by: mine))
            try expect(outcome == .failure(.sessionInvalid))
        },
        Check("an identity token used before a deletion creates no account after it") { store in
            let sample = SampleSignIn(identityToken: "one")
            let account = try await store.signIn(sample).signedIn.account
            _ = try await store.deleteAccount(deletion(of: account.id, by: sample))
            let refusal = try await store.beginSignIn(SampleSignIn(identityToken: "one").check)
            try expect(refusal == .tokenReplayed)
        },
    ]

    package static func deletion(of account: AccountID, by sample: SampleSignIn) -> AccountDeletion
    {
        AccountDeletion(
            account: account,
            caller: AccountChange.Caller(
                account: account,
                session: sample.session,
                signedInSince: sample.now.addingTimeInterval(-600)
            ),
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
