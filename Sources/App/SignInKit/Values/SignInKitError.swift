import Foundation

/// An error of this module: a kind, a message for the user, and a hint for developers.
public struct SignInKitError: Error, Hashable, Sendable {
    /// The kinds of errors.
    public enum Kind: Hashable, Sendable {
        /// The user closed the sheet or page, signed out, or took longer than ten minutes in the browser: show nothing.
        case canceled
        /// The system failed without a reason; <doc:GoingLiveWithAnApp> lists the known causes.
        case unknown
        /// The device has no stored credential. No sheet was shown.
        case noCredential
        /// The app has no window over which the sheet could be shown.
        case noWindow
        /// The response of Apple or of the server's page is invalid or does not match the request.
        case invalidResponse
        /// No authorization provider handles the request.
        case notHandled
        /// The system or the browser failed (`ASAuthorizationError` 1004, or an unknown code); the hint has the reason.
        case failed
        /// The system may not show a sheet now.
        case notInteractive
        /// The user prefers Sign in with Apple to a new passkey: begin that.
        case preferSignInWithApple
        /// The server could not be reached.
        case serverUnreachable
        /// The server is temporarily unavailable; `retryAfter` is in seconds, nil if unknown.
        case serverUnavailable(retryAfter: Int?)
        /// The server rejected the request.
        ///
        /// `code` is the code of its problem document, such as `too_many_attempts`, or else `status_` and the status.
        case refused(code: String)
        /// The server's URL uses http and is not on this machine.
        case insecureServer
        /// The device is locked, and the ``CredentialStore`` cannot be read.
        case credentialsLocked
        /// The ``CredentialStore`` failed.
        case credentialsUnavailable
        /// No user is signed in.
        case notSignedIn
        /// The user stopped using Sign in with Apple for the app.
        case revoked
        /// The app was transferred to another team, and the user must sign in again.
        case transferred
        /// The user signed in with an Apple Account other than the session's.
        case anotherPerson
        /// The server requires a new sign-in before this operation.
        case freshSignInRequired
        /// Another sign-in is in progress.
        case alreadySigningIn
        /// Another action of the ``SignInSession`` is running.
        case busy
        /// The server has not confirmed Apple's response. The response is stored and will be sent again.
        case registrationPending
        /// The server has not confirmed Apple's response, and it could not be stored. It is lost if the app ends.
        case registrationUnsaved
        /// Apple's response expired before the server received it. The name is stored for the next sign-in.
        case registrationExpired
        /// This version cannot read the server's response.
        case unexpectedAnswer
    }

    /// The kind of error.
    public var kind: Kind
    /// A message for the user: the server's own message, else one in English.
    public var message: String
    /// Details for developers; never a secret.
    public var hint: String
    /// The values in the server's message, for a translation: `minimum`, `maximum` or `seconds`; empty for other errors.
    public var parameters: [String: String] = [:]

    /// Creates an error with the given values.
    ///
    /// - Parameters:
    ///   - kind: the kind of error.
    ///   - message: a message for the user; the kind's message by default.
    ///   - hint: details for developers; never a secret.
    public init(_ kind: Kind, message: String? = nil, hint: String = "") {
        self.kind = kind
        self.message = message ?? kind.message
        self.hint = hint
    }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch kind {
        case .serverUnreachable, .serverUnavailable, .credentialsLocked, .registrationPending,
            .registrationUnsaved, .alreadySigningIn, .busy, .failed, .notInteractive, .unknown,
            .noWindow:
            true
        default: false
        }
    }

    /// Whether the app should show nothing, because the user cancelled.
    public var isSilent: Bool { kind == .canceled }

    /// Whether the call needs a recent sign-in: sign in again, then repeat it.
    public var asksForFreshSignIn: Bool {
        switch kind {
        case .freshSignInRequired, .refused("recent_sign_in_required"): true
        default: false
        }
    }

    /// A stable string for logs and for your own messages.
    public var code: String { kind.code }
}

extension SignInKitError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}

extension SignInKitError: CustomStringConvertible {
    /// The code, the message and the hint in one line.
    public var description: String { "\(code): \(message)\(hint.isEmpty ? "" : " (\(hint))")" }
}
