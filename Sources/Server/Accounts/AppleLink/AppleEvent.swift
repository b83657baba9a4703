import AppleIdentity
import Foundation

/// An event of a user at Apple, as a store processes it.
package struct AppleEvent: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// The user stopped using the app: the account stays, and access that came from Apple ends.
        case consentRevoked
        /// The Apple Account was deleted: an account with a password loses its link, any other is deleted.
        case accountDeleted
        /// Mail to this email address is no longer forwarded; nil means the account's.
        case emailDisabled(address: String?)
        /// Mail to this email address is forwarded again; nil means the account's.
        case emailEnabled(address: String?)
    }

    package let person: ApplePerson
    package let change: Change
    /// The time of the event, by Apple's clock.
    package let eventTime: Date
    /// The hash of the notification's identifier, by which a repeated notification is recognized.
    package let notificationHash: SecretHash
    /// Until when the notification is remembered.
    package let rememberedUntil: Date
    /// The context of the audit log entry.
    package var audit: AuditContext?
    package let now: Date

    package init(
        person: ApplePerson,
        change: Change,
        eventTime: Date,
        notificationID: String,
        rememberedUntil: Date,
        now: Date
    ) {
        self.person = person
        self.change = change
        self.eventTime = eventTime.inWholeMicroseconds
        notificationHash = SecretHash(ofParts: [person.issuer, notificationID])
        self.rememberedUntil = rememberedUntil.inWholeMicroseconds
        self.now = now.inWholeMicroseconds
    }

    /// A hash that identifies the event, because Apple may report an event in two notifications.
    package var eventHash: SecretHash {
        let milliseconds = (eventTime.timeIntervalSince1970 * 1000).rounded()
        // Apple chooses the time: a number too large for an integer must not crash the process.
        let text = Int64(exactly: milliseconds).map(String.init) ?? "\(milliseconds)"
        return SecretHash(ofParts: [person.issuer, person.user.rawValue, change.word, text])
    }

    /// Whether the user must consent again before the next sign-in.
    package var endsConsent: Bool { change == .consentRevoked || change == .accountDeleted }
}

extension AppleEvent.Change {
    /// The event's name; the same for both of Apple's names of a deleted account.
    var word: String {
        switch self {
        case .consentRevoked: "consent-revoked"
        case .accountDeleted: "account-deleted"
        case .emailDisabled: "email-disabled"
        case .emailEnabled: "email-enabled"
        }
    }
}

/// The outcome of an event at Apple.
package enum AppleEventOutcome: Hashable, Sendable {
    /// The account was changed or deleted.
    case applied(AccountID)
    /// The event was already processed; nothing changed.
    case repeated
    /// The event is outdated or about another email address; nothing changed.
    case superseded(AccountID)
    /// The user has no account here; no account changed.
    case unknownPerson
}
