import Foundation

/// A page that an ``ASWebAuthenticationSession`` opens.
public struct WebAuthenticationPage: Hashable, Sendable {
    /// The page's address.
    public let url: URL
    /// Whether it shares no cookies with the browser.
    public let isEphemeral: Bool
    /// Header fields of the first request.
    public let headerFields: [String: String]
}

/// Opens pages: a test that follows redirects, or a terminal that asks the person to.
public protocol SimulatedBrowser: Sendable {
    /// Opens a page.
    ///
    /// - Parameter page: the page.
    /// - Returns: the address of the app that the page led to; nil when the person closed it.
    func open(_ page: WebAuthenticationPage) async -> URL?
}
