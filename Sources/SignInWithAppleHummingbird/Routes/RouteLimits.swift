/// How much the routes take from a stranger.
enum RouteLimits {
    /// Bytes of what Apple's page posts.
    static let maximumCallbackByteCount = 64 * 1024
    /// Bytes of what an app posts.
    static let maximumNativeByteCount = 64 * 1024
    /// Bytes of what Apple posts; its notifications have about a thousand.
    static let maximumNotificationByteCount = 32 * 1024
    /// Seconds a client may take for a request's body.
    static let maximumBodySeconds = 30
    /// Bytes of an authorization code; Apple's have 64.
    static let maximumCodeByteCount = 1024
    /// Bytes of a nonce.
    static let maximumNonceByteCount = 256
    /// Characters of a name.
    static let maximumNameCharacterCount = 200
}
