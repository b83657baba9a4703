import AppleIdentity
import HTTPTypes

/// Why the routes refuse, as a page or a problem document tells it.
///
/// Throw one from your own functions to be answered with your own code.
public struct RefusedSignIn: Error, Sendable {
    /// What whoever asked can do about it.
    public enum Remedy: Sendable {
        /// Nothing that the routes know of.
        case none
        /// Begin the sign-in once more, at this path.
        case beginAgain(path: String)
        /// Post Apple's answer again: nothing of it is lost.
        case postAgain(RepeatForm)
        /// Send the same request again, with this text as `resumeToken`: an app that keeps no cookies.
        case resume(token: String)
    }

    /// A form for a page of your own, which posts Apple's answer once more.
    public struct RepeatForm: Sendable {
        /// Where it posts.
        public let action: String
        /// Its hidden fields; what is secret in them is sealed.
        public let fields: [(name: String, value: String)]
        /// Whether the person shall write their name into a field `name`.
        public let asksName: Bool
    }

    /// A stable word for programs.
    public let code: String
    /// The status that fits.
    public var status: HTTPResponse.Status
    /// What may be told to anyone.
    public let message: String
    /// What the operator's log gets; never a secret.
    public let hint: String
    /// Whether the same request may succeed later.
    public let isRetryable: Bool
    /// After how many seconds.
    public let retryAfterSeconds: Int?
    /// What can be done about it.
    public internal(set) var remedy = Remedy.none
    /// The page where the sign-in was to end, when it came back from Apple in a browser.
    package internal(set) var returnPath: String?
    /// What the client keeps of the sign-in; the routes add it to every answer.
    var cookies: [HTTPField] = []

    /// Makes a refusal.
    ///
    /// - Parameters:
    ///   - code: a stable word for programs.
    ///   - status: the status that fits.
    ///   - message: what may be told to anyone.
    ///   - hint: what the log gets; never a secret.
    ///   - isRetryable: whether the same request may succeed later.
    ///   - retryAfterSeconds: after how many seconds, when that is known.
    public init(
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

    /// The fields that the status asks for.
    public var headers: HTTPFields {
        var headers = HTTPFields()
        if let retryAfterSeconds { headers[.retryAfter] = "\(retryAfterSeconds)" }
        // RFC 9110, section 15.5.2: a 401 must tell a scheme by which it can be fixed.
        // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        // RFC 9110, section 15.5.9: the server does not want to wait any longer.
        // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9
        if endsConnection { headers[.connection] = "close" }
        return headers
    }

    /// Whether Apple or the configuration refuses this server, which no other attempt changes.
    package var isServersFault: Bool { status.kind == .serverError && !isRetryable }

    private var endsConnection: Bool {
        status == .requestTimeout || code == Self.contentMalformed.code
    }
}

extension RefusedSignIn {
    /// Seconds after which another attempt to reach Apple makes sense.
    private static let appleRetryAfterSeconds = 2

    /// Finds the refusal in what the routes throw; nil for what somebody else threw.
    package init?(any error: any Error) {
        switch error {
        case let refusal as RefusedSignIn: self = refusal
        case let error as SignInError: self.init(error)
        case let error as JSONFieldError: self.init(error)
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
        self.init(error)
        if !isRetryable { status = .badRequest }
    }

    private static func status(of error: SignInError) -> HTTPResponse.Status {
        if error.isRetryable { return .serviceUnavailable }
        return switch error.code {
        case .callbackMalformed, .callbackIncomplete, .authorizationCancelled, .stateMissing,
            .stateDuplicate, .stateMismatch, .stateExpired:
            .badRequest
        case .nameTooLong: .unprocessableContent
        case .appleRefusedClient, .appleRefusedRequest: .badGateway
        case .clientSecretKeyInvalid, .configurationInvalid: .internalServerError
        // The rest is about the identity token and the code, which are the request's credentials.
        default: .unauthorized
        }
    }
}
