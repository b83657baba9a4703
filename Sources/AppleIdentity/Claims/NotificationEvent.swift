import Foundation

/// One thing that happened to a person's Apple Account.
///
/// Source: [Processing changes](https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts)
public struct NotificationEvent: Hashable, Sendable {
    /// What kind of thing happened; kinds invented later survive.
    ///
    /// No literal makes one: a misspelt word would compile, and never compare equal.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// Apple's word.
        public let rawValue: String

        /// Makes a kind from Apple's word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Apple's word itself.
        public var description: String { rawValue }

        /// Forwarding from the relay address was switched off.
        public static let emailDisabled = Self(rawValue: "email-disabled")
        /// Forwarding from the relay address was switched on again.
        public static let emailEnabled = Self(rawValue: "email-enabled")
        /// The person stopped using the app.
        public static let consentRevoked = Self(rawValue: "consent-revoked")
        /// The person deleted their Apple Account, in the word of Apple's page since 2025.
        public static let accountDeleted = Self(rawValue: "account-deleted")
        /// The same event in Apple's older word.
        public static let accountDelete = Self(rawValue: "account-delete")

        /// Whether this is the deletion of an Apple Account, in either word.
        public var isAccountDeletion: Bool { self == .accountDeleted || self == .accountDelete }
    }

    /// What happened: `type`.
    public let kind: Kind
    /// To whom: `sub`.
    public let subject: UserID
    /// When: `event_time`, which Apple counts in milliseconds.
    public let eventTime: Date
    /// The relay address concerned, for the two e-mail events.
    public let email: String?
    /// Whether the event says that the address is a relay address: `is_private_email`.
    public let isPrivateEmail: Bool?

    init(_ event: JSONFields) throws(JSONFieldError) {
        kind = Kind(rawValue: try event.text("type"))
        subject = UserID(rawValue: try event.text("sub"))
        eventTime = Date(timeIntervalSince1970: try event.number("event_time") / 1000)
        email = try event.optionalText("email")
        isPrivateEmail = try event.optionalLenientBoolean("is_private_email")
    }
}
