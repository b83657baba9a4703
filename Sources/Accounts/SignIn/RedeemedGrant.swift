import SignInWithApple

/// What Apple gave for a code, and how far it was looked at.
enum RedeemedGrant: Sendable {
    /// Apple's keys could not be had: nothing in it may be believed yet.
    case unverified(UnverifiedGrant)
    case verified(AppleGrant)
}
