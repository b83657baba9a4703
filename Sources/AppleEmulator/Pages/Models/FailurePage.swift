/// The page that says why there is no sheet.
package struct FailurePage: Sendable {
    /// The error code, such as `invalid_client`.
    package var code: String
    /// The sentence that Apple shows; empty where Apple shows none.
    package var text: String
    /// The cause and its fix in words, which Apple would keep to itself.
    package var hint: String

    package init(code: String, text: String, hint: String) {
        self.code = code
        self.text = text
        self.hint = hint
    }
}
