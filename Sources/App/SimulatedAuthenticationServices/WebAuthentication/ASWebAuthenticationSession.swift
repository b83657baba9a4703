import Foundation

/// Shows a web page for a sign-in, and returns the callback URL.
///
/// Source: [ASWebAuthenticationSession](https://developer.apple.com/documentation/authenticationservices/aswebauthenticationsession)
open class ASWebAuthenticationSession: NSObject {
    /// Receives the callback URL or an error.
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    private let url: URL
    private let callback: Callback?
    private let completionHandler: CompletionHandler
    private var run: AuthorizationRun?

    /// Provides the window for the page (a weak reference).
    open weak var presentationContextProvider:
        (any ASWebAuthenticationPresentationContextProviding)?
    /// Whether the page shares no cookies with the browser.
    open var prefersEphemeralWebBrowserSession = false
    /// Header fields of the first request; those without the prefix `X-` are ignored.
    open var additionalHeaderFields: [String: String]?

    /// Creates a session that ends at a URL with this scheme; nil accepts all but HTTP and HTTPS.
    public init(
        url: URL,
        callbackURLScheme: String?,
        completionHandler: @escaping CompletionHandler
    ) {
        self.url = url
        callback = callbackURLScheme.map { Callback.customScheme($0) }
        self.completionHandler = completionHandler
        super.init()
    }

    /// Creates a session that ends at a URL of the callback.
    public init(url: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {
        self.url = url
        self.callback = callback
        self.completionHandler = completionHandler
        super.init()
    }

    /// Whether ``start()`` can succeed: it was not called, and the URL is HTTP or HTTPS.
    open var canStart: Bool { run == nil && ["http", "https"].contains(url.scheme?.lowercased()) }

    /// Shows the page; returns false if ``canStart`` is false or there is no presentation context provider.
    ///
    /// Without a provider, the completion handler also receives `presentationContextNotProvided`.
    @discardableResult
    open func start() -> Bool {
        guard canStart else { return false }
        let run = AuthorizationRun()
        self.run = run
        let session = MainActorDelivery(self)
        guard presentationContextProvider != nil else {
            Task { await session.finish(run, .failure(.init(.presentationContextNotProvided))) }
            return false
        }
        let page = WebAuthenticationPage(
            url: url,
            isEphemeral: prefersEphemeralWebBrowserSession,
            headerFields: (additionalHeaderFields ?? [:]).filter {
                $0.key.lowercased().hasPrefix("x-")
            }
        )
        let browser = SimulatedDevice.current.browser
        run.start {
            await session.askForAnchor()
            await session.finish(run, session.outcome(await browser?.open(page)))
        }
        return true
    }

    /// Closes the page; the completion handler receives the error `canceledLogin`.
    open func cancel() {
        guard let run, run.cancel() else { return }
        let session = MainActorDelivery(self)
        Task { await session.tell(.failure(.init(.canceledLogin))) }
    }

    fileprivate func isCallback(_ url: URL) -> Bool {
        callback?.matchesURL(url) ?? !["http", "https"].contains(url.scheme?.lowercased())
    }

    fileprivate func complete(_ url: URL?, _ error: (any Error)?) { completionHandler(url, error) }
}

/// A session stays with the code that created it.
@available(*, unavailable)
extension ASWebAuthenticationSession: Sendable {}

extension ASWebAuthenticationSession {
    /// The URLs at which a session ends.
    public final class Callback: NSObject, Sendable {
        private enum Kind: Hashable {
            case scheme(String)
            case https(host: String, path: String)
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
            super.init()
        }

        /// URLs with a custom scheme.
        public class func customScheme(_ scheme: String) -> Callback {
            Callback(.scheme(scheme.lowercased()))
        }

        /// One HTTPS URL of an associated domain.
        public class func https(host: String, path: String) -> Callback {
            let path = path.hasPrefix("/") ? path : "/" + path
            return Callback(.https(host: host.lowercased(), path: path))
        }

        /// Whether a session ends at a URL.
        public func matchesURL(_ url: URL) -> Bool {
            switch kind {
            case .scheme(let scheme): url.scheme?.lowercased() == scheme
            case .https(let host, let path):
                url.scheme?.lowercased() == "https" && url.host()?.lowercased() == host
                    && url.path() == path
            }
        }
    }
}

extension MainActorDelivery<ASWebAuthenticationSession> {
    @MainActor fileprivate func askForAnchor() {
        _ = content.presentationContextProvider?.presentationAnchor(for: content)
    }

    /// A URL that is not the callback counts as cancelled, because such a page stays open until the user closes it.
    @MainActor fileprivate func outcome(
        _ url: URL??
    ) -> Result<URL, ASWebAuthenticationSessionError> {
        guard let url = url ?? nil, content.isCallback(url) else {
            return .failure(.init(.canceledLogin))
        }
        return .success(url)
    }

    @MainActor fileprivate func finish(
        _ run: AuthorizationRun,
        _ outcome: Result<URL, ASWebAuthenticationSessionError>
    ) {
        if run.finish() { tell(outcome) }
    }

    @MainActor fileprivate func tell(_ outcome: Result<URL, ASWebAuthenticationSessionError>) {
        switch outcome {
        case .success(let url): content.complete(url, nil)
        case .failure(let error): content.complete(nil, error)
        }
    }
}

/// Provides the window over which a page is shown.
///
/// Source: [ASWebAuthenticationPresentationContextProviding](https://developer.apple.com/documentation/authenticationservices/aswebauthenticationpresentationcontextproviding)
@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    /// Returns the window for a session's page.
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

/// A page that an ``ASWebAuthenticationSession`` opens.
public struct WebAuthenticationPage: Hashable, Sendable {
    /// The page's URL.
    public let url: URL
    /// Whether the page shares no cookies with the browser.
    public let isEphemeral: Bool
    /// Header fields of the first request.
    public let headerFields: [String: String]
}

/// Opens the pages of ``ASWebAuthenticationSession``, in a test or for a user of a terminal.
public protocol SimulatedBrowser: Sendable {
    /// Opens a page.
    ///
    /// - Parameter page: the URL and the settings of the page.
    /// - Returns: the callback URL that the page led to; nil if the user closed it. After nil, or a URL that is not the
    ///   callback, the session fails with `canceledLogin`.
    func open(_ page: WebAuthenticationPage) async -> URL?
}
