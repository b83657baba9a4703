import AppleIdentity
import SignInWithApple

/// A sign-in whose every check passed: who it is, and what came along.
///
/// Store the account, the name and the refresh token in one transaction; when that fails, throw, and
/// the same sign-in can be repeated.
public struct CompletedSignIn: Sendable {
    /// The way it came.
    public enum Origin: Hashable, Sendable {
        /// A browser, which is to be sent on to this path of your own pages.
        case web(returnPath: String)
        /// An app, after the system's sheet.
        case native
    }

    /// Who the person is.
    public let identity: VerifiedIdentity
    /// The name as the person typed it, told on the first sign-in only, until one succeeds, and never verified.
    public let name: PersonName?
    /// What Apple gave for the code; nil when an app sent none.
    ///
    /// Keep its refresh token, sealed: when the account is deleted, the link at Apple must end.
    public let grant: AppleGrant?
    /// The way it came.
    public let origin: Origin
    /// The session the client had when it began, which should end now.
    public let previousSessionToken: String?
}
