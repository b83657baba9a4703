import Accounts
import HTTPTypes
import SignInWithApple

/// A refusal on its way to becoming a page or a problem document.
struct ServerError: Error {
    /// What a person can do about it on the page.
    enum Remedy {
        /// Go back to the account or to the sign-in page.
        case leave
        /// Begin the sign-in once more.
        case signInAgain(SignInGoal)
        /// Post the same callback again; perhaps with another name.
        case repeatCallback(sealed: String, ceremony: String, asksName: Bool)
    }

    let code: String
    let status: HTTPResponse.Status
    /// What may be told to anyone.
    let message: String
    /// What the operator's log gets; never a secret.
    let hint: String
    var headers: HTTPFields = [:]
    var remedy: Remedy = .leave

    init(_ code: String, _ status: HTTPResponse.Status, _ message: String, hint: String) {
        self.code = code
        self.status = status
        self.message = message
        self.hint = hint
    }

    init(_ error: AccountsError) {
        self.init(
            error.code.rawValue,
            Self.status(error.status),
            error.message,
            hint: error.hint
        )
        if let seconds = error.retryAfter { headers[.retryAfter] = "\(seconds)" }
        if error.code == .sessionInvalid { headers[.wwwAuthenticate] = Self.invalidBearer }
        if error.code == .recentSignInRequired { remedy = .signInAgain(.deletion) }
    }

    /// A status with its phrase, which one made of a number lacks.
    private static func status(_ code: Int) -> HTTPResponse.Status {
        let named: [HTTPResponse.Status] = [
            .badRequest, .unauthorized, .forbidden, .notFound, .unprocessableContent,
            .internalServerError, .badGateway, .serviceUnavailable,
        ]
        return named.first { $0.code == code } ?? HTTPResponse.Status(code: code)
    }

    func with(_ remedy: Remedy) -> ServerError {
        var error = self
        error.remedy = remedy
        return error
    }
}
