#if os(Linux) || os(macOS)
    import AppleIdentity
    import Foundation

    /// Signs a person in in the system's browser, which comes back at a port of this machine.
    ///
    /// Source: [RFC 8252, section 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3)
    public final class LoopbackBrowserSession: BrowserSession {
        private static let path = "/signed-in"

        private let page: String
        private let show: @Sendable (URL) async -> Bool
        private let listener = LockedValue<LoopbackListener?>(nil)

        /// Makes a session for one sign-in after the other.
        ///
        /// - Parameters:
        ///   - message: what the browser shows in the end.
        ///   - show: opens the page's address, or prints it; false when neither can be done. The system's browser when left out.
        public init(
            message: String = "You can go back to the app.",
            show: @escaping @Sendable (URL) async -> Bool = LoopbackBrowserSession.openBrowser
        ) {
            let text = message.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            page =
                "<!DOCTYPE html><html><head><title>\(text)</title></head><body><p>\(text)</p></body></html>"
            self.show = show
        }

        /// Listens on a free port; a sign-in that still waits ends.
        public func redirectURI() async throws(AuthorizationFailure) -> URL {
            let fresh = try LoopbackListener()
            let earlier = listener.withLock { listener in
                defer { listener = fresh }
                return listener
            }
            earlier?.close()
            guard let url = URL(string: "http://127.0.0.1:\(fresh.port)\(Self.path)") else {
                throw AuthorizationFailure(.failed, hint: "the port makes no address")
            }
            return url
        }

        /// Opens the page, and waits until the browser comes back.
        public func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL {
            let waiting = listener.withLock { listener in
                defer { listener = nil }
                return listener
            }
            guard let waiting, callback.port == Int(waiting.port) else {
                throw AuthorizationFailure(.failed, hint: "nobody listens at \(callback)")
            }
            defer { waiting.close() }
            guard await show(url) else {
                throw AuthorizationFailure(.notInteractive, hint: "no browser can be opened")
            }
            let target = await withTaskCancellationHandler {
                await waiting.request(to: Self.path, answering: page)
            } onCancel: {
                waiting.close()
            }
            guard let target else { throw AuthorizationFailure(.canceled) }
            guard let answer = URL(string: "http://127.0.0.1:\(waiting.port)\(target)") else {
                throw AuthorizationFailure(.invalidResponse, hint: "the way back is no address")
            }
            return answer
        }

        /// Opens an address with `xdg-open`, or `open` on a Mac.
        ///
        /// - Parameter url: the address.
        /// - Returns: whether the command could be run and succeeded.
        public static func openBrowser(_ url: URL) async -> Bool {
            #if os(macOS)
                let command = "open"
            #else
                let command = "xdg-open"
            #endif
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [command, url.absoluteString]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            return await withCheckedContinuation { waiting in
                process.terminationHandler = {
                    waiting.resume(returning: $0.terminationStatus == 0)
                }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    waiting.resume(returning: false)
                }
            }
        }
    }
#endif
