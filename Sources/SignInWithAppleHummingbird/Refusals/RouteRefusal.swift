import HTTPTypes
import SignInWithApple

/// A refusal on its way to becoming a page or a problem document.
struct RouteRefusal: Error {
    /// A stable word for programs.
    let code: String
    let status: HTTPResponse.Status
    /// What may be told to anyone.
    let message: String
    /// What the operator's log gets; never a secret.
    let hint: String
    /// Whether the same request may succeed later.
    let isRetryable: Bool
    /// After how many seconds.
    let retryAfterSeconds: Int?

    init(
        _ code: String,
        _ status: HTTPResponse.Status,
        _ message: String,
        hint: String,
        isRetryable: Bool = false,
        retryAfterSeconds: Int? = nil
    ) {
        self.code = code
        self.status = status
        self.message = message
        self.hint = hint
        self.isRetryable = isRetryable
        self.retryAfterSeconds = retryAfterSeconds
    }
}

extension RouteRefusal {
    /// Seconds after which another attempt to reach Apple makes sense.
    private static let appleRetryAfterSeconds = 2

    /// Finds the refusal in what the routes throw; nil for what somebody else threw.
    init?(any error: any Error) {
        switch error {
        case let refusal as RouteRefusal: self = refusal
        case let error as SignInError: self.init(error)
        case let refusal as CeremonyRefusal: self.init(refusal)
        case let refusal as ContentRefusal: self.init(refusal)
        default: return nil
        }
    }

    private init(_ error: SignInError) {
        self.init(
            error.code.rawValue,
            Self.status(of: error),
            error.message,
            hint: error.hint,
            isRetryable: error.isRetryable,
            retryAfterSeconds: error.isRetryable
                ? error.retryAfter?.wholeSeconds ?? Self.appleRetryAfterSeconds : nil
        )
    }

    /// A notification brings no credentials of its sender: whatever is wrong with it, it is malformed.
    init(notification error: SignInError) {
        let refusal = RouteRefusal(error)
        self.init(
            refusal.code,
            refusal.isRetryable ? refusal.status : .badRequest,
            refusal.message,
            hint: refusal.hint,
            isRetryable: refusal.isRetryable,
            retryAfterSeconds: refusal.retryAfterSeconds
        )
    }

    private static func status(of error: SignInError) -> HTTPResponse.Status {
        if error.isRetryable { return .serviceUnavailable }
        return switch error.code {
        case .callbackMalformed, .authorizationCancelled: .badRequest
        case .appleRefusedClient, .appleRefusedRequest: .badGateway
        case .clientSecretKeyInvalid, .configurationInvalid: .internalServerError
        // The rest is about the identity token and the code, which are the request's credentials.
        default: .unauthorized
        }
    }

    private init(_ refusal: CeremonyRefusal) {
        switch refusal {
        case .missing, .doubled:
            self.init(
                "state_missing",
                .badRequest,
                "Something is missing from the answer that came back from Apple.",
                hint: "the callback has no state, or more than one"
            )
        case .foreign:
            self.init(
                "state_foreign",
                .badRequest,
                "This sign-in was begun in another browser, or has been finished already.",
                hint: "no ceremony cookie belongs to the state"
            )
        case .expired:
            self.init(
                "state_expired",
                .badRequest,
                "This sign-in took longer than ten minutes.",
                hint: "the ceremony is older than \(CeremonyLimits.lifetime) seconds"
            )
        }
    }

    private init(_ refusal: ContentRefusal) {
        switch refusal {
        case .unsupportedType(let expected):
            self.init(
                "content_type_unsupported",
                .unsupportedMediaType,
                "The request's content has to be \(expected).",
                hint: "the Content-Type field is missing or names another type"
            )
        case .tooLarge(let maximumByteCount):
            self.init(
                "content_too_large",
                .contentTooLarge,
                "The request is too large.",
                hint: "the body has more than \(maximumByteCount) bytes"
            )
        case .tooSlow(let maximumSeconds):
            self.init(
                "request_too_slow",
                .requestTimeout,
                "The request took too long to arrive.",
                hint: "the body was not there after \(maximumSeconds) seconds"
            )
        }
    }
}
