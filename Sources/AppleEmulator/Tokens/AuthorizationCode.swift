import Foundation

/// A code that a client may exchange once.
struct AuthorizationCode {
    /// How long a code is good for, in seconds, unless switched.
    ///
    /// Source: [Token validation](https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens)
    static let lifetimeSeconds: TimeInterval = 300

    var grant: Grant = Grant()
    /// The redirect address of the authorization; nil for one from a device.
    var redirectURI: String?
    /// The SHA-256 of a verifier, in base64url, that must come with the code.
    var codeChallenge: String?
    var issuedAt: Date = .distantPast
    var isUsed = false
    /// The access and refresh token it was exchanged for.
    var tokens: [String] = []

    func isExpired(at time: Date, lifetimeSeconds: Int) -> Bool {
        time.timeIntervalSince(issuedAt) >= TimeInterval(lifetimeSeconds)
    }
}
