/// The sign-in state of the app.
public enum SignInState: Hashable, Sendable {
    /// The stored session is not known yet: the app was just launched, or the device has been locked since it started.
    case starting
    /// No user is signed in. The reason is there if a session ended since the launch.
    case signedOut(SignOutReason? = nil)
    /// A sign-in is in progress.
    case signingIn
    /// A user is signed in.
    case signedIn(SignedInPerson)
    /// The user must act before continuing.
    case needsAttention(Attention)
}

/// The reason why a session ended.
public enum SignOutReason: String, Hashable, Sendable, CaseIterable {
    /// The user signed out, here or in another app of the access group.
    case byUser
    /// The user deleted the account.
    case deleted
    /// The user stopped using Sign in with Apple for the app.
    case revoked
    /// The session was not used for longer than the server keeps it.
    case expired
    /// The server ended the session: the user ended it on another device, it reached its maximum age, or the account was
    /// deleted.
    case ended
}

/// What is under way for the user.
public enum Attention: Hashable, Sendable {
    /// The app was transferred to another team. The user must sign in again.
    case transferred
    /// Apple's response is stored, and the server has not confirmed it yet.
    case registrationPending
    /// The server has not confirmed Apple's response, and the device can't store it. Ask the user to keep the app
    /// open.
    case registrationUnsaved
}
