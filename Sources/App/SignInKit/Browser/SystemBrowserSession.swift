#if canImport(AuthenticationServices) || canImport(SimulatedAuthenticationServices)
    #if !os(watchOS) && !os(tvOS)
        import Foundation

        #if canImport(AuthenticationServices)
            import AuthenticationServices
        #else
            import SimulatedAuthenticationServices
        #endif

        /// Opens a page with `ASWebAuthenticationSession`, and receives its redirect to the app.
        ///
        /// A custom URL scheme works on all versions. An https URL needs iOS 17.4 or visionOS 1.1, and an associated
        /// domain (`webcredentials`). The type is not available on tvOS and watchOS.
        ///
        /// Source: [RFC 8252, sections 7.1 and 7.2](https://www.rfc-editor.org/rfc/rfc8252#section-7.1),
        /// [ASWebAuthenticationSession](https://developer.apple.com/documentation/authenticationservices/aswebauthenticationsession)
        public struct SystemBrowserSession: BrowserSession {
            private let redirect: URL
            private let isEphemeral: Bool
            private let anchor: @MainActor @Sendable () -> ASPresentationAnchor?

            /// Creates a session with the given values.
            ///
            /// - Parameters:
            ///   - redirectURI: the redirect URI, registered with the server, such as `com.example.juice:/signed-in`.
            ///   - isEphemeral: whether the page shares no cookies with the browser, which requires a new sign-in.
            ///   - anchor: returns the window for the sheet; the key window by default. If it returns nil, `open`
            ///     throws `noWindow`.
            public init(
                redirectURI: URL,
                isEphemeral: Bool = false,
                anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor? = {
                    KeyWindow.anchor
                }
            ) {
                redirect = redirectURI
                self.isEphemeral = isEphemeral
                self.anchor = anchor
            }

            /// Returns the redirect URI passed to the initializer.
            public func redirectURI() async throws(AuthorizationFailure) -> URL { redirect }

            /// Shows the page in the system's sheet, and returns the URL of the redirect.
            public func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL {
                let sheet = WebSheet(isEphemeral: isEphemeral, anchor: anchor)
                return try await sheet.outcome(of: url, callback: callback).get()
            }
        }

        /// One run of an `ASWebAuthenticationSession`.
        @MainActor private final class WebSheet: NSObject {
            typealias Outcome = Result<URL, AuthorizationFailure>

            private let isEphemeral: Bool
            private let anchor: @MainActor @Sendable () -> ASPresentationAnchor?
            private var session: ASWebAuthenticationSession?
            private var window: SheetWindow?
            private var continuation: CheckedContinuation<Outcome, Never>?

            nonisolated init(
                isEphemeral: Bool,
                anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor?
            ) {
                self.isEphemeral = isEphemeral
                self.anchor = anchor
            }

            func outcome(of url: URL, callback: URL) async -> Outcome {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        self.continuation = continuation
                        guard let session = makeSession(url, callback: callback) else {
                            let hint = "an https redirect URI needs iOS 17.4 or visionOS 1.1"
                            return finish(.failure(AuthorizationFailure(.failed, hint: hint)))
                        }
                        guard let anchor = anchor() else {
                            return finish(.failure(.withoutWindow))
                        }
                        let window = SheetWindow(anchor)
                        self.window = window
                        session.presentationContextProvider = window
                        session.prefersEphemeralWebBrowserSession = isEphemeral
                        self.session = session
                        if !session.start() {
                            let hint = "the page can't be shown"
                            finish(.failure(AuthorizationFailure(.failed, hint: hint)))
                        }
                    }
                } onCancel: {
                    Task { @MainActor in
                        self.session?.cancel()
                        self.finish(.failure(AuthorizationFailure(.canceled)))
                    }
                }
            }

            /// An https callback needs host and path, because the scheme `https` does not identify the app.
            private func makeSession(_ url: URL, callback: URL) -> ASWebAuthenticationSession? {
                guard callback.scheme?.lowercased() == "https" else {
                    return ASWebAuthenticationSession(
                        url: url,
                        callbackURLScheme: callback.scheme,
                        completionHandler: completion
                    )
                }
                guard #available(iOS 17.4, macOS 14.4, visionOS 1.1, *) else { return nil }
                return ASWebAuthenticationSession(
                    url: url,
                    callback: .https(host: callback.host() ?? "", path: callback.path()),
                    completionHandler: completion
                )
            }

            /// Not on the main actor, because the system may call it on any thread.
            nonisolated private var completion: ASWebAuthenticationSession.CompletionHandler {
                { answer, error in
                    let outcome = Self.outcome(answer, error)
                    Task { @MainActor in self.finish(outcome) }
                }
            }

            /// Reports the first outcome only, because the system may call back and also refuse to start.
            private func finish(_ outcome: Outcome) {
                session = nil
                continuation?.resume(returning: outcome)
                continuation = nil
            }

            nonisolated private static func outcome(_ answer: URL?, _ error: (any Error)?)
                -> Outcome
            {
                if let answer { return .success(answer) }
                guard let error = error as? ASWebAuthenticationSessionError else {
                    return .failure(AuthorizationFailure(.failed, hint: "the page returned no URL"))
                }
                let hint = "ASWebAuthenticationSessionError \(error.code.rawValue)"
                let isCanceled = error.code == .canceledLogin
                return .failure(AuthorizationFailure(isCanceled ? .canceled : .failed, hint: hint))
            }
        }
    #endif
#endif
