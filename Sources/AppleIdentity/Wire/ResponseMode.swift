/// How Apple's authorize page answers.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
package enum ResponseMode: String, Hashable, Sendable, Codable {
    /// Parameters in the redirect's query.
    case query
    /// Parameters in the redirect's fragment.
    case fragment
    /// A form that the browser posts; the only mode that carries scopes.
    case formPost = "form_post"
    /// A message from a popup to the page that opened it.
    case webMessage = "web_message"
}
