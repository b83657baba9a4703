/// Why a call of this module failed: a kind for programs, a sentence for people, a hint for developers.
public struct SignInKitError: Error, Hashable, Sendable {
    /// Every way in which a call can fail.
    public enum Kind: Hashable, Sendable {
        /// The person closed the sheet: show nothing.
        case canceled
        /// The system failed without a reason: <doc:GoingLiveWithAnApp> lists the causes that are known.
        case unknown
        /// Nothing to sign in with is stored on the device, and nothing was shown.
        case noCredential
        /// The app has no window over which the sheet could be shown.
        case noWindow
        /// The answer, Apple's or that of the server's page, was not the one that was asked for.
        case invalidResponse
        /// The system has nobody who handles the request.
        case notHandled
        /// The authorization failed.
        case failed
        /// A sheet was needed at a moment when none may be shown.
        case notInteractive
        /// The person prefers an existing sign-in with Apple: begin that.
        case preferSignInWithApple
        /// The server could not be reached.
        case serverUnreachable
        /// The server can't answer at the moment.
        case serverUnavailable(retryAfter: Int?)
        /// The server refused, with the code of its problem document.
        case refused(code: String)
        /// The address of the server is neither `https` nor this machine.
        case insecureServer
        /// The device is locked, and what is kept can't be read.
        case credentialsLocked
        /// What is kept can't be read or written.
        case credentialsUnavailable
        /// Nobody is signed in.
        case notSignedIn
        /// The person stopped using the app at Apple.
        case revoked
        /// The app moved to another team, and the person has to sign in once more.
        case transferred
        /// Another person than the session's signed in.
        case anotherPerson
        /// The server wants a fresh sign-in first.
        case freshSignInRequired
        /// Another sign-in is under way.
        case alreadySigningIn
        /// Apple's answer is kept, and sent again until the server confirms it.
        case registrationPending
        /// Apple's answer is sent again until the server confirms it, and is lost when the app ends before: the store refuses it.
        case registrationUnsaved
        /// Apple's answer became too old before the server had it; the name is kept for the next one.
        case registrationExpired
        /// The server answered something that this version can't read.
        case unexpectedAnswer
    }

    /// What happened, for programs.
    public var kind: Kind
    /// What happened, in a sentence for people.
    public var message: String
    /// What to look at, for developers; never a secret.
    public var hint: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - kind: what happened.
    ///   - message: a sentence for people; the kind's own one when left out.
    ///   - hint: what to look at, for developers; never a secret.
    public init(_ kind: Kind, message: String? = nil, hint: String = "") {
        self.kind = kind
        self.message = message ?? kind.message
        self.hint = hint
    }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch kind {
        case .serverUnreachable, .serverUnavailable, .credentialsLocked, .registrationPending,
            .registrationUnsaved, .alreadySigningIn, .failed, .notInteractive, .unknown, .noWindow:
            true
        default: false
        }
    }

    /// Whether nothing should be shown, because the person knows.
    public var isSilent: Bool { kind == .canceled }

    /// A stable word for logs and texts of one's own.
    public var code: String { kind.code }
}

extension SignInKitError: CustomStringConvertible {
    /// Code, sentence and hint in one line.
    public var description: String { "\(code): \(message)\(hint.isEmpty ? "" : " (\(hint))")" }
}
