import AccountStoreConformance
import AppleIdentity
import Foundation
import Testing

@testable import Accounts

@Suite("The rules of a sign-in with a password") struct PasswordSignInRuleTests {
    private let maya = SamplePassword()

    @Test("refuse a deleted account or another password")
    func refused() {
        let signIn = maya.signIn(SampleSignIn())
        for facts in [
            PasswordFacts(), PasswordFacts(account: maya.creation.account),
            PasswordFacts(
                account: maya.creation.account,
                password: StoredPassword(
                    account: maya.account,
                    hash: "another",
                    changedAt: maya.now
                )
            ),
            PasswordFacts(password: maya.stored),
        ] {
            let decision = signIn.decision(given: facts)
            #expect(decision.answer == .failure(.credentialsInvalid))
            #expect(decision.writes.isEmpty)
        }
    }

    @Test("keep the time of a password that is only hashed again")
    func rehashed() {
        let signIn = maya.signIn(SampleSignIn(), rehashed: "dearer")
        let facts = PasswordFacts(account: maya.creation.account, password: maya.stored)
        let password = StoredPassword(account: maya.account, hash: "dearer", changedAt: maya.now)
        #expect(signIn.decision(given: facts).writes.contains(.putPassword(password)))
    }

    @Test("create no account with a taken username")
    func taken() {
        let decision = maya.creation.decision(given: PasswordFacts(accountOfUsername: "other"))
        #expect(decision.answer == .failure(.usernameTaken))
        #expect(decision.writes.isEmpty)
    }

    @Test("send reset links only to accounts with a verified email address and a password")
    func resets() {
        let link = PasswordResetRequest.Link(
            hash: SecretHash(of: "link"),
            expiresAt: maya.now.addingTimeInterval(60),
            mail: QueuedMail(
                id: "mail",
                mail: SealedMail(sealedOrder: "sealed", expiresAt: maya.now),
                isAddressed: false,
                createdAt: maya.now
            )
        )
        let request = PasswordResetRequest(
            username: nil,
            address: "maya@example.com",
            links: [link],
            throttles: [],
            now: maya.now
        )
        func decision(_ username: String?, isVerified: Bool, isForwarded: Bool = true) -> Decision<
            PasswordResetOutcome
        > {
            let email = EmailAddress(
                text: "maya@example.com",
                isVerified: isVerified,
                isPrivateRelay: false
            )
            let account = Account(
                id: "a",
                email: email,
                isMailForwarded: isForwarded,
                username: username,
                createdAt: maya.now
            )
            return request.decision(given: [account], throttles: [], isDone: false)
        }
        #expect(decision("maya", isVerified: true).writes.enqueued.count == 1)
        #expect(decision("maya", isVerified: false).writes.enqueued.isEmpty)
        #expect(decision(nil, isVerified: true).writes.enqueued.isEmpty)
        #expect(decision("maya", isVerified: true, isForwarded: false).writes.enqueued.isEmpty)
        let account = Account(id: "a", username: "maya", createdAt: maya.now)
        #expect(request.decision(given: [account], throttles: [], isDone: true).writes.isEmpty)
    }
}
