import AppleIdentity
import HTTPTypes

/// A sign-in whose identity is verified and whose code has not been redeemed.
public struct VerifiedSignIn: Sendable {
    /// Where it came from.
    public enum Origin: Hashable, Sendable {
        /// A browser, which is to be sent on to this path of your own pages.
        case web(returnPath: String)
        /// An app, after the system's sheet.
        case native
    }

    /// Who the person is.
    public let identity: VerifiedIdentity
    /// The identity token; a server that takes sign-ins without a code remembers the hashes of those it has seen.
    public let identityToken: String
    /// The nonce the token is bound to, before hashing; nil when an app sent none.
    public let nonce: String?
    /// The name as the person typed it, told on the first sign-in only, until one succeeds, and never verified.
    ///
    /// It has at most 200 characters, and no invisible ones.
    public internal(set) var name: PersonName?
    /// Whether the name is one that the browser kept of a sign-in that failed.
    ///
    /// Take it for an account without a name alone, tell the person where it comes from, and let them change it.
    public internal(set) var isNameSuggested = false
    /// Where it came from.
    public let origin: Origin
    /// The session the client had when it began, which should end now.
    public let previousSessionToken: String?
    /// What a web sign-in was begun for, one of ``WebFlow/purposes``; nil when it is to open a session.
    public let purpose: String?
    /// The head of the request, such as for its `User-Agent`.
    public let request: HTTPRequest

    package var hasCode: Bool { code != nil }

    let code: String?
    let redirectURI: String?
}

/// A sign-in whose every check passed: who it is, and what came along.
///
/// It has all of a ``VerifiedSignIn``. Store the account, the name and the refresh token in one transaction;
/// when that fails, throw, and the same sign-in can be repeated.
@dynamicMemberLookup
public struct CompletedSignIn: Sendable {
    /// The sign-in before its code was redeemed.
    public let verified: VerifiedSignIn
    /// What Apple gave for the code; nil when an app sent none, or the server has no key.
    ///
    /// Keep its refresh token, sealed: when the account is deleted, the link at Apple must end.
    public let grant: AppleGrant?

    /// A part of the verified sign-in.
    public subscript<Part>(dynamicMember part: KeyPath<VerifiedSignIn, Part>) -> Part {
        verified[keyPath: part]
    }
}

/// What a server decides about a sign-in.
public enum SignInAnswer: Sendable {
    /// Welcome: a browser gets a cookie and is sent on, an app gets the token.
    case session(SignInSession)
    /// The server's own answer, cookies and all; of a server with sessions of its own a redirect to ``VerifiedSignIn/Origin-swift.enum/web(returnPath:)``.
    case response(SignInResponse)
}
