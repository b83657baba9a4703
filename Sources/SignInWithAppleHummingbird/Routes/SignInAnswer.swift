import Hummingbird

/// What a server decides about a sign-in.
public enum SignInAnswer: Sendable {
    /// Welcome: a browser gets a cookie and is sent on, an app gets the token.
    case session(SignInSession)
    /// The server's own answer, cookies and all.
    case response(Response)
}
