import SignInKit

/// What the account's screen tells about an account.
public struct AccountFacts: Hashable, Sendable {
    /// What there is to say about the address.
    public enum AddressNote: Hashable, Sendable {
        /// It is one of Apple's relay, and hides another one.
        case relay
        /// It is one of Apple's relay, and the person has switched forwarding off.
        case relayOff
        /// Nobody has proved yet that it is the person's.
        case unproved
    }

    /// The name, or what stands for it.
    public let name: String
    /// The address; nil when none is known.
    public let email: String?
    /// What there is to say about the address.
    public let addressNote: AddressNote?
    /// Whether the person can sign in with Apple.
    public let usesApple: Bool
    /// The username of the way in by password; nil without one.
    public let username: String?

    /// Reads them from an account.
    ///
    /// - Parameter account: as the server told it.
    public init(_ account: AccountProfile) {
        name = account.name ?? account.username ?? "No name"
        email = account.email
        addressNote = Self.note(on: account)
        usesApple = account.apple.map { $0.revokedAt == nil } ?? false
        username = account.username
    }

    /// Whether Apple can be taken away: the last way in stays.
    public var canUnlinkApple: Bool { usesApple && username != nil }

    private static func note(on account: AccountProfile) -> AddressNote? {
        guard account.email != nil else { return nil }
        if account.emailIsPrivateRelay { return account.emailDeliverable ? .relay : .relayOff }
        return account.emailIsVerified ? nil : .unproved
    }
}

extension AccountFacts.AddressNote {
    /// The note in a sentence.
    public var sentence: String {
        switch self {
        case .relay:
            "Apple forwards mail from this address to yours, so this app doesn't know yours. You can "
                + "switch that off in Settings, under Sign in with Apple."
        case .relayOff:
            "You have switched off forwarding for this address: mail from this app doesn't reach you. "
                + "You can switch it on in Settings, under Sign in with Apple."
        case .unproved:
            "Open the link in the mail that was sent to this address to prove that it is yours."
        }
    }
}
