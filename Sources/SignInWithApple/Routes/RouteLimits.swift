import AppleIdentity

/// How much the routes take from a stranger, and how long they keep what could not be finished.
package enum RouteLimits {
    static let maximumCallbackByteCount = CallbackForm.maximumByteCount
    /// Bytes of a callback sealed into a page and posted again.
    static let maximumRepeatedCallbackByteCount = 320 * 1024
    static let maximumNativeByteCount = 64 * 1024
    /// Bytes of what Apple posts; its notifications have about a thousand.
    static let maximumNotificationByteCount = 32 * 1024
    /// Seconds a client may take for a request's body.
    package static let maximumBodySeconds = 30
    /// Bytes of an authorization code; Apple's have 64.
    static let maximumCodeByteCount = 1024
    static let maximumNonceByteCount = 512
    static let maximumResumeTokenByteCount = 16 * 1024
    /// Bytes of a given or family name in a cookie; browsers take cookies of 4096 bytes.
    static let maximumKeptNamePartByteCount = 1024
    /// Web sign-ins one browser may have under way: tabs opened before an earlier one was finished.
    static let maximumPendingCount = 8
    /// How long a browser keeps a web sign-in, and an answer that could not be finished may be posted again: the
    /// sign-in expires and the code dies sooner, but the name that came along must not be lost.
    static let pendingLifetime: Duration = .seconds(86_400)
    /// How long a client keeps the name of a sign-in that failed.
    static let nameLifetime: Duration = .seconds(30 * 86_400)
    /// How long the same request may be repeated after its code was redeemed.
    static let grantLifetime: Duration = .seconds(600)
}
