import Foundation

/// Opens the sign-in page in a browser, and receives its redirect.
///
/// Source: [RFC 8252](https://www.rfc-editor.org/rfc/rfc8252)
public protocol BrowserSession: Sendable {
    /// Prepares to receive the redirect; called before ``open(_:callback:)``.
    ///
    /// - Returns: the redirect URI for this sign-in.
    /// - Throws: ``AuthorizationFailure`` if no redirect URI is available.
    func redirectURI() async throws(AuthorizationFailure) -> URL

    /// Opens the page.
    ///
    /// - Parameters:
    ///   - url: the page.
    ///   - callback: the redirect URI that ``redirectURI()`` returned.
    /// - Returns: the URL of the redirect, with its query.
    /// - Throws: ``AuthorizationFailure``: kind ``AuthorizationFailure/Kind/canceled`` if the user closed the page.
    func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL
}
