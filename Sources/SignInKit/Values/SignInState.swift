/// What an app knows about who is signed in; drives a screen.
public enum SignInState: Hashable, Sendable {
    /// Nobody is signed in.
    case signedOut
    /// A sign-in is under way.
    case signingIn
    /// A person is signed in.
    case signedIn(SignedInPerson)
    /// The person has to act before going on.
    case needsAttention(Attention)
}

/// Why the person has to act before going on.
public enum Attention: Hashable, Sendable {
    /// The person stopped using the app at Apple, as the device or the server knows.
    case revoked
    /// The app moved to another team: signing in once more tells who the person is there.
    case transferred
    /// Whoever holds the device signed in with another Apple Account than the session's.
    case anotherPerson
    /// The server ended the session.
    case sessionEnded
    /// Apple's answer is kept, and the server has not confirmed it yet.
    case registrationPending
    /// The server has not confirmed Apple's answer, and the device can't keep it: it is lost when the app ends now.
    case registrationUnsaved
}
