/// How much of a failed sign-in is kept, and for how long.
enum UnfinishedLimits {
    /// Seconds for which the name is kept.
    static let nameSeconds = 30 * 86_400
    /// Seconds for which the same request may be repeated after its code was redeemed.
    static let grantSeconds = 600
    /// Bytes of a given or family name; browsers take cookies of 4096 bytes.
    static let maximumNamePartByteCount = 1024
}
