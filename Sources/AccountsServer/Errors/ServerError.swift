import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import SignInWithApple

/// A refusal on its way to becoming a page or a problem document.
struct ServerError: Error {
    /// What a person can do about it on the page.
    enum Remedy {
        /// Go back to the account or to the sign-in page.
        case leave
        /// Begin the sign-in once more, at this path.
        case signInAgain(path: String)
        /// Go to another own page, by a button with the text of this name.
        case proceed(path: String, button: String)
        /// Post the same callback again; perhaps with another name.
        case postAgain(RefusedSignIn.RepeatForm)
    }

    let code: String
    let status: HTTPResponse.Status
    /// What may be told to anyone.
    let message: String
    /// What the operator's log gets; never a secret.
    let hint: String
    /// Values that a sentence about it in any language names.
    var parameters: [String: String] = [:]
    var headers: HTTPFields = [:]
    var remedy: Remedy = .leave
    /// With what an app without cookies repeats its request.
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
        if let seconds = error.retryAfter { headers[.retryAfter] = "\(seconds)" }
        if error.code == .sessionInvalid { headers[.wwwAuthenticate] = Self.invalidBearer }
        if error.code == .recentSignInRequired {
            let path = WebPath.confirmation(returningTo: WebPath.deletion)
            remedy = .proceed(path: path, button: "confirmLink")
        }
    }

    init(_ refusal: RefusedSignIn) {
        self.init(refusal.code, refusal.status, refusal.message, hint: refusal.hint)
        parameters = ["maximum": "\(PersonName.maximumCharacterCount)"]
        headers = refusal.headers
        headers[.wwwAuthenticate] =
            refusal.code == AccountsError.Code.sessionInvalid.rawValue ? Self.invalidBearer : nil
        switch refusal.remedy {
        case .none: break
        case .beginAgain(let path): remedy = .signInAgain(path: path)
        case .postAgain(let form): remedy = .postAgain(form)
        case .resume(let token): resumeToken = token
        }
        proceed(refusal.code)
    }

    /// Beginning the same sign-in again would end at the same refusal: these lead elsewhere.
    private mutating func proceed(_ code: String) {
        switch code {
        case "account_exists": remedy = .proceed(path: WebPath.signIn, button: "signInLink")
        case "recent_sign_in_required":
            let path = WebPath.confirmation(returningTo: WebPath.applePart)
            remedy = .proceed(path: path, button: "confirmLink")
        case "apple_linked_elsewhere", "apple_link_exists": remedy = .leave
        default: break
        }
    }

    /// Finds the refusal in whatever was thrown.
    init(any error: any Error) {
        if let refusal = RefusedSignIn(any: error) {
            self.init(refusal)
            return
        }
        switch error {
        case let error as ServerError: self = error
        case let error as AccountsError: self.init(error)
        case let error as HTTPError where error.status == .notFound: self = .notFound
        case let error as any HTTPResponseError where error.status.code < 500:
            self.init(
                "request_refused",
                error.status,
                "The request could not be read.",
                hint: "the framework answered \(error.status.code)"
            )
        default: self = .internalError(error)
        }
    }

    /// The fields of the answer that tells it.
    var answerHeaders: HTTPFields {
        var fields = headers
        if status == .unauthorized, fields[.wwwAuthenticate] == nil {
            // RFC 9110, section 15.5.2: a 401 must tell a scheme by which it can be fixed.
            // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2
            fields[.wwwAuthenticate] = Self.bearer
        }
        return fields
    }

    /// The refusal as a program reads it.
    ///
    /// Source: [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
    var problem: Response {
        var document: JSONObject = [
            "type": "about:blank",
            "title": .string(status.reasonPhrase),
            "status": .integer(status.code),
            "detail": .string(message),
            "code": .string(code),
        ]
        document["resumeToken"] = resumeToken.map { .string($0) }
        var response = Response.json(document, status: status, type: "application/problem+json")
        for field in answerHeaders { response.headers.append(field) }
        return response
    }
}

extension RefusedSignIn {
    /// What the server refuses by itself, as the routes of the sign-in tell it.
    init(_ error: ServerError) {
        self.init(error.code, error.status, error.message, hint: error.hint)
    }

    /// What the accounts refuse, as the routes of the sign-in tell it.
    init(_ error: AccountsError) {
        self.init(
            error.code.rawValue,
            error.status,
            error.message,
            hint: error.hint,
            isRetryable: error.isRetryable,
            retryAfterSeconds: error.retryAfter
        )
    }
}
