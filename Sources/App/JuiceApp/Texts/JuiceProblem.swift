import SignInKit

/// A problem that the app shows: a message, and the user's next step.
public struct JuiceProblem: Hashable, Sendable {
    /// The problem.
    public var sentence: String
    /// The next step.
    public var nextStep: String
    /// A stable identifier for logs and tests.
    public var code: String

    /// Creates a problem.
    ///
    /// - Parameters:
    ///   - sentence: the problem.
    ///   - nextStep: the next step.
    ///   - code: a stable identifier.
    public init(sentence: String, nextStep: String, code: String) {
        self.sentence = sentence
        self.nextStep = nextStep
        self.code = code
    }

    /// Creates a problem from an error; nil if the user cancelled.
    ///
    /// - Parameter error: the error of a call.
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

    /// Replaces SignInKit's messages that include a next step.
    private static func sentence(_ error: SignInKitError) -> String {
        switch error.kind {
        case .unknown: "This device could not sign in with Apple."
        case .noWindow: "The sign-in can't be shown at the moment."
        case .invalidResponse: "The response was invalid."
        case .failed: "The sign-in failed."
        case .serverUnreachable: "The server can't be reached."
        case .serverUnavailable: "The server is temporarily unavailable."
        case .credentialsLocked: "The device is locked."
        case .revoked: "You have stopped using Sign in with Apple here."
        case .transferred: "The app has a new owner."
        case .freshSignInRequired: "You need to sign in again for this."
        case .registrationExpired: "The sign-in expired. Your name is saved."
        case .unexpectedAnswer: "The server's response could not be read."
        default: error.message
        }
    }

    private static func nextStep(_ kind: SignInKitError.Kind) -> String {
        switch kind {
        case .canceled: ""
        case .unknown:
            "Try again. If the problem persists, check in Settings that the device is signed in to an "
                + "Apple Account with two-factor authentication, or use a password."
        case .invalidResponse, .failed, .notInteractive, .alreadySigningIn, .busy, .noWindow:
            "Try again."
        case .notHandled, .noCredential: "Sign in with a password."
        case .preferSignInWithApple: "Choose Sign in with Apple."
        case .serverUnreachable: "Check the connection, then try again."
        case .serverUnavailable(let seconds):
            seconds.map { "Try again in \($0) seconds." } ?? "Try again in a few minutes."
        case .refused: "Try again; if the problem persists, contact us."
        case .insecureServer: "Contact the app's developer."
        case .credentialsLocked: "Unlock the device, then try again."
        case .credentialsUnavailable: "Free up storage on the device, then try again."
        case .notSignedIn, .revoked, .transferred, .registrationExpired: "Sign in again."
        case .anotherPerson: "Sign in with the account that you want to use."
        case .freshSignInRequired: "Confirm that it's you, then try again."
        case .registrationPending: "Don't delete the app; it retries automatically."
        case .registrationUnsaved: "Free up storage on the device; the app retries automatically."
        case .unexpectedAnswer: "Update the app, then try again."
        }
    }
}

extension JuiceProblem {
    /// The refusals of the accounts server that users of this app can get, by their codes.
    private static let refusals: [String: (sentence: String, nextStep: String)] = [
        "credentials_invalid": (
            "The username or password is incorrect.", "Check both, or sign in with Apple."
        ),
        "too_many_attempts": ("Too many attempts.", "Wait a moment, then try again."),
        "username_taken": ("This username is taken.", "Choose another one, or sign in with it."),
        "username_invalid": (
            "This username isn't valid.", "Use 3 to 64 letters, digits or . _ - + @."
        ),
        "username_required": ("Enter a username.", "Choose one for signing in."),
        "password_too_short": ("The password is too short.", "Use at least 8 characters."),
        "password_too_long": ("The password is too long.", "Use at most 128 characters."),
        "password_too_common": (
            "This password is too common and easy to guess.", "Choose another one."
        ),
        "password_is_username": (
            "The password is the username.", "Choose another password."
        ),
        "password_busy": ("The server is busy.", "Try again in a few seconds."),
        "name_too_long": ("The name is too long.", "Shorten it."),
        "name_empty": ("The name is empty.", "Type a name."),
        "account_exists": (
            "There is already an account with your email address.",
            "Sign in with its password, then link your Apple Account there."
        ),
        "apple_linked_elsewhere": (
            "This Apple Account belongs to another account here.",
            "Sign out, and sign in with Apple."
        ),
        "apple_link_exists": (
            "The account already has an Apple Account linked.", "Unlink that one first."
        ),
        "last_way_in": (
            "Apple is your only sign-in method.", "Set a password before you unlink it."
        ),
        "consent_revoked": (
            "You stopped using Sign in with Apple here.", "Sign in with Apple again."
        ),
        "session_not_found": ("This session has already ended.", "There is nothing more to do."),
        "recent_sign_in_required": (
            "You need to have signed in recently for this.", "Sign in again, then try again."
        ),
        "store_unavailable": ("The server can't save changes now.", "Try again in a few minutes."),
    ]
}
