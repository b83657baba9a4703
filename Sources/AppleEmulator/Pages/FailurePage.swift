/// The page that says why there is no sheet.
package struct FailurePage: Sendable {
    /// The error code, such as `invalid_client`.
    package var code: String
    /// The sentence that Apple shows; nil where Apple shows none.
    package var text: String?
    /// What is wrong, where the page says it in the browser's language.
    package var problem: PageProblem?
    /// The cause and its fix in words, which Apple would keep to itself.
    package var hint: String
}
