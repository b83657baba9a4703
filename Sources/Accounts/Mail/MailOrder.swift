import AppleIdentity
import Foundation
import SignInWithApple

/// What a person is to be told by mail, before it has words.
package struct MailOrder: Codable, Hashable, Sendable {
    /// What happened, or what the person asked for.
    package enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
        /// They gave an address, and a link proves that it is theirs.
        case verification
        /// They asked for a way to set a new password.
        case passwordReset
        /// Somebody signed in on a device that was not signed in before.
        case newSignIn
        /// The password was set or changed.
        case passwordChanged
        /// An Apple Account now opens the account.
        case appleLinked
        /// The Apple Account no longer opens the account.
        case appleUnlinked
        /// Somebody asked that mail go to another address; this one is told.
        case emailChangeRequested
        /// The account's mail goes to another address from now on; this one is told.
        case emailChanged
        /// The account is gone.
        case accountDeleted

        /// Seconds after which the mail is worth nothing to the person.
        package var lifetime: TimeInterval {
            switch self {
            case .passwordReset: 30 * 60
            case .verification, .newSignIn, .passwordChanged, .appleLinked, .appleUnlinked,
                .emailChangeRequested, .accountDeleted:
                24 * 3600
            // Its link undoes the change, also for somebody who reads their mail once a week.
            case .emailChanged: 7 * 24 * 3600
            }
        }
    }

    /// What happened.
    package let kind: Kind
    /// Whom to tell; empty for the account's address, which is looked up when the mail is sent.
    package internal(set) var address: String
    /// The language to write in: `en` or `de`.
    package let language: String
    /// What the person wants to be called.
    package let name: String?
    /// The secret of the link, for the kinds that have one.
    package let linkToken: String?
    /// The device that did it, in words.
    package let device: String?
    /// Whether the link at Apple outlives the account, and the person is told where to end it.
    package let appleLinkRemains: Bool
    /// Since when an Apple identity opens the account too, where the person is told of it.
    package let appleLinkedAt: Date?
    /// When it happened.
    package let occurredAt: Date
    /// When the mail is worth nothing any more, and is dropped instead of sent.
    package let expiresAt: Date

    package init(
        kind: Kind,
        address: String = "",
        language: String,
        name: String? = nil,
        linkToken: String? = nil,
        device: String? = nil,
        appleLinkRemains: Bool = false,
        appleLinkedAt: Date? = nil,
        occurredAt: Date,
        expiresAt: Date? = nil
    ) {
        self.kind = kind
        self.address = address
        self.language = language
        self.name = name
        self.linkToken = linkToken
        self.device = device
        self.appleLinkRemains = appleLinkRemains
        self.appleLinkedAt = appleLinkedAt
        self.occurredAt = occurredAt
        self.expiresAt = expiresAt ?? occurredAt.addingTimeInterval(kind.lifetime)
    }
}

extension MailOrder {
    /// Seals the order, for a rule that decides whether it is sent; throws `SealingError`, which the cipher gives no
    /// reason to expect.
    package func notice(id: OutboxID = .random(), sealedBy sealer: TokenSealer) throws -> MailNotice
    {
        let sealed = try sealer.seal(try JSONEncoder().encode(self), for: .mail(id))
        return MailNotice(
            id: id,
            mail: SealedMail(sealedOrder: sealed, expiresAt: expiresAt),
            isAddressed: !address.isEmpty,
            createdAt: occurredAt
        )
    }
}

/// An order as the outbox keeps it: nobody without the key reads whom it is for or what it says.
package struct SealedMail: Codable, Hashable, Sendable {
    /// The order, sealed for its entry.
    package let sealedOrder: String
    /// When the mail is dropped instead of sent; readable, so that it goes even when the key is lost.
    package let expiresAt: Date
    /// The account whose address it goes to, when the order names none.
    package let recipient: AccountID?

    package init(sealedOrder: String, expiresAt: Date, recipient: AccountID? = nil) {
        self.sealedOrder = sealedOrder
        self.expiresAt = expiresAt
        self.recipient = recipient
    }

    func addressed(to account: AccountID) -> SealedMail {
        SealedMail(sealedOrder: sealedOrder, expiresAt: expiresAt, recipient: account)
    }

    /// Opens the order; throws `SealingError` when the key is missing or the order belongs to another entry.
    func order(of id: OutboxID, openedBy sealer: TokenSealer) throws -> MailOrder {
        let data = try sealer.open(sealedOrder, for: .mail(id))
        return try JSONDecoder().decode(MailOrder.self, from: data)
    }
}

extension AccountID {
    /// By which mail that waits for an account is found, also when the account is gone.
    package var mailHash: SecretHash { SecretHash(ofParts: ["mail", rawValue]) }
}

extension SealingContext {
    static func mail(_ id: OutboxID) -> SealingContext {
        SealingContext(purpose: "mail", parts: [id.rawValue])
    }
}
