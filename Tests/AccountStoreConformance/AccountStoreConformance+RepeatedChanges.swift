import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    /// Checks that repeat a change whose result was lost, with the same values.
    static let repeatedChangeChecks: [Check] = [
        Check("a repeated link to Apple, or unlinking, is made once") { store in
            let maya = try await store.create()
            let apple = SampleSignIn(refreshToken: "token")
            let linking = link(apple, to: maya)
            try await expectRepeatable(linking, in: store)
            let unlinking = changing(.unlinkApple("entry"), by: maya)
            try await expectRepeatable(unlinking, in: store)
            let queued = try await store.claimEntries(claim(by: "worker"))
            try expect(queued.map(\.task.sealedToken) == ["token"])
        },
        Check("a repeated change of the password is made once") { store in
            let maya = try await store.create()
            let change = changing(
                .changePassword(.init(username: nil, checked: maya.stored, hash: "new")),
                by: maya
            )
            try await expectRepeatable(change, in: store)
        },
        Check("a repeated change or verification of the email address is made once") { store in
            let maya = try await store.create()
            let change = emailChange(maya, "maya@example.com", link: "link", mail("mail"))
            try await expectRepeatable(change, in: store)
            let mail = try await store.claimEntries(claim(.mail, by: "worker"))
            try expect(mail.isEmpty, "a mail to an unverified email address was queued")
            try await expectRepeatable(follow("link", by: maya), in: store)
        },
        Check("a repeated password reset is made once") { store in
            let maya = SamplePassword(email: own("maya@example.com", isVerified: true))
            _ = try await store.createAccount(maya.creation)
            let request = resetRequest(address: "maya@example.com", link: "reset")
            for _ in 0..<2 {
                try expect(try await store.requestPasswordReset(request) == .success(1))
            }
            try expect(try await store.claimEntries(claim(.mail, by: "worker")).count == 1)
            let reset = AccountChange(
                kind: .resetPassword(SecretHash(of: "reset"), hash: "new"),
                caller: nil,
                linkOwner: maya.account,
                now: start
            )
            try await expectRepeatable(reset, in: store)
        },
    ]

    static let strangerChecks: [Check] = [
        Check("a verification link is invalid once another email address is given") { store in
            let maya = try await store.create()
            _ = try await store.change(emailChange(maya, "stranger@example.com", link: "first"))
            _ = try await store.change(emailChange(maya, "maya@example.com", link: "second"))
            try expect(try await store.change(follow("first", by: maya)) == .failure(.linkInvalid))
            let second = try await store.change(follow("second", by: maya))
            try expect(second.account?.email?.text == "maya@example.com")
        },
        Check("a verification link works only with a session of its account") { store in
            let maya = SamplePassword()
            let stranger = SamplePassword(username: "stranger")
            for person in [maya, stranger] { _ = try await store.createAccount(person.creation) }
            _ = try await store.change(emailChange(maya, "stranger@example.com", link: "link"))
            var nobody = maya
            nobody.session = SampleSignIn()
            for person in [stranger, nobody] {
                let refused = try await store.change(follow("link", by: person))
                try expect(refused.account == nil, "\(refused)")
            }
            let followed = try await store.change(follow("link", by: maya))
            try expect(
                followed.account?.email?.isVerified == true,
                "the link was used by a refused request"
            )
        },
        Check("a pending email address is dropped with the session that requested it") { store in
            for name in ["one", "all"] {
                let maya = try await store.create(SamplePassword(username: name))
                let other = SampleSignIn()
                _ = try await store.completePasswordSignIn(maya.signIn(other))
                _ = try await store.change(emailChange(maya, "new@example.com", link: name))
                let asking = maya.session.session
                let before = try await store.session(of: other)
                let pending = PendingEmail(address: "new@example.com", session: asking)
                try expect(before?.account.pendingEmail == pending)
                if name == "one" {
                    _ = try await store.endSession(asking, of: maya.account, now: start)
                } else {
                    _ = try await store.endSessions(
                        of: maya.account,
                        except: other.session,
                        audit: nil,
                        now: start
                    )
                }
                let after = try await store.session(of: other)
                let token = try await store.mailToken(SecretHash(of: name), now: start)
                try expect(after != nil && after?.account.pendingEmail == nil && token == nil)
            }
        },
        Check("a username equal to another user's email address keeps no mail from them") { store in
            let squatter = try await store.create(SamplePassword(username: "maya@example.com"))
            let maya = SamplePassword(email: own("Maya@example.com", isVerified: true))
            _ = try await store.createAccount(maya.creation)
            let asked = try await store.requestPasswordReset(
                resetRequest(
                    username: "maya@example.com",
                    address: "maya@example.com",
                    link: "reset"
                )
            )
            try expect(asked == .success(1))
            let found = try await store.mailToken(SecretHash(of: "reset"), now: start)
            try expect(found?.account.id == maya.account)
        },
    ]
}
