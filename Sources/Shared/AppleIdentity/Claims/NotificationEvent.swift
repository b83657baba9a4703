import Foundation

/// An event of a user's Apple Account.
///
/// Source: [Processing changes](https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts)
public struct NotificationEvent: Hashable, Sendable {
    /// The kind of an event; unknown kinds are kept as Apple sent them.
    ///
    /// There is no literal initializer: a misspelt literal would compile, and never compare equal.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The kind as Apple sends it, such as `consent-revoked`.
        public let rawValue: String

        /// Creates a kind from Apple's string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The raw value.
        public var description: String { rawValue }

        /// The user turned off forwarding from the relay address.
        public static let emailDisabled = Self(rawValue: "email-disabled")
        /// The user turned on forwarding from the relay address again.
        public static let emailEnabled = Self(rawValue: "email-enabled")
        /// The user stopped using the app.
        public static let consentRevoked = Self(rawValue: "consent-revoked")
        /// The user deleted the Apple Account, in Apple's documentation since 2025.
        public static let accountDeleted = Self(rawValue: "account-deleted")
        /// The user deleted the Apple Account, in Apple's earlier documentation.
        public static let accountDelete = Self(rawValue: "account-delete")

        /// Whether this is the deletion of an Apple Account, by its new or old name.
        public var isAccountDeletion: Bool { self == .accountDeleted || self == .accountDelete }
    }

    /// The kind of the event: `type`.
    public let kind: Kind
    /// The user's identifier in the developer team: `sub`.
    public let subject: UserID
    /// When the event happened: `event_time`, which Apple sends in milliseconds since 1970.
    public let eventTime: Date
    /// The relay address of the two email events: `email`.
    public let email: String?
    /// Whether the email address is a private relay address: `is_private_email`.
    public let isPrivateEmail: Bool?

    init(_ event: JSONFields) throws(JSONFieldError) {
        kind = Kind(rawValue: try event.text("type"))
        subject = UserID(rawValue: try event.text("sub"))
        eventTime = Date(timeIntervalSince1970: try event.number("event_time") / 1000)
        email = try event.optionalText("email")
        isPrivateEmail = try event.optionalLenientBoolean("is_private_email")
    }
}
