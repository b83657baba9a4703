import AppleIdentity
import SignInWithApple

/// A sign-in whose identity is proven and whose code has not been redeemed in this request.
struct ProvenSignIn {
    let identity: VerifiedIdentity
    let name: PersonName?
    let code: String?
    let redirectURI: String?
    let origin: CompletedSignIn.Origin
    let previousSessionToken: String?
}
