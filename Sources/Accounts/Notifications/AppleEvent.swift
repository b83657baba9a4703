import AppleIdentity
import Foundation

/// Something that happened to a person at Apple, as a store acts on it.
package struct AppleEvent: Hashable, Sendable {
    /// What happened.
    package enum Change: Hashable, Sendable {
        /// The person stopped using the app: the account stays, and what Apple gave access to ends.
        case consentRevoked
        /// The Apple Account is gone: an account with a password loses its link, any other is deleted.
        case accountDeleted
        /// Mail to this address is not forwarded any more; nil means the account's.
        case emailDisabled(address: String?)
        /// Mail to this address is forwarded again; nil means the account's.
        case emailEnabled(address: String?)
    }

    package let person: ApplePerson
    /// What happened.
    package let change: Change
    /// When it happened, by Apple's clock.
    package let eventTime: Date
    /// The notification's own name, hashed: one that was acted on is not acted on again.
    package let notificationHash: SecretHash
    /// Until when the notification has to be remembered.
    package let rememberedUntil: Date
    /// What the audit log is told.
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

    /// The event's own name, hashed: Apple may tell one event in two notifications.
    package var eventHash: SecretHash {
        let milliseconds = (eventTime.timeIntervalSince1970 * 1000).rounded()
        // Apple chooses the time, and a number too large for an integer must not end the process.
        let text = Int64(exactly: milliseconds).map(String.init) ?? "\(milliseconds)"
        return SecretHash(ofParts: [person.issuer, person.user.rawValue, change.word, text])
    }

    /// Whether the person has to agree anew before they can sign in again.
    package var endsConsent: Bool { change == .consentRevoked || change == .accountDeleted }
}

extension AppleEvent.Change {
    /// One word for either of Apple's words for a deleted account.
    var word: String {
        switch self {
        case .consentRevoked: "consent-revoked"
        case .accountDeleted: "account-deleted"
        case .emailDisabled: "email-disabled"
        case .emailEnabled: "email-enabled"
        }
    }
}

/// What came of an event at Apple.
package enum AppleEventOutcome: Hashable, Sendable {
    /// The account is now as the event says, or gone.
    case applied(AccountID)
    /// The event was acted on before; nothing has changed.
    case repeated
    /// What is known of the account is newer, or about another address; nothing has changed.
    case superseded(AccountID)
    /// The person has no account here; nothing has changed.
    case unknownPerson
}
