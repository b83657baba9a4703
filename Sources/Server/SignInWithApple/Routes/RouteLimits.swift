import AppleIdentity
import SignedTokens

/// The limits of the routes: sizes, and how long an unfinished sign-in is kept.
package enum RouteLimits {
    static let maximumCallbackByteCount = CallbackForm.maximumByteCount
    /// Bytes of a callback in the encrypted form field of a page.
    static let maximumRepeatedCallbackByteCount = 320 * 1024
    static let maximumNativeByteCount = 64 * 1024
    /// Seconds a client may take for a request's body.
    package static let maximumBodySeconds = 30
    package static let maximumTokenByteCount = UnverifiedToken.maximumByteCount
    /// Characters of an authorization code, as Unicode scalars; Apple's have 64.
    package static let maximumCodeCount = 1024
    package static let maximumNonceCount = 512
    /// Bytes of a redirect URI that a client sends.
    package static let maximumRedirectURIByteCount = 2048
    package static let maximumResumeTokenCount = 16 * 1024
    /// Bytes of a given or family name in a cookie; browsers accept cookies of 4096 bytes.
    static let maximumKeptNamePartByteCount = 1024
    /// Bytes of the cookies of one kind in all tabs of a browser; a new session may add a fifth.
    static let maximumTabCookiesByteCount = 4 * 1024
    /// Pending web sign-ins of one browser, one for each open tab.
    static let maximumPendingCount = 5
    /// How long a browser keeps a pending web sign-in, and may post a failed callback again.
    ///
    /// The sign-in and its code expire sooner, but the name in the callback must not be lost.
    static let pendingLifetime: Duration = .seconds(86_400)
    /// How long a client keeps the name of a failed sign-in.
    static let nameLifetime: Duration = .seconds(30 * 86_400)
    /// How long a request may be repeated after its code was exchanged.
    static let grantLifetime: Duration = .seconds(600)
}

/// What a key encrypts that is derived from the team's key expires after ten minutes: the team replaces that key.
extension TokenSealer {
    var pendingLifetime: Duration {
        isDerived ? RouteLimits.grantLifetime : RouteLimits.pendingLifetime
    }

    /// How long after its beginning a sign-in may be repeated; its first attempt may be at the end of its time.
    var repetitionLifetime: Duration {
        isDerived
            ? PendingWebSignIn.lifetime + RouteLimits.grantLifetime : RouteLimits.pendingLifetime
    }

    var nameLifetime: Duration { isDerived ? RouteLimits.grantLifetime : RouteLimits.nameLifetime }
}
