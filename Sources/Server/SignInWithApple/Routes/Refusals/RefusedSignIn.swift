import AppleIdentity
import HTTPTypes
import Logging

/// An error response of the sign-in routes.
///
/// Throw one from your own functions to respond with your own code.
public struct RefusedSignIn: RefusalError {
    /// What the client can do next.
    public enum Remedy: Sendable {
        /// Nothing that the routes know of.
        case none
        /// Begin the sign-in again, at this path.
        case beginAgain(path: String)
        /// Post Apple's response again, with this form.
        case postAgain(RepeatForm)
        /// Send the same request again with this `resumeToken`. For apps without cookies.
        case resume(token: String)
    }

    /// A form for a page of your own that posts Apple's response again.
    public struct RepeatForm: Sendable {
        /// The path to which the form is posted.
        public let action: String
        /// The hidden fields, with encrypted secrets.
        public let fields: [FormField]
        /// Whether the form needs a text field `name` for the user's name.
        public let asksName: Bool
    }

    /// The error code, which does not change between versions.
    public let code: SignInError.Code
    /// The status of the response.
    public var status: HTTPResponse.Status
    /// A message that is safe to show to the user.
    public let message: String
    /// Details for the server's log; never a secret.
    public let hint: String
    /// The values in the message, for a translation.
    public private(set) var parameters: [String: String] = [:]
    /// Whether the same request may succeed later.
    public let isRetryable: Bool
    /// The time after which a retry may succeed; nil if unknown.
    public let retryAfter: Duration?
    /// What the client can do next.
    public internal(set) var remedy = Remedy.none
    /// The page where the sign-in was to end, if the browser came back from Apple.
    public package(set) var returnPath: String?
    /// The error of the server's own functions that this one passes on.
    package private(set) var cause: (any RefusalError)?
    /// The cookies of every error response, which keep the sign-in for a retry.
    var cookies: [HTTPField] = []

    /// Creates an error response.
    ///
    /// - Parameters:
    ///   - code: the error code, such as `SignInError.Code(rawValue: "account_blocked")`.
    ///   - status: the status of the response.
    ///   - message: a message that is safe to show to the user.
    ///   - hint: details for the server's log; never a secret.
    ///   - isRetryable: whether the same request may succeed later.
    ///   - retryAfter: the time after which a retry may succeed; nil if unknown.
    public init(
        code: SignInError.Code,
        status: HTTPResponse.Status,
        message: String,
        hint: String,
        isRetryable: Bool = false,
        retryAfter: Duration? = nil
    ) {
        self.code = code
        self.status = status
        self.message = message
        self.hint = hint
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
    }

    init(
        _ code: String,
        _ status: HTTPResponse.Status,
        _ message: String,
        hint: String,
        isRetryable: Bool = false,
        retryAfter: Duration? = nil
    ) {
        self.init(
            code: SignInError.Code(rawValue: code),
            status: status,
            message: message,
            hint: hint,
            isRetryable: isRetryable,
            retryAfter: retryAfter
        )
    }

    /// The header fields that the status requires.
    public var headers: HTTPFields {
        var headers = HTTPFields()
        if let retryAfter { headers[.retryAfter] = "\(retryAfter.wholeSeconds)" }
        // RFC 9110, section 15.5.2: a response with 401 must name an authentication scheme.
        // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        // RFC 9110, section 15.5.9: the server does not wait any longer.
        // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9
        if endsConnection { headers[.connection] = "close" }
        return headers
    }

    /// Whether Apple rejects this server, or its configuration is wrong: a retry does not help.
    package var isServersFault: Bool { status.kind == .serverError && !isRetryable }

    /// Whether the rest of the body is not read.
    private var endsConnection: Bool {
        status == .requestTimeout || code == Self.contentMalformed.code
            || code == Self.serverBusy.code
    }
}

extension RefusedSignIn {
    /// The time after which another request to Apple makes sense.
    private static let appleRetryAfter = Duration.seconds(2)

    /// Converts an error of the routes, or one with a code and a status; nil for any other error.
    package init?(any error: any Error) {
        switch error {
        case let refusal as RefusedSignIn: self = refusal
        case let error as SignInError: self.init(error)
        case let error as JSONFieldError: self.init(error)
        case let error as any RefusalError: self.init(error)
        default: return nil
        }
    }

    /// Passes on an error of the server's own functions.
    package init(_ error: any RefusalError) {
        self.init(
            error.code.description,
            error.status,
            error.message,
            hint: error.hint,
            isRetryable: error.isRetryable,
            retryAfter: error.retryAfter
        )
        (parameters, cause) = (error.parameters, error)
    }

    private init(_ error: SignInError) {
        self.init(
            code: error.code,
            status: error.httpStatus,
            message: error.message,
            hint: error.hint,
            isRetryable: error.isRetryable,
            retryAfter: error.isRetryable ? error.retryAfter ?? Self.appleRetryAfter : nil
        )
        if error.code == .nameTooLong {
            parameters = ["maximum": "\(PersonName.maximumCharacterCount)"]
        }
    }

    /// A notification carries no credentials: every error in it is one of its form.
    init(notification error: SignInError) {
        self.init(error)
        if !isRetryable { status = .badRequest }
    }
}

extension RefusedSignIn {
    /// Logs the error for the operator.
    package func log(_ message: Logger.Message, to logger: Logger, route: String) {
        logger.log(
            level: SignInError.logLevel(ofStatus: status.code, code: code.rawValue),
            message,
            metadata: ["code": "\(code)", "hint": "\(hint)", "route": "\(route)"]
        )
    }
}

extension SignInError {
    /// The status of the response to this error, in the routes and in a route of your own.
    ///
    /// It is 503 if a retry may succeed, 502 if Apple rejects your server's request, 500 if your configuration is wrong,
    /// 400 or 422 if the request is malformed, and 401 for all errors of the token and the code.
    public var httpStatus: HTTPResponse.Status {
        if isRetryable { return .serviceUnavailable }
        return switch code {
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
