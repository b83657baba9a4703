import AppleIdentity
import Foundation

/// The limits and features of an accounts service.
package struct AccountsConfiguration: Sendable {
    /// Seconds after which an unused session expires.
    package var sessionIdleLimit: TimeInterval = 60 * 86_400
    /// Seconds after which a session expires, used or not.
    package var sessionAbsoluteLimit: TimeInterval = 365 * 86_400
    /// Seconds between two stored uses of a session; at most a hundredth of ``sessionIdleLimit``.
    ///
    /// Without it, nearly every session check would be a write.
    package var sessionUseInterval: TimeInterval {
        get { min(longestUseInterval, sessionIdleLimit / 100) }
        set { longestUseInterval = newValue }
    }
    private var longestUseInterval: TimeInterval = 3_600
    /// The maximum number of sessions of an account; a new one replaces the one unused for longest.
    package var maximumSessionsPerAccount = 100
    /// Seconds for which a sign-in counts as recent.
    package var recentSignInLimit: TimeInterval = 10 * 60
    /// Seconds for which a nonce that the server issued is valid.
    package var nonceLifetime: TimeInterval = 10 * 60
    /// The cost of hashing a password.
    package var passwordCost = PasswordCost.standard
    /// Seconds for which the audit log is kept.
    package var auditMemory: TimeInterval = 365 * 86_400
    /// The app's name, which is refused as a password.
    package var appName = ""
    /// The team as which the server calls Apple; users with a transfer to it are not migrated yet.
    package var teamID: TeamID?
    /// Whether mail can be sent; without it, features that need mail are off.
    package var hasMail = false
    /// The issuer of access tokens: the public URL of the server.
    package var issuer = ""
    /// The maximum number of characters kept of a device name.
    package var maximumDeviceCharacterCount = 200

    /// Creates a configuration with default values.
    package init() {}
}

extension AccountsConfiguration {
    /// Seconds for which a used identity token is remembered after it expires, longer than any leeway.
    static let usedTokenMargin: TimeInterval = 10 * 60
    /// Seconds for which a web sign-in's nonce is remembered, longer than a web sign-in may take.
    static let webNonceMemory: TimeInterval = 86_400
    /// The minimum number of seconds for which a notification is remembered; Apple's expire after a day.
    static let notificationMemory: TimeInterval = 30 * 86_400
    /// The maximum number of accounts with one email address that get a password reset link.
    static let maximumResetLinkCount = 3
    /// Seconds for which an app's code is valid; RFC 6749, section 4.1.2, allows at most ten minutes.
    static let appCodeLifetime: TimeInterval = 60
    /// The maximum number of unused codes of an account.
    static let maximumAppCodeCount = 20
    /// Seconds for which an access token is valid.
    package static let accessTokenLifetime: TimeInterval = 5 * 60
    /// Seconds for which services and proxies may keep the published keys of access tokens.
    package static let tokenKeySetMaximumAge: TimeInterval = 5 * 60
    /// Seconds after which a replica reads the keys of access tokens again.
    static let tokenKeyReadingInterval: TimeInterval = 60
    /// Seconds by which the clocks of replicas and services may differ.
    static let clockLeeway: TimeInterval = 60
    /// Seconds between the creation of a key and its first token: until then, every service can know it.
    static let tokenKeyOverlap = tokenKeySetMaximumAge + tokenKeyReadingInterval
    /// Seconds for which a key is published after another one signs.
    static let replacedTokenKeyMemory = tokenKeyReadingInterval + accessTokenLifetime + clockLeeway
    /// The maximum number of characters of an unknown event type in the log.
    static let maximumLoggedKindCharacterCount = 64
}
