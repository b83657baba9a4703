import AppleIdentity
import Foundation

/// The rules an accounts service is run by.
package struct AccountsConfiguration: Sendable {
    /// Seconds after which a session nobody uses ends.
    package var sessionIdleLimit: TimeInterval = 14 * 86_400
    /// Seconds after which a session ends, used or not.
    package var sessionAbsoluteLimit: TimeInterval = 90 * 86_400
    /// Seconds between two uses of a session that are written down; no more than a hundredth of ``sessionIdleLimit``.
    ///
    /// With very many sessions, nearly every check would be a write otherwise.
    package var sessionUseInterval: TimeInterval {
        get { min(longestUseInterval, sessionIdleLimit / 100) }
        set { longestUseInterval = newValue }
    }
    private var longestUseInterval: TimeInterval = 3_600
    /// How many sessions one account may have; the one unused for longest makes room.
    package var maximumSessionsPerAccount = 100
    /// Seconds for which a sign-in counts as fresh.
    package var recentSignInLimit: TimeInterval = 10 * 60
    /// Seconds for which a nonce from the server may be used.
    package var nonceLifetime: TimeInterval = 10 * 60
    /// What hashing a password costs.
    package var passwordCost = PasswordCost.standard
    /// Seconds for which the audit log is kept.
    package var auditMemory: TimeInterval = 365 * 86_400
    /// The app's name, which no password may be.
    package var appName = ""
    /// The team in whose name the server asks Apple: people on their way to it have not arrived yet.
    package var teamID: TeamID?
    /// Whether mail can be sent; without, nothing that needs it is offered.
    package var hasMail = false
    /// How many characters of a device's own name are kept.
    package var maximumDeviceCharacterCount = 200

    /// Makes the rules with their usual values.
    package init() {}
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
