import Logging

extension SignInError {
    /// How loudly a server tells of a refusal.
    ///
    /// - Parameters:
    ///   - status: the HTTP status of its answer.
    ///   - code: the refusal's code, one of this library's or of the server's own.
    /// - Returns: error for what the operator has to look at, else notice.
    package static func logLevel(ofStatus status: Int, code: String) -> Logger.Level {
        // Apple did answer: a stranger's junk token is no trouble of this server's.
        guard code != Code.tokenKeyNotPublished.rawValue else { return .notice }
        return status >= 500 ? .error : .notice
    }
}
