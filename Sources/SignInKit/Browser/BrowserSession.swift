import Foundation

/// Lets a person sign in in a browser, and catches the address to which the page sends them back.
///
/// Source: [RFC 8252](https://www.rfc-editor.org/rfc/rfc8252)
public protocol BrowserSession: Sendable {
    /// Gets ready to be sent back to, before the page is opened.
    ///
    /// - Returns: the redirect address for this sign-in.
    /// - Throws: ``AuthorizationFailure`` when nobody can be sent back.
    func redirectURI() async throws(AuthorizationFailure) -> URL

    /// Opens the page.
    ///
    /// - Parameters:
    ///   - url: the page.
    ///   - callback: the redirect address, which ``redirectURI()`` gave.
    /// - Returns: the address to which the page sent the person back, with its query.
    /// - Throws: ``AuthorizationFailure``; canceled when the person closed the page.
    func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL
}
