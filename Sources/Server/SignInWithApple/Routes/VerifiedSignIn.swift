import AppleIdentity
import HTTPTypes

/// A verified sign-in, as your functions get it.
///
/// Store the account, the name and the refresh token in one transaction. If it fails, throw an error: the client can then
/// repeat the sign-in.
public struct VerifiedSignIn: Sendable {
    /// Where the user signed in.
    public struct Origin: Hashable, Sendable {
        /// In a browser.
        public static let web = Origin(name: "web")
        /// In an app with the system's sheet, or in a page that received Apple's token itself.
        public static let native = Origin(name: "native")

        private let name: String
    }

    /// The verified claims of the identity token.
    public let identity: VerifiedIdentity
    /// The identity token.
    ///
    /// To accept it once, store its hash in the transaction that opens the session, and reject a token whose hash is
    /// stored. You must do so if you accept sign-ins without a code and without ``NativeEndpoint/nonces``.
    public let identityToken: String
    /// The nonce that the token is bound to, before hashing; nil if the app sent none.
    public let nonce: String?
    /// The name that the user entered, with at most 200 characters and no invisible ones.
    ///
    /// It is not verified. Apple sends it only with the first authorization. If that sign-in fails, the routes store
    /// the name and pass it again when the sign-in is repeated.
    public internal(set) var name: PersonName?
    /// Whether the name comes from an earlier, failed sign-in in this browser.
    ///
    /// Use such a name only if the account has none. Show the user where it comes from, and let them change it.
    public package(set) var isNameSuggested = false
    /// Where the user signed in.
    public let origin: Origin
    /// The path of your own page to which the browser is redirected after the sign-in; nil for an app.
    public let returnPath: String?
    /// The token of the session that the client had when the sign-in began; nil if it had none.
    ///
    /// If you open a new session, end that one. A sign-in with a ``purpose``, such as a link, is for the account of that
    /// session instead: verify the token like that of any request, and reject the sign-in if it is nil or the session has
    /// ended.
    public let previousSessionToken: String?
    /// The purpose of a web sign-in, one of ``WebFlow/purposes``; nil for one that opens a session.
    public let purpose: String?
    /// The request's method, path and header fields.
    public let request: HTTPRequest
    /// The tokens that Apple returned for the code.
    ///
    /// It is nil before the exchange, and if the app sent no code or the server has no key.
    public package(set) var grant: AppleGrant?

    /// Whether the client sent an authorization code.
    public var hasCode: Bool { code != nil }

    /// A value that a server's first function for this sign-in makes, and the later ones use.
    package let memo = SignInMemo()

    let code: String?
    let redirectURI: String?
    let codeVerifier: String?

    package init(
        identity: VerifiedIdentity,
        identityToken: String,
        nonce: String?,
        name: PersonName?,
        origin: Origin,
        returnPath: String?,
        previousSessionToken: String?,
        purpose: String?,
        request: HTTPRequest,
        code: String?,
        redirectURI: String? = nil,
        codeVerifier: String? = nil
    ) {
        (self.identity, self.identityToken, self.nonce) = (identity, identityToken, nonce)
        (self.name, self.origin, self.returnPath) = (name, origin, returnPath)
        (self.previousSessionToken, self.purpose) = (previousSessionToken, purpose)
        (self.request, self.code) = (request, code)
        (self.redirectURI, self.codeVerifier) = (redirectURI, codeVerifier)
    }
}

extension VerifiedSignIn {
    /// The user's identifier in the developer team; with the issuer, the key of an account.
    public var userID: UserID { identity.userID }
    /// The email address, real or private relay, which is no key of an account; nil if it was not shared.
    public var email: String? { identity.email }
    /// The issuer of the identity token.
    public var issuer: String { identity.issuer }
    /// The client that the user signed in to: a bundle identifier or a Services ID.
    public var clientID: ClientID { identity.clientID }
    /// The refresh token, to store encrypted; nil without a ``grant``.
    ///
    /// You need it to revoke the app's access when the account is deleted.
    public var refreshToken: String? { grant?.refreshToken }

    /// A sign-in in a browser, with what its cookie kept.
    init(_ signIn: VerifiedWebSignIn, _ stored: KeptSignIn, _ request: HTTPRequest) {
        self.init(
            identity: signIn.identity,
            identityToken: signIn.identityToken,
            nonce: signIn.nonce,
            name: signIn.name,
            origin: .web,
            returnPath: stored.returnPath,
            previousSessionToken: stored.previousSessionToken,
            purpose: stored.purpose,
            request: request,
            code: signIn.code,
            redirectURI: signIn.redirectURI,
            codeVerifier: signIn.codeVerifier
        )
    }
}

/// Remembers one value during a sign-in.
package final class SignInMemo: Sendable {
    private let known = LockedValue<(any Sendable)?>(nil)

    /// Returns the value, which is made when it is first needed.
    package func value<Value: Sendable>(
        _ make: () async throws -> Value
    ) async rethrows -> Value {
        if let value = known.withLock(\.self) as? Value { return value }
        let value = try await make()
        known.withLock { $0 = value }
        return value
    }
}
