import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let undoChecks: [Check] = [
        Check("the link of a change keeps what the account had before") { store in
            let (maya, before) = try await store.createLinked()
            _ = try await store.change(undoable(.unlinkApple("entry"), by: maya))
            let found = try require(try await store.mailToken(SecretHash(of: "undo"), now: start))
            try expect(found.token.purpose == .changeUndo)
            try expect(found.token.snapshot == AccountSnapshot(of: before, maya.stored))
            try expect(found.account.apple == nil && found.account.emailSince == start)
            try expect(found.account.passwordSetAt == start)
        },
        Check("a link is not sent to an email address of the last week") { store in
            let (maya, _) = try await store.createLinked()
            _ = try await store.change(emailChange(maya, "new@example.com", link: "verification"))
            var verifying = follow("verification", by: maya, at: start.addingTimeInterval(1))
            verifying.undoLink = undoLink("undo")
            _ = try await store.change(verifying)
            var unlinking = undoable(.unlinkApple("entry"), by: maya)
            unlinking.undoLink = undoLink("later", "new@example.com")
            _ = try await store.change(unlinking)
            let now = start.addingTimeInterval(1)
            try expect(try await store.mailToken(SecretHash(of: "undo"), now: now) != nil)
            try expect(try await store.mailToken(SecretHash(of: "later"), now: now) == nil)
        },
        Check("undoing restores everything, and ends sessions and later links") { store in
            let (maya, before) = try await store.createLinked()
            _ = try await store.change(undoable(.unlinkApple("first"), by: maya))
            _ = try await store.change(
                link(SampleSignIn(user: "noah", refreshToken: "n"), to: maya)
            )
            _ = try await store.change(undoable(.unlinkApple("second"), by: maya, "later"))
            _ = try await store.change(
                link(SampleSignIn(user: "noah", refreshToken: "n"), to: maya)
            )
            let undoing = try await store.undoing("undo")
            try await expectRepeatable(undoing, in: store)
            let found = try require(try await store.export(maya.account, now: start))
            var expected = before
            expected.apple?.revokedAt = start
            expected.apple?.hasRefreshToken = false
            try expect(found.account == expected, "\(found.account)")
            try expect(found.sessions.isEmpty && found.mailTokens.isEmpty)
            try expect(found.refreshTokens.isEmpty)
            let queued = try await store.claimEntries(claim(by: "worker"))
            try expect(queued.compactMap(\.task.sealedToken).contains("n"))
            _ = try await store.completePasswordSignIn(maya.signIn(SampleSignIn()))
            let back = try await store.signIn(SampleSignIn())
            try expect(!back.isNewAccount && back.signedIn.account.apple?.revokedAt == nil)
        },
        Check("undoing leaves an Apple identity with its other account, and stays possible") {
            store in
            let (maya, before) = try await store.createLinked()
            _ = try await store.change(undoable(.unlinkApple("entry"), by: maya))
            let other = SampleSignIn()
            let elsewhere = try await store.signIn(other).signedIn.account
            try expect(elsewhere.id != maya.account)
            let undone = try await store.change(try await store.undoing("undo"))
            try expect(undone.account?.apple == nil && undone.account?.username == "maya")
            _ = try await store.deleteAccount(deletion(of: elsewhere.id, by: other))
            let again = try await store.change(try await store.undoing("undo"))
            try expect(again.account?.apple?.person == before.apple?.person)
            try expect(try await store.mailToken(SecretHash(of: "undo"), now: start) == nil)
        },
        Check("undoing during a sign-in of its Apple user leaves the identity with one account") {
            store in
            for round in 0..<5 {
                let (maya, _) = try await store.createLinked(round)
                _ = try await store.change(
                    undoable(.unlinkApple(OutboxID("e\(round)")), by: maya, "undo \(round)")
                )
                let undoing = try await store.undoing("undo \(round)")
                let signIn = SampleSignIn(user: UserID("user \(round)"))
                let holders = try await atOnce(2) { number in
                    number == 0
                        ? try await store.change(undoing).account
                        : try await store.signIn(signIn).signedIn.account
                }
                let isRestored = holders.contains { $0?.id == maya.account && $0?.apple != nil }
                let isElsewhere = holders.contains { $0?.id != maya.account }
                try expect(isRestored != isElsewhere)
            }
        },
        Check("a removed password frees the username, and a link brings both back") { store in
            let apple = SampleSignIn(email: .apple("maya@example.com"))
            let account = try await store.signIn(apple).signedIn.account
            let later = start.addingTimeInterval(1)
            func change(_ kind: AccountChange.Kind) -> AccountChange {
                let caller = AccountChange.Caller(
                    account: account.id,
                    session: apple.session,
                    signedInSince: start
                )
                return AccountChange(kind: kind, caller: caller, now: later)
            }
            let username = try Username("maya")
            let first = AccountChange.PasswordChange(username: username, checked: nil, hash: "one")
            let named = try await store.change(change(.changePassword(first)))
            try expect(named.account?.passwordSetAt == later)
            let second = AccountChange.PasswordChange(username: nil, checked: nil, hash: "two")
            let replaced = try await store.change(change(.changePassword(second)))
            try expect(replaced.account == named.account)
            var removal = change(.removePassword([]))
            removal.undoLink = undoLink("undo")
            let removed = try await store.change(removal)
            try expect(removed.account?.username == nil)
            try expect(try await store.export(account.id, now: start)?.passwordChangedAt == nil)
            let undone = try await store.change(try await store.undoing("undo"))
            try expect(undone.account?.username == "maya")
            let challenge = try await store.beginPasswordCheck(SamplePassword().attempt)
            guard case .success(let passwords) = challenge, let stored = passwords.first else {
                throw Failure(description: "wait")
            }
            try expect(stored?.hash == "two" && stored?.changedAt == later)
        },
    ]

    private static func undoLink(
        _ secret: String,
        _ address: String = "maya@example.com"
    ) -> AccountChange.UndoLink {
        let mail = mail(OutboxID("mail \(secret)"))
        return AccountChange.UndoLink(hash: SecretHash(of: secret), address: address, mail: mail)
    }

    private static func undoable(
        _ kind: AccountChange.Kind,
        by maya: SamplePassword,
        _ secret: String = "undo"
    ) -> AccountChange {
        var change = changing(kind, by: maya)
        change.undoLink = undoLink(secret)
        return change
    }
}

extension AccountStore {
    /// Creates an account with a password, a verified email address and an Apple identity.
    fileprivate func createLinked(_ number: Int? = nil) async throws -> (SamplePassword, Account) {
        let email = AccountStoreConformance.own("maya@example.com", isVerified: true)
        let name = number.map { "maya\($0)" } ?? "maya"
        let maya = try await create(SamplePassword(username: name, email: email))
        let apple = SampleSignIn(
            user: number.map { UserID("user \($0)") } ?? "000001.maya",
            refreshToken: "token \(name)"
        )
        let outcome = try await change(AccountStoreConformance.link(apple, to: maya))
        return (maya, try require(outcome.account))
    }

    /// The undoing with a link, which the service looks up beforehand.
    fileprivate func undoing(_ secret: String) async throws -> AccountChange {
        let now = AccountStoreConformance.start
        let found = try await mailToken(SecretHash(of: secret), now: now)
        let token = try require(found?.token)
        return AccountChange(
            kind: .undo(token, hash: nil, .random()),
            caller: nil,
            linkOwner: token.account,
            now: now
        )
    }
}
