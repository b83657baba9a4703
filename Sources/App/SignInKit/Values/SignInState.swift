/// The sign-in state of the app.
public enum SignInState: Hashable, Sendable {
    /// No user is signed in.
    case signedOut
    /// A sign-in is in progress.
    case signingIn
    /// A user is signed in.
    case signedIn(SignedInPerson)
    /// The user must act before continuing.
    case needsAttention(Attention)
}

/// The reason why the user must act.
public enum Attention: Hashable, Sendable {
    /// The user stopped using Sign in with Apple for the app.
    case revoked
    /// The app was transferred to another team. The user must sign in again.
    case transferred
    /// The user signed in with an Apple Account other than the session's.
    case anotherPerson
    /// The server ended the session.
    case sessionEnded
    /// Apple's response is stored, and the server has not confirmed it yet.
    case registrationPending
    /// The server has not confirmed Apple's response, and the device can't store it. Ask the user to keep the app
    /// open.
    case registrationUnsaved
}
