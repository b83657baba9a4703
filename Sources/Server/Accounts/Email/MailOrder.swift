import AppleIdentity
import Foundation
import SignInWithApple

/// The facts of a mail to a user, before it is written.
package struct MailOrder: Codable, Hashable, Sendable {
    /// The event or request that the mail is about.
    package enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
        /// The user gave an email address; the link verifies it.
        case verification
        /// The user requested a password reset.
        case passwordReset
        /// There was a sign-in on a new device.
        case newSignIn
        /// The password was set or changed.
        case passwordChanged
        /// The password and the username were removed.
        case passwordRemoved
        /// An Apple Account was linked to the account.
        case appleLinked
        /// The Apple Account was unlinked from the account.
        case appleUnlinked
        /// A change of the email address was requested; the mail goes to the current one.
        case emailChangeRequested
        /// The email address was changed; the mail goes to the former one.
        case emailChanged
        /// The account was deleted.
        case accountDeleted

        /// Seconds after which the mail is no longer useful.
        package var lifetime: TimeInterval {
            switch self {
            case .passwordReset: 30 * 60
            case .verification, .newSignIn, .passwordChanged, .passwordRemoved, .appleLinked,
                .appleUnlinked, .emailChangeRequested, .emailChanged, .accountDeleted:
                24 * 3600
            }
        }

        /// Whether the mail is sent for its link; the link of any other kind undoes the change.
        var isAboutLink: Bool { self == .verification || self == .passwordReset }
    }

    /// Seconds for which a link undoes a change: a week, for a user who reads their mail once a week.
    static let undoLifetime: TimeInterval = 7 * 24 * 3600

    package let kind: Kind
    /// The recipient; empty for the account's email address, which is looked up when the mail is sent.
    package internal(set) var address: String
    /// The language of the mail: `en` or `de`.
    package let language: String
    /// The user's display name.
    package let name: String?
    /// The secret of the link, for the kinds that have one.
    package let linkToken: String?
    /// The name of the device that caused the mail.
    package let device: String?
    /// Whether the link at Apple outlives the account; the mail then says where the user ends it.
    package let appleLinkRemains: Bool
    /// When an Apple identity was linked to the account, for emails that mention it.
    package let appleLinkedAt: Date?
    /// The time of the event.
    package let occurredAt: Date
    /// When the mail is dropped instead of sent.
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
        let lifetime =
            linkToken == nil || kind.isAboutLink ? kind.lifetime : Self.undoLifetime
        self.expiresAt = expiresAt ?? occurredAt.addingTimeInterval(lifetime)
    }
}

extension MailOrder {
    /// Whether the mail has a link that undoes the change.
    package var undoesChange: Bool { linkToken != nil && !kind.isAboutLink }

    /// Encrypts the order, for a rule that decides whether it is sent.
    package func mail(id: OutboxID = .random(), sealedBy sealer: TokenSealer) throws -> QueuedMail {
        let sealed = sealer.seal(try JSONEncoder().encode(self), for: .mail(id))
        return QueuedMail(
            id: id,
            mail: SealedMail(
                sealedOrder: sealed,
                expiresAt: expiresAt,
                isAwaited: kind.isAboutLink
            ),
            isAddressed: !address.isEmpty,
            createdAt: occurredAt
        )
    }
}

/// An encrypted order in the outbox; recipient and content cannot be read without the key.
package struct SealedMail: Codable, Hashable, Sendable {
    /// The order, encrypted for its outbox entry.
    package internal(set) var sealedOrder: String
    /// When the mail is dropped instead of sent; not encrypted, so it is dropped even when the key is lost.
    package let expiresAt: Date
    /// The account whose email address it goes to, when the order has none.
    package internal(set) var recipient: AccountID?
    /// Whether a user waits for it; the kind of the outbox entry stores this.
    package internal(set) var isAwaited = false

    private enum CodingKeys: CodingKey { case sealedOrder, expiresAt, recipient }

    func addressed(to account: AccountID) -> SealedMail {
        var mail = self
        mail.recipient = account
        return mail
    }

    /// Decrypts the order; throws `SealingError` when the key is missing or the order belongs to another entry.
    func order(of id: OutboxID, openedBy sealer: TokenSealer) throws -> MailOrder {
        let data = try sealer.open(sealedOrder, for: .mail(id))
        return try JSONDecoder().decode(MailOrder.self, from: data)
    }
}

extension AccountID {
    /// The hash by which queued mail of an account is found, even after the account is deleted.
    package var mailHash: SecretHash { SecretHash(ofParts: ["mail", rawValue]) }
}

extension SealingContext {
    static func mail(_ id: OutboxID) -> SealingContext {
        SealingContext(purpose: "mail", parts: [id.rawValue])
    }
}
