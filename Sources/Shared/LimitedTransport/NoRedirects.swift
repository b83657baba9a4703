import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession {
    /// A session without redirects, cookies and cache, for requests with a token.
    package static let withoutRedirects = URLSession(
        configuration: .forgetful,
        delegate: NoRedirects(),
        delegateQueue: nil
    )
}

extension URLSessionConfiguration {
    /// A configuration without cookies and cache.
    static var forgetful: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        return configuration
    }
}

/// Returns a redirect of one request as its response: following it could send a token to another host.
package final class NoRedirects: NSObject, URLSessionTaskDelegate, Sendable {
    /// Refuses the redirect.
    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
