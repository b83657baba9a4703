/// The words of errors for a token that is not an identity token.
package struct TokenWords: Sendable {
    /// The words about an identity token, and those that replace them.
    fileprivate let replacements: [(words: String, replacement: String)]

    static let notification = TokenWords(replacements: [
        ("an identity token", "a notification"), ("identity token", "notification"),
    ])
    package static let accessToken = TokenWords(replacements: [
        ("identity token", "access token"), ("another app", "another service"),
        ("by Apple", "by the accounts server"), ("Apple does", "the accounts server does"),
    ])
}

extension SignInError {
    /// The same error, with a message about another kind of token.
    package func worded(for words: TokenWords) -> SignInError {
        let message = words.replacements.reduce(message) { message, pair in
            message.replacing(pair.words, with: pair.replacement)
        }
        return SignInError(code, message: message, hint: hint, retryAfter: retryAfter)
    }
}
