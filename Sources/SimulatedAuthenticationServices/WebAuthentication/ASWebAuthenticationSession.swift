import Foundation

/// Shows a web page to sign in on, and hands back the address it leads to.
///
/// Source: [ASWebAuthenticationSession](https://developer.apple.com/documentation/authenticationservices/aswebauthenticationsession)
open class ASWebAuthenticationSession: NSObject {
    /// Is given the address the page led to, or an error.
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    private let url: URL
    private let callback: Callback?
    private let completionHandler: CompletionHandler
    private var run: AuthorizationRun?

    /// Tells the window of the page; the session does not keep it alive.
    open weak var presentationContextProvider:
        (any ASWebAuthenticationPresentationContextProviding)?
    /// Whether the page shares no cookies with the browser.
    open var prefersEphemeralWebBrowserSession = false
    /// Header fields of the first request; names begin with `X-`.
    open var additionalHeaderFields: [String: String]?

    /// Makes a session that ends at addresses of a scheme; any scheme but the web's when it is nil.
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

    /// Makes a session that ends at the callback's addresses.
    public init(url: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {
        self.url = url
        self.callback = callback
        self.completionHandler = completionHandler
        super.init()
    }

    /// Whether it can be started: once, with a web address.
    open var canStart: Bool { run == nil && ["http", "https"].contains(url.scheme?.lowercased()) }

    /// Shows the page; false when it can't be.
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

    /// Closes the page.
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

/// A session belongs to whoever made it.
@available(*, unavailable)
extension ASWebAuthenticationSession: Sendable {}

extension ASWebAuthenticationSession {
    /// The addresses at which a session ends.
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

        /// Addresses of a scheme of the app's own.
        public class func customScheme(_ scheme: String) -> Callback {
            Callback(.scheme(scheme.lowercased()))
        }

        /// One address of a site that the app is associated with.
        public class func https(host: String, path: String) -> Callback {
            let path = path.hasPrefix("/") ? path : "/" + path
            return Callback(.https(host: host.lowercased(), path: path))
        }

        /// Whether a session ends at an address.
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

    /// A page that leads elsewhere stays open, until the person closes it.
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

/// Tells the window over which a page is shown.
///
/// Source: [ASWebAuthenticationPresentationContextProviding](https://developer.apple.com/documentation/authenticationservices/aswebauthenticationpresentationcontextproviding)
@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    /// The window.
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

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
