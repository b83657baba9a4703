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
        Check("an Apple identity linked to another account is refused") { store in
            let maya = try await store.create()
            let other = try await store.signIn(SampleSignIn()).signedIn.account
            let outcome = try await store.change(link(SampleSignIn(), to: maya))
            try expect(outcome == .failure(.appleLinkedElsewhere))
            try expect(try await store.signIn(SampleSignIn()).signedIn.account.id == other.id)
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
        Check("an identity token is used once, for a sign-in or for a link") { store in
            let maya = try await store.create()
            let used = SampleSignIn(identityToken: "used", user: "000002.noah")
            try await store.signIn(used)
            let replayed = try await store.change(link(used, to: maya))
            try expect(replayed == .failure(.tokenReplayed))
            let linking = SampleSignIn(identityToken: "linking")
            _ = try await store.change(link(linking, to: maya))
            let refusal = try await store.refusal(
                completing: SampleSignIn(identityToken: "linking")
            )
            try expect(refusal == .tokenReplayed)
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
        Check("unlinking ends other sessions opened with Apple, and app codes") { store in
            let maya = try await store.create()
            _ = try await store.change(link(SampleSignIn(), to: maya))
            let (phone, other) = (SampleSignIn(), SampleSignIn())
            let apple = try await store.signIn(phone).signedIn
            try expect(apple.session.signInMethod == .apple)
            _ = try await store.completePasswordSignIn(maya.signIn(other))
            let code = SampleAppCode(confirmedBy: apple)
            try expect(try await store.issueAppCode(code.issue))
            let unlinking = changing(.unlinkApple("entry"), by: maya)
            _ = try await store.change(unlinking)
            try await expectSessions([maya.session, other], ended: [phone], in: store)
            try expect(
                try await store.redeemAppCode(code.redemption)
                    == .failure(.appCodeInvalid(.unknown))
            )
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
        Check("the session that unlinks stays, even if opened with Apple") { store in
            let maya = try await store.create()
            _ = try await store.change(link(SampleSignIn(), to: maya))
            let phone = SampleSignIn()
            try await store.signIn(phone)
            let caller = AccountChange.Caller(
                account: maya.account,
                session: phone.session,
                signedInSince: nil
            )
            _ = try await store.change(
                AccountChange(kind: .unlinkApple("entry"), caller: caller, now: start)
            )
            try await expectSessions([maya.session, phone], ended: [], in: store)
        },
        Check("a changed password ends all other sessions") { store in
            let maya = try await store.create()
            let other = SampleSignIn()
            _ = try await store.completePasswordSignIn(maya.signIn(other))
            let outcome = try await store.change(
                changing(
                    .changePassword(.init(username: nil, checked: maya.stored, hash: "new")),
                    by: maya
                )
            )
            try expect(outcome.account?.id == maya.account)
            let gone = try await store.session(of: other)
            let stays = try await store.session(of: maya.session)
            try expect(gone == nil && stays != nil)
            let stale = try await store.change(
                changing(
                    .changePassword(
                        .init(username: nil, checked: maya.stored, hash: "third")
                    ),
                    by: maya
                )
            )
            try expect(stale == .failure(.credentialsInvalid))
        },
        Check("an account linked to Apple gets a free username") { store in
            _ = try await store.createAccount(SamplePassword().creation)
            let apple = SampleSignIn()
            let account = try await store.signIn(apple).signedIn.account
            func change(_ name: String) throws -> AccountChange {
                AccountChange(
                    kind: .changePassword(
                        .init(username: try Username(name), checked: nil, hash: "hash")
                    ),
                    caller: AccountChange.Caller(
                        account: account.id,
                        session: apple.session,
                        signedInSince: nil
                    ),
                    now: start
                )
            }
            try expect(try await store.change(try change("Maya")) == .failure(.usernameTaken))
            let free = try await store.change(try change("Maya.Appleseed"))
            try expect(free.account?.username == "maya.appleseed")
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
        Check("an unverified email address blocks no sign-in with Apple") { store in
            let maya = SamplePassword(email: own("maya@example.com", isVerified: false))
            _ = try await store.createAccount(maya.creation)
            let apple = SampleSignIn(email: .apple("maya@example.com"))
            try expect(try await store.signIn(apple).isNewAccount)
        },
        Check("a reset link sets a new password and ends all sessions") { store in
            let maya = SamplePassword(email: own("maya@example.com", isVerified: true))
            _ = try await store.createAccount(maya.creation)
            let request = resetRequest(address: "maya@example.com", link: "reset")
            try expect(try await store.requestPasswordReset(request) == .success(1))
            let mail = try await store.claimEntries(claim(.mail, by: "worker"))
            try expect(mail.map(\.task.kind) == [.mail])
            let found = try await store.mailToken(SecretHash(of: "reset"), now: start)
            try expect(found?.account.id == maya.account)
            let outcome = try await store.change(
                AccountChange(
                    kind: .resetPassword(SecretHash(of: "reset"), hash: "new"),
                    caller: nil,
                    now: start
                )
            )
            try expect(outcome.account?.id == maya.account)
            let session = try await store.session(of: maya.session)
            let used = try await store.mailToken(SecretHash(of: "reset"), now: start)
            try expect(session == nil && used == nil)
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
        Check("a new device causes a mail, a known one and the first one do not") { store in
            var maya = SamplePassword(email: own("maya@example.com", isVerified: true))
            maya.session.mail = mail("first")
            maya.session.device = "Juice 2.1 on iPhone"
            _ = try await store.createAccount(maya.creation)
            var known = SampleSignIn()
            known.device = "Juice 2.2 on iPhone"
            known.mail = mail("known")
            _ = try await store.completePasswordSignIn(maya.signIn(known))
            var other = SampleSignIn()
            other.device = "Juice 2.2 on iPhone 2"
            other.mail = mail("other")
            _ = try await store.completePasswordSignIn(maya.signIn(other))
            let mail = try await store.claimEntries(claim(.mail, by: "worker"))
            try expect(mail.map(\.id) == ["other"])
        },
    ]
}
