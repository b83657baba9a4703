/// How much the routes take from a stranger.
enum RouteLimits {
    /// Bytes of what Apple's page posts.
    static let callbackByteCountMax = 64 * 1024
    /// Bytes of what an app posts.
    static let nativeByteCountMax = 64 * 1024
    /// Bytes of what Apple posts; its notifications have about a thousand.
    static let notificationByteCountMax = 32 * 1024
    /// Seconds a client may take for a request's body.
    static let bodySecondsMax = 30
    /// Bytes of an authorization code; Apple's have 64.
    static let codeByteCountMax = 1024
    /// Bytes of a nonce.
    static let nonceByteCountMax = 256
    /// Characters of a name.
    static let nameCharacterCountMax = 200
}
