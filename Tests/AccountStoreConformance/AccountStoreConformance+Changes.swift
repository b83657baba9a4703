import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let changeChecks: [Check] = [
        Check("a linked Apple identity signs in to the existing account") { store in
            let maya = try await store.create()
            let apple = SampleSignIn(refreshToken: "token")
            let outcome = try await store.change(link(apple, to: maya))
            try expect(outcome.account?.apple?.person == apple.person)
            let later = try await store.signIn(SampleSignIn())
            try expect(!later.isNewAccount && later.signedIn.account.id == maya.account)
        },
        Check("linking an Apple identity to two accounts at once succeeds for one") { store in
            for round in 0..<5 {
                var first = SamplePassword()
                var second = SamplePassword()
                (first.username, second.username) = ("first\(round)", "second\(round)")
                let both = [first, second]
                for maya in both { _ = try await store.createAccount(maya.creation) }
                let outcomes = try await atOnce(2) { number in
                    let apple = SampleSignIn(user: UserID("person \(round)"))
                    return try await store.change(link(apple, to: both[number]))
                }
                try expect(outcomes.count { $0.account != nil } == 1)
                try expect(outcomes.contains(.failure(.appleLinkedElsewhere)))
            }
        },
        Check("unlinking queues each revocation and keeps the last sign-in method") { store in
            let maya = try await store.create()
            let apple = SampleSignIn(refreshToken: "token")
            _ = try await store.change(link(apple, to: maya))
            let unlinking = changing(.unlinkApple("entry"), by: maya)
            let outcome = try await store.change(unlinking)
            try expect(outcome.account != nil && outcome.account?.apple == nil)
            let queued = try await store.claimEntries(claim(by: "worker"))
            try expect(queued.map(\.task.sealedToken) == ["token"])
            let again = try await store.change(changing(.unlinkApple("again"), by: maya))
            try expect(again == .failure(.appleNotLinked))

            let only = SampleSignIn()
            let account = try await store.signIn(only).signedIn.account
            let refused = try await store.change(
                AccountChange(
                    kind: .unlinkApple("other"),
                    caller: AccountChange.Caller(
                        account: account.id,
                        session: only.session,
                        signedInSince: nil
                    ),
                    now: start
                )
            )
            try expect(refused == .failure(.lastWayIn))
        },
        Check("a revocation waits at most an hour for the mail to a relay address") { store in
            let maya = try await store.create()
            var apple = SampleSignIn()
            apple.refreshToken = "token"
            apple.email = .apple("a@privaterelay.appleid.com")
            _ = try await store.change(link(apple, to: maya))
            let unlinking = changing(.unlinkApple("entry"), by: maya, mail("mail"))
            _ = try await store.change(unlinking)
            let early = claim(by: "worker", at: start.addingTimeInterval(3599))
            try expect(try await store.claimEntries(early).isEmpty)
            let (first, second) = (OutboxID("entry-0"), start.addingTimeInterval(3600))
            let late = try await store.claimEntries(claim(by: "late", at: second))
            try expect(late.map(\.id) == [first] && late.map(\.waitsFor) == ["mail"])
            let failure = OutboxResult.failed(code: "later", nextAttemptAt: start)
            try await store.finishEntry(first, worker: "late", result: failure)
            let mail = try await store.claimEntries(claim(.mail, by: "worker"))
            try await store.finishEntry(mail[0].id, worker: "worker", result: .done)
            try expect(try await store.claimEntries(claim(by: "worker")).map(\.id) == [first])
        },
        Check("a verification link works once, and not after it has expired") { store in
            let maya = try await store.create()
            let token = MailToken(
                hash: SecretHash(of: "link"),
                account: maya.account,
                purpose: .verification,
                address: "maya@example.com",
                expiresAt: start.addingTimeInterval(60)
            )
            let asked = try await store.change(
                changing(.changeEmail(.init(token: token, throttles: [])), by: maya)
            )
            try expect(asked.account?.email?.isVerified == false)
            let end = start.addingTimeInterval(60)
            let late = try await store.change(follow("link", by: maya, at: end))
            try expect(late == .failure(.linkInvalid))
            let followed = try await store.change(follow("link", by: maya))
            try expect(followed.account?.email?.isVerified == true)
            try expect(try await store.change(follow("link", by: maya)) == .failure(.linkInvalid))
        },
        Check("a new account cannot take another one's verified email address") { store in
            let maya = SamplePassword(email: own("Maya@Example.com", isVerified: true))
            _ = try await store.createAccount(maya.creation)
            let apple = SampleSignIn(name: "Maya", email: .apple("maya@example.com"))
            let refusal = AccountsError.accountExists(maya.account)
            try expect(try await store.beginSignIn(apple.check) == refusal)
            try expect(try await store.refusal(completing: apple) == refusal)
            let outcome = try await store.change(link(SampleSignIn(), to: maya))
            try expect(outcome.account?.name == "Maya", "the name was not stored until the link")
        },
        Check("reset mails need a verified email address and a password") { store in
            let maya = SamplePassword(email: own("maya@example.com", isVerified: false))
            _ = try await store.createAccount(maya.creation)
            let apple = SampleSignIn(email: .apple("noah@example.com"))
            try await store.signIn(apple)
            for address in ["maya@example.com", "noah@example.com", "nobody@example.com"] {
                let outcome = try await store.requestPasswordReset(
                    resetRequest(address: address, link: address)
                )
                try expect(outcome == .success(0))
            }
            try expect(try await store.claimEntries(claim(.mail, by: "worker")).isEmpty)
        },
        Check("a deletion removes password, links and mail and frees the username") { store in
            let maya = SamplePassword(email: own("maya@example.com", isVerified: true))
            _ = try await store.createAccount(maya.creation)
            _ = try await store.requestPasswordReset(
                resetRequest(address: "maya@example.com", link: "reset")
            )
            let outcome = try await store.deleteAccount(
                deletion(of: maya.account, by: maya.session)
            )
            try expect(outcome == .success(0))
            let mail = try await store.claimEntries(claim(.mail, by: "worker"))
            let link = try await store.mailToken(SecretHash(of: "reset"), now: start)
            let export = try await store.export(maya.account, now: start)
            try expect(mail.isEmpty && link == nil && export == nil)
            try expect(try await store.createAccount(SamplePassword().creation).isSignedIn)
        },
        Check("the export contains all data kept about the account") { store in
            let maya = SamplePassword(email: own("maya@example.com", isVerified: true))
            _ = try await store.createAccount(maya.creation)
            let apple = SampleSignIn(refreshToken: "token")
            _ = try await store.change(link(apple, to: maya))
            _ = try await store.requestPasswordReset(
                resetRequest(address: "maya@example.com", link: "reset")
            )
            let person = apple.person
            let begin = AppleTransferStep.begin(person, identifier: "moved", team: "RECIPIENT1")
            try expect(try await store.transfer(begin) == .done)
            let export = try require(try await store.export(maya.account, now: start))
            try expect(export.transfer?.identifier.user == "moved" && !export.isAuditTruncated)
            try expect(export.account.apple != nil && export.passwordChangedAt == start)
            try expect(export.sessions.map(\.id) == [maya.session.session])
            try expect(export.refreshTokens.count == 1 && export.mailTokens.count == 1)
            try expect(export.waitingMail == [start])
        },
    ]
}
