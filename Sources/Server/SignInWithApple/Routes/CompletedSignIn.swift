/// A verified sign-in with the tokens that Apple returned for its code.
///
/// It has all properties of a ``VerifiedSignIn``. Store the account, the name and the refresh token in one
/// transaction. If it fails, throw an error: the client can then repeat the sign-in.
@dynamicMemberLookup
public struct CompletedSignIn: Sendable {
    /// The sign-in before its code was exchanged.
    public let verified: VerifiedSignIn
    /// The tokens that Apple returned for the code; nil if the app sent no code or the server has no key.
    ///
    /// Store the refresh token encrypted. You need it to revoke the app's access when the account is deleted.
    public let grant: AppleGrant?

    /// The refresh token, to store encrypted; nil if the app sent no code or the server has no key.
    public var refreshToken: String? { grant?.refreshToken }

    /// Accesses a property of ``verified``.
    public subscript<Part>(dynamicMember part: KeyPath<VerifiedSignIn, Part>) -> Part {
        verified[keyPath: part]
    }
}

/// The response to a completed sign-in.
public enum SignInAnswer: Sendable {
    /// Opens a session: a browser gets a cookie and a redirect, an app gets the token with status 201.
    case session(WebSession)
    /// Your own response. If you manage the sessions yourself, redirect to
    /// ``VerifiedSignIn/Origin-swift.enum/web(returnPath:)``.
    case response(SignInResponse)
}
