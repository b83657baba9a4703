#if os(macOS) || os(Linux)
    import AppleIdentity
    import Foundation

    /// Opens the default browser, and receives the redirect on a loopback port.
    ///
    /// Source: [RFC 8252, section 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3)
    public actor LoopbackBrowserSession: BrowserSession {
        /// The time that a user may take on the server's pages.
        static let maximumTime: Duration = .seconds(600)
        /// The path of the redirect URI.
        private static let path = "/signed-in"

        private let openPage: @Sendable (URL) async throws -> Void
        private let time: TimeSource
        private var listener: LoopbackListener?

        /// Creates a session.
        ///
        /// It can be reused for consecutive sign-ins.
        ///
        /// - Parameter openPage: opens a URL in a browser; the default browser if omitted.
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
        /// - Returns: the redirect URI with that port.
        /// - Throws: ``AuthorizationFailure`` if no port is free.
        public func redirectURI() async throws(AuthorizationFailure) -> URL {
            let listener = try LoopbackListener()
            self.listener = listener
            guard let url = URL(string: "http://127.0.0.1:\(listener.port)\(Self.path)") else {
                throw AuthorizationFailure(.failed, hint: "no redirect URI")
            }
            return url
        }

        /// Opens the page, and waits for the redirect, for at most ten minutes.
        ///
        /// Requests with another path or `state` are ignored.
        ///
        /// - Parameters:
        ///   - url: the page.
        ///   - callback: the redirect URI.
        /// - Returns: the URL of the redirect, with the page's `state`.
        /// - Throws: ``AuthorizationFailure``: `canceled` if the task is cancelled or ten minutes pass; `failed` if no
        ///   browser opens or ``redirectURI()`` was not called first; `invalidResponse` if the redirect has no valid URL.
        public func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL {
            guard let listener else { throw AuthorizationFailure(.failed, hint: "no port is open") }
            self.listener = nil
            let hasNoBrowser = LockedValue(false)
            // The command that opens a browser may end with the browser, long after the redirect.
            Task { [openPage] in
                do {
                    try await openPage(url)
                } catch {
                    hasNoBrowser.withLock { $0 = true }
                    listener.stop()
                }
            }
            let target = await target(of: listener, state: Self.state(of: url))
            guard let target else {
                guard hasNoBrowser.withLock({ $0 }) else { throw AuthorizationFailure(.canceled) }
                throw AuthorizationFailure(.failed, hint: "the browser could not be opened")
            }
            guard let answer = URL(string: target, relativeTo: callback)?.absoluteURL else {
                throw AuthorizationFailure(.invalidResponse, hint: "the redirect has no valid URL")
            }
            return answer
        }

        private func target(of listener: LoopbackListener, state: String?) async -> String? {
            let limit = Task { [time] in
                try await time.sleep(for: Self.maximumTime)
                listener.stop()
            }
            defer { limit.cancel() }
            return await withTaskCancellationHandler {
                await listener.target { target in
                    guard let url = URL(string: target), url.path() == Self.path else {
                        return false
                    }
                    return Self.state(of: url) == state
                }
            } onCancel: {
                listener.stop()
            }
        }

        private static func state(of url: URL) -> String? {
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
            return items?.first { $0.name == "state" }?.value
        }

        /// Opens a URL in the default browser.
        ///
        /// - Parameter url: the URL.
        /// - Throws: ``AuthorizationFailure`` with kind `failed` if there is no display, or if `open` or `xdg-open`
        ///   fails; an error of `Process` if the command cannot start.
        public static func open(_ url: URL) async throws {
            #if os(macOS)
                try await open(url, with: URL(filePath: "/usr/bin/open"))
            #else
                let environment = ProcessInfo.processInfo.environment
                // Without a display, xdg-open would open a browser in the app's own terminal.
                let isThere = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"]
                    .contains { environment[$0]?.isEmpty == false }
                guard isThere else { throw AuthorizationFailure(.failed, hint: "no display") }
                try await open(url, with: URL(filePath: "/usr/bin/xdg-open"))
            #endif
        }

        /// Opens a URL with a command, which has no access to the app's terminal.
        static func open(_ url: URL, with command: URL) async throws {
            let process = Process()
            process.executableURL = command
            process.arguments = [url.absoluteString]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            let status = try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = {
                    continuation.resume(returning: $0.terminationStatus)
                }
                do {
                    try process.run()
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            guard status == 0 else {
                throw AuthorizationFailure(.failed, hint: "\(command.path()): status \(status)")
            }
        }
    }
#endif
