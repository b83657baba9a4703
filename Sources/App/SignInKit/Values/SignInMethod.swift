/// A sign-in method of the accounts server.
public enum SignInMethod: String, Hashable, Sendable, CaseIterable {
    /// Sign in with Apple.
    case apple
    /// A username and a password.
    case password
}
