import AppleIdentity
import Foundation

/// The rules an accounts service is run by.
public struct AccountsConfiguration: Sendable {
    /// Seconds after which a session nobody uses ends.
    public var sessionIdleLimit: TimeInterval = 14 * 86_400
    /// Seconds after which a session ends, used or not.
    public var sessionAbsoluteLimit: TimeInterval = 90 * 86_400
    /// Seconds between two uses of a session that are written down; no more than a hundredth of ``sessionIdleLimit``.
    ///
    /// With very many sessions, nearly every check would be a write otherwise.
    public var sessionUseInterval: TimeInterval {
        get { min(longestUseInterval, sessionIdleLimit / 100) }
        set { longestUseInterval = newValue }
    }
    private var longestUseInterval: TimeInterval = 3_600
    /// How many sessions one account may have; the one unused for longest makes room.
    public var maximumSessionsPerAccount = 100
    /// Seconds for which a sign-in counts as fresh.
    public var recentSignInLimit: TimeInterval = 10 * 60
    /// Seconds for which a nonce from the server may be used.
    public var nonceLifetime: TimeInterval = 10 * 60
    /// What hashing a password costs.
    public var passwordCost = PasswordCost.standard
    /// Seconds for which the audit log is kept.
    public var auditMemory: TimeInterval = 365 * 86_400
    /// The app's name, which no password may be.
    public var appName = ""
    /// The team in whose name the server asks Apple: people on their way to it have not arrived yet.
    public var teamID: TeamID?
    /// Whether mail can be sent; without, nothing that needs it is offered.
    public var hasMail = false
    /// How many characters of a device's own name are kept.
    public var maximumDeviceCharacterCount = 200

    /// Makes the rules with their usual values.
    public init() {}
}

extension AccountsConfiguration {
    /// Seconds for which a used identity token is remembered beyond its end, more than any leeway.
    static let usedTokenMargin: TimeInterval = 10 * 60
    /// Seconds for which a web sign-in's nonce is remembered, longer than any such sign-in may take.
    static let webNonceMemory: TimeInterval = 86_400
    /// Seconds for which a notification is remembered at least; Apple's end after a day.
    static let notificationMemory: TimeInterval = 30 * 86_400
    /// To how many accounts of one address a link for a forgotten password goes.
    static let maximumResetLinkCount = 3
    /// Seconds for which a code brings an app back; RFC 6749, section 4.1.2, allows ten minutes at most.
    static let appCodeLifetime: TimeInterval = 60
    /// How many codes of one account may wait for their apps.
    static let maximumAppCodeCount = 20
    /// Characters of an unknown event's kind that reach the log.
    static let maximumLoggedKindCharacterCount = 64
}
