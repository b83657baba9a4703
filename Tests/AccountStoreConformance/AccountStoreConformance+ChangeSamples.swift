import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    // MARK: Changes for checks

    static func link(_ apple: SampleSignIn, to maya: SamplePassword) -> AccountChange {
        AccountChange(kind: apple.linking, caller: maya.caller(), now: apple.now)
    }

    static func changing(
        _ kind: AccountChange.Kind,
        by maya: SamplePassword,
        _ mail: QueuedMail? = nil
    ) -> AccountChange {
        AccountChange(kind: kind, caller: maya.caller(), mail: mail, now: start)
    }

    static func expectRepeatable(_ change: AccountChange, in store: AccountStore) async throws {
        let first = try await store.change(change)
        let second = try await store.change(change)
        try expect(first.account != nil && first.account == second.account, "\(first), \(second)")
    }

    /// Checks which sessions are active and which have ended.
    static func expectSessions(
        _ live: [SampleSignIn],
        ended: [SampleSignIn],
        in store: AccountStore
    ) async throws {
        for sample in live + ended {
            let found = try await store.session(of: sample)
            let isLive = live.contains { $0.session == sample.session }
            try expect(
                (found != nil) == isLive,
                "\(sample.session) has \(isLive ? "" : "not ")ended"
            )
        }
    }

    static func emailChange(
        _ maya: SamplePassword,
        _ address: String,
        link: String,
        _ mail: QueuedMail? = nil
    ) -> AccountChange {
        let token = MailToken(
            hash: SecretHash(of: link),
            account: maya.account,
            purpose: .verification,
            address: address,
            expiresAt: start.addingTimeInterval(60)
        )
        return AccountChange(
            kind: .changeEmail(.init(token: token, throttles: [])),
            caller: maya.caller(),
            mail: mail,
            now: start
        )
    }

    static func follow(
        _ secret: String,
        by maya: SamplePassword,
        at time: Date = start
    ) -> AccountChange {
        AccountChange(kind: .verifyEmail(SecretHash(of: secret)), caller: maya.caller(), now: time)
    }

    static func own(_ text: String, isVerified: Bool) -> EmailAddress {
        EmailAddress(text: text, isVerified: isVerified, isPrivateRelay: false, isOwn: true)
    }

    package static func mail(_ id: OutboxID) -> QueuedMail {
        QueuedMail(
            id: id,
            mail: SealedMail(sealedOrder: "sealed", expiresAt: start.addingTimeInterval(3600)),
            isAddressed: false,
            createdAt: start
        )
    }

    static func resetRequest(
        username: String? = nil,
        address: String,
        link: String
    ) -> PasswordResetRequest {
        PasswordResetRequest(
            username: username.flatMap { try? Username($0) },
            address: address,
            links: [
                PasswordResetRequest.Link(
                    hash: SecretHash(of: link),
                    expiresAt: start.addingTimeInterval(1800),
                    mail: mail(OutboxID("mail \(link)"))
                )
            ],
            throttles: [],
            now: start
        )
    }
}

extension AccountChangeOutcome {
    var account: Account? {
        try? get()
    }
}
