/// The response to a completed sign-in.
public struct SignInAnswer: Sendable {
    enum Kind {
        case session(WebSession)
        case response(SignInResponse)
    }

    let kind: Kind

    /// Opens a session: a browser gets a cookie and a redirect, an app gets the token with status 201.
    ///
    /// - Parameter session: the new session, which your server has stored.
    /// - Returns: the answer.
    public static func session(_ session: WebSession) -> SignInAnswer {
        SignInAnswer(kind: .session(session))
    }

    /// Sends your own response.
    ///
    /// If you manage the sessions yourself, redirect a browser to ``VerifiedSignIn/returnPath``.
    ///
    /// - Parameter response: the response; a status of 400 or more lets the client repeat the sign-in.
    /// - Returns: the answer.
    public static func response(_ response: SignInResponse) -> SignInAnswer {
        SignInAnswer(kind: .response(response))
    }
}
