import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import SignInWithApple

/// An error that becomes an error page or a problem document.
struct ServerError: RefusalError {
    /// What the user can do about it on the page.
    enum Remedy {
        /// Go back to the account or to the sign-in page.
        case leave
        /// Start the sign-in again, at this path.
        case signInAgain(path: String)
        /// Go to another page of this server, with a button that has this text.
        case proceed(path: String, button: String)
        /// Post the same callback again, possibly with another name.
        case postAgain(RefusedSignIn.RepeatForm)
    }

    let code: String
    let status: HTTPResponse.Status
    /// A sentence that any client may see.
    let message: String
    /// The cause, for the operator's log; never a secret.
    let hint: String
    /// The values that the translated sentences contain.
    var parameters: [String: String] = [:]
    var headers: HTTPFields = [:]
    var remedy: Remedy = .leave
    /// Whether clients of OAuth read the code from the member `error`.
    var isOAuth = false
    /// Whether a browser was linking an Apple Account, and not signing in.
    private(set) var isLinking = false
    /// The token with which an app without cookies repeats its request.
    private var resumeToken: String?

    init(_ code: String, _ status: HTTPResponse.Status, _ message: String, hint: String) {
        self.code = code
        self.status = status
        self.message = message
        self.hint = hint
    }

    init(_ error: AccountsError) {
        self.init(error.code.rawValue, error.status, error.message, hint: error.hint)
        parameters = error.parameters
        if let wait = error.retryAfter { headers[.retryAfter] = "\(wait.wholeSeconds)" }
        proceed(after: error.code, returningTo: WebPath.deletion)
    }

    init(_ refusal: RefusedSignIn) {
        self.init(refusal.code.rawValue, refusal.status, refusal.message, hint: refusal.hint)
        parameters = refusal.parameters
        isLinking = refusal.returnPath == Notice.appleLinked.accountPath
        headers = refusal.headers
        headers[.wwwAuthenticate] = nil
        switch refusal.remedy {
        case .none: break
        case .beginAgain(let path): remedy = .signInAgain(path: path)
        case .postAgain(let form): remedy = .postAgain(form)
        case .resume(let token): resumeToken = token
        }
        guard let error = refusal.cause as? AccountsError else { return }
        if error.code == .accountExists {
            remedy = .proceed(path: WebPath.signIn, button: "signInLink")
        }
        proceed(after: error.code, returningTo: WebPath.apple)
    }

    /// Sets what depends on the code: the challenge of a session, and remedies where the same request would fail in
    /// the same way.
    private mutating func proceed(after code: AccountsError.Code, returningTo path: String) {
        switch code {
        case .sessionInvalid: headers[.wwwAuthenticate] = Self.invalidBearer
        case .recentSignInRequired:
            let path = WebPath.confirmation(returningTo: path)
            remedy = .proceed(path: path, button: "confirmLink")
        case .appleLinkedElsewhere, .appleLinkExists: remedy = .leave
        default: break
        }
    }

    /// Converts any error that a route throws.
    init(any error: any Error) {
        switch error {
        case let error as ServerError: self = error
        case let error as AccountsError: self.init(error)
        case let error as HTTPError where error.status == .notFound: self = .notFound
        case let error as any HTTPResponseError
        where error.status.code < 500 && !(error is SignInError):
            self.init(
                "request_refused",
                error.status,
                "The request could not be read.",
                hint: "the framework responded with \(error.status.code)"
            )
        default: self = RefusedSignIn(any: error).map { ServerError($0) } ?? .internalError(error)
        }
    }

    /// The header fields of the error's response.
    var answerHeaders: HTTPFields {
        var fields = headers
        if status == .unauthorized, fields[.wwwAuthenticate] == nil {
            // RFC 9110, section 15.5.2: a 401 response must name an authentication scheme.
            // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2
            fields[.wwwAuthenticate] = Self.bearer
        }
        return fields
    }

    /// The response for programs: a problem document.
    ///
    /// Source: [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
    var problem: Response {
        var document = problemContent(resumeToken: resumeToken)
        if isOAuth { document["error"] = .string(code) }
        var response = Response.json(document, status: status, type: "application/problem+json")
        for field in answerHeaders { response.headers.append(field) }
        return response
    }
}
