import SignInWithApple

/// A sign-in whose identity is proven and whose code has not been spent.
struct IdentityCandidate: Sendable {
    let identity: VerifiedIdentity
    let tokenHash: SecretHash
    let nonce: NonceUse?
    let code: String?
    let redirectURI: String?
    let name: String?
    let device: String
    let previousSessionToken: String?
}
