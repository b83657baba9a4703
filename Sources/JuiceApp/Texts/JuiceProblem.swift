import SignInKit

/// Why something did not work: a sentence, and what the person can do next.
public struct JuiceProblem: Hashable, Sendable {
    /// What happened.
    public var sentence: String
    /// What to do next.
    public var nextStep: String
    /// A stable word for logs and tests.
    public var code: String

    /// Makes a problem.
    ///
    /// - Parameters:
    ///   - sentence: what happened.
    ///   - nextStep: what to do next.
    ///   - code: a stable word.
    public init(sentence: String, nextStep: String, code: String) {
        self.sentence = sentence
        self.nextStep = nextStep
        self.code = code
    }

    /// The problem that an error is; nil when the person knows, because they cancelled.
    ///
    /// - Parameter error: why a call failed.
    public init?(_ error: SignInKitError) {
        guard !error.isSilent else { return nil }
        self.init(
            sentence: Self.refusal(error)?.sentence ?? Self.sentence(error),
            nextStep: Self.refusal(error)?.nextStep ?? Self.nextStep(error.kind),
            code: error.code
        )
    }

    private static func refusal(
        _ error: SignInKitError
    ) -> (sentence: String, nextStep: String)? {
        guard case .refused(let code) = error.kind else { return nil }
        return refusals[code]
    }

    /// Where SignInKit's own sentence already has the next step in it, the app says the first half alone.
    private static func sentence(_ error: SignInKitError) -> String {
        switch error.kind {
        case .unknown: "This device could not sign in with Apple."
        case .noWindow: "The sign-in can't be shown at the moment."
        case .invalidResponse: "The answer could not be used."
        case .failed: "The sign-in failed."
        case .serverUnreachable: "The server can't be reached."
        case .serverUnavailable: "The server can't answer at the moment."
        case .credentialsLocked: "The device is locked."
        case .revoked: "You have stopped using Sign in with Apple here."
        case .transferred: "The app has a new owner."
        case .freshSignInRequired: "This needs a fresh sign-in."
        case .registrationExpired: "Apple's answer became too old. Your name is kept."
        case .unexpectedAnswer: "The server's answer could not be read."
        default: error.message
        }
    }

    private static func nextStep(_ kind: SignInKitError.Kind) -> String {
        switch kind {
        case .canceled: ""
        case .unknown:
            "Try again. If it stays so, look in the device's settings whether it is signed in to an "
                + "Apple Account with two-factor authentication, or use a password."
        case .invalidResponse, .failed, .notInteractive, .alreadySigningIn, .noWindow: "Try again."
        case .notHandled, .noCredential: "Sign in with a password."
        case .preferSignInWithApple: "Choose Sign in with Apple."
        case .serverUnreachable: "Check the connection, then try again."
        case .serverUnavailable(let seconds):
            seconds.map { "Try again in \($0) seconds." } ?? "Try again in a few minutes."
        case .refused: "Try again; if it stays so, write to us."
        case .insecureServer: "Tell the developer of the app."
        case .credentialsLocked: "Unlock the device, then try again."
        case .credentialsUnavailable: "Free some space on the device, then try again."
        case .notSignedIn, .revoked, .transferred, .registrationExpired: "Sign in again."
        case .anotherPerson: "Sign in with the account that you want to use."
        case .freshSignInRequired: "Confirm that it is you, then do it again."
        case .registrationPending: "Keep the app; it tries again by itself."
        case .registrationUnsaved: "Free some space on the device; the app tries again by itself."
        case .unexpectedAnswer: "Update the app, then try again."
        }
    }
}

extension JuiceProblem {
    /// The refusals of the accounts server that a person of this app can meet, by their codes.
    private static let refusals: [String: (sentence: String, nextStep: String)] = [
        "credentials_invalid": (
            "The username or the password is not right.", "Check both, or sign in with Apple."
        ),
        "too_many_attempts": ("That was tried too often.", "Wait a moment, then try again."),
        "username_taken": ("This username is taken.", "Choose another one, or sign in with it."),
        "username_invalid": (
            "This can't be a username.", "Use 3 to 64 letters, digits or . _ - + @."
        ),
        "username_required": ("A username is missing.", "Choose one for signing in."),
        "password_too_short": ("The password is too short.", "Use at least 8 characters."),
        "password_too_long": ("The password is too long.", "Use at most 128 characters."),
        "password_too_common": (
            "Many people use this password, so it is easy to guess.", "Choose another one."
        ),
        "password_is_username": (
            "The password is the username.", "Choose another password."
        ),
        "password_busy": ("The server is busy.", "Try again in a few seconds."),
        "name_too_long": ("The name is too long.", "Shorten it."),
        "name_empty": ("The name is empty.", "Type a name."),
        "account_exists": (
            "There is an account with your e-mail address already.",
            "Sign in with its password, then link your Apple Account there."
        ),
        "apple_linked_elsewhere": (
            "This Apple Account belongs to another account here.",
            "Sign out, and sign in with Apple."
        ),
        "apple_link_exists": (
            "The account has an Apple Account already.", "Unlink that one first."
        ),
        "last_way_in": (
            "Apple is the only way into this account.", "Set a password before you unlink it."
        ),
        "consent_revoked": (
            "You stopped using Sign in with Apple here.", "Sign in with Apple again."
        ),
        "session_not_found": ("This session has ended already.", "Nothing is left to do."),
        "recent_sign_in_required": (
            "This needs a sign-in of the last few minutes.", "Sign in again, then repeat it."
        ),
        "store_unavailable": ("The server can't save anything now.", "Try again in a few minutes."),
    ]
}
