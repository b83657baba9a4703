#if os(macOS) || os(Linux)
    import AppleIdentity
    import Foundation

    /// Opens the system's browser, and is sent back to a port of this machine.
    ///
    /// Source: [RFC 8252, section 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3)
    public actor LoopbackBrowserSession: BrowserSession {
        /// How long a person may take on the server's pages.
        static let maximumTime: Duration = .seconds(600)
        /// Where the page leads back to.
        private static let path = "/signed-in"

        private let openPage: @Sendable (URL) async throws -> Void
        private let time: TimeSource
        private var listener: LoopbackListener?

        /// Makes a session for one sign-in after the other.
        ///
        /// - Parameter openPage: opens an address in a browser; the system's when left out.
        public init(
            openPage: @escaping @Sendable (URL) async throws -> Void = LoopbackBrowserSession.open
        ) {
            self.init(openPage: openPage, time: .live)
        }

        /// The same on another clock.
        package init(openPage: @escaping @Sendable (URL) async throws -> Void, time: TimeSource) {
            self.openPage = openPage
            self.time = time
        }

        /// Listens on a free port of this machine.
        ///
        /// - Returns: the redirect address with that port.
        /// - Throws: ``AuthorizationFailure`` when no port can be had.
        public func redirectURI() async throws(AuthorizationFailure) -> URL {
            let listener = try LoopbackListener()
            self.listener = listener
            guard let url = URL(string: "http://127.0.0.1:\(listener.port)\(Self.path)") else {
                throw AuthorizationFailure(.failed, hint: "no redirect address")
            }
            return url
        }

        /// Opens the page, and waits for the way back.
        ///
        /// - Parameters:
        ///   - url: the page.
        ///   - callback: the redirect address.
        /// - Returns: the address to which the page sent the person back.
        /// - Throws: ``AuthorizationFailure``; canceled when the task is cancelled or ten minutes have passed.
        public func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL {
            guard let listener else { throw AuthorizationFailure(.failed, hint: "nobody listens") }
            self.listener = nil
            do {
                try await openPage(url)
            } catch {
                throw AuthorizationFailure(.failed, hint: "the browser does not open")
            }
            let limit = Task { [time] in
                try await time.sleep(for: Self.maximumTime)
                listener.stop()
            }
            defer { limit.cancel() }
            let target = await withTaskCancellationHandler {
                await listener.target(at: Self.path)
            } onCancel: {
                listener.stop()
            }
            guard let target else { throw AuthorizationFailure(.canceled) }
            guard let answer = URL(string: target, relativeTo: callback)?.absoluteURL else {
                throw AuthorizationFailure(.invalidResponse, hint: "the way back is no address")
            }
            return answer
        }

        /// Opens an address in the system's browser.
        ///
        /// - Parameter url: the address.
        /// - Throws: when the system's command for it does not run.
        public static func open(_ url: URL) async throws {
            let process = Process()
            #if os(macOS)
                process.executableURL = URL(filePath: "/usr/bin/open")
            #else
                process.executableURL = URL(filePath: "/usr/bin/xdg-open")
            #endif
            process.arguments = [url.absoluteString]
            try process.run()
        }
    }
#endif
