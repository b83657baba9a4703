import SignInKit

/// Which screen stands for what is known of the person.
public enum ShownScreen: Hashable, Sendable {
    /// The session is looked for.
    case launching
    /// Apple's button and the form.
    case signIn
    /// Something that the person has to act upon.
    case attention(Attention)
    /// The app itself.
    case content(SignedInPerson)

    /// The screen for a state; a sign-in under way leaves the person where they pressed the button.
    ///
    /// - Parameters:
    ///   - state: what the client knows.
    ///   - shown: what was shown before.
    public init(_ state: SignInState, after shown: ShownScreen) {
        switch state {
        case .signedIn(let person): self = .content(person)
        case .needsAttention(let attention): self = .attention(attention)
        case .signedOut: self = .signIn
        case .signingIn: self = shown == .launching ? .signIn : shown
        }
    }
}

extension Attention {
    /// What happened, in a few words.
    public var title: String {
        switch self {
        case .revoked: "Apple ended the sign-in"
        case .transferred: "Please sign in once more"
        case .anotherPerson: "Another Apple Account"
        case .sessionEnded: "You were signed out"
        case .registrationPending: "Almost done"
        }
    }

    /// What happened and what to do, in a sentence or two.
    public var sentence: String {
        switch self {
        case .revoked:
            "You stopped using your Apple Account with this app, or changed the account of this "
                + "device. Sign in to go on; your data is still there."
        case .transferred:
            "This app has moved to another developer. Signing in once more connects your account."
        case .anotherPerson:
            "This device is signed in to another Apple Account than before. Sign in to go on with it."
        case .sessionEnded:
            "Your session on this device has ended. Sign in to go on."
        case .registrationPending:
            "Your sign-in is kept on this device and goes to the server as soon as it can be reached."
        }
    }

    /// Whether waiting and trying again is what helps, instead of another sign-in.
    public var isSolvedByTryingAgain: Bool { self == .registrationPending }
}
