/// The words of errors for a token that is not an identity token.
struct TokenWords: Sendable {
    let token: String
    let tokenWithArticle: String
    let publisher: String
    let recipient: String

    static let notification = TokenWords(
        token: "notification",
        tokenWithArticle: "a notification",
        publisher: "Apple",
        recipient: "app"
    )
    static let accessToken = TokenWords(
        token: "access token",
        tokenWithArticle: "an access token",
        publisher: "the accounts server",
        recipient: "service"
    )

    fileprivate func message(for code: SignInError.Code) -> String? {
        switch code {
        case .tokenMalformed: "The \(token) cannot be read."
        case .tokenTooLong: "The \(token) is too long."
        case .tokenWrongKind: "This is not \(tokenWithArticle)."
        case .tokenUnsupportedAlgorithm: "The \(token) uses an unsupported signature algorithm."
        case .tokenUnknownKey: "The \(token) is signed with an unknown key."
        case .tokenKeyNotPublished:
            "The \(token) is signed with a key that \(publisher) does not publish yet."
        case .tokenSignatureInvalid: "The \(token)'s signature is not valid."
        case .tokenIssuerMismatch: "The \(token) was not issued by \(publisher)."
        case .tokenAudienceMismatch: "The \(token) was issued for another \(recipient)."
        case .tokenExpired: "The \(token) has expired."
        case .tokenNotYetValid: "The \(token) is not valid yet."
        default: nil
        }
    }
}

extension SignInError {
    /// The same error, with a message about another kind of token.
    func worded(for words: TokenWords) -> SignInError {
        let message = words.message(for: code) ?? message
        return SignInError(code, message: message, hint: hint, retryAfter: retryAfter)
    }
}
