/// How the last step of a sign-in ended.
public enum SignInOutcome: Sendable {
    /// There is a session now.
    case signedIn(SignedInSession, isNewAccount: Bool)
    /// Nothing has changed.
    case refused(SignInRefusal)
}
