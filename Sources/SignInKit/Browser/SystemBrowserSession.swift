#if canImport(AuthenticationServices) || canImport(SimulatedAuthenticationServices)
    #if !os(watchOS) && !os(tvOS)
        import Foundation

        #if canImport(AuthenticationServices)
            import AuthenticationServices
        #else
            import SimulatedAuthenticationServices
        #endif

        /// Opens the system's sheet for web pages, `ASWebAuthenticationSession`, and is sent back to an address of the app's own scheme.
        ///
        /// Source: [RFC 8252, section 7.1](https://www.rfc-editor.org/rfc/rfc8252#section-7.1)
        public struct SystemBrowserSession: BrowserSession {
            private let redirect: URL
            private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

            /// Makes a session.
            ///
            /// - Parameters:
            ///   - redirectURI: an address of the app's own scheme, which the server knows: `com.example.juice:/signed-in`.
            ///   - anchor: tells the window over which the sheet is shown.
            public init(
                redirectURI: URL,
                anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor = {
                    ASPresentationAnchor()
                }
            ) {
                redirect = redirectURI
                self.anchor = anchor
            }

            /// The address that the session was made with.
            ///
            /// - Returns: the redirect address.
            /// - Throws: nothing.
            public func redirectURI() async throws(AuthorizationFailure) -> URL { redirect }

            /// Shows the page in the system's sheet.
            ///
            /// - Parameters:
            ///   - url: the page.
            ///   - callback: the redirect address.
            /// - Returns: the address to which the page sent the person back.
            /// - Throws: ``AuthorizationFailure``; canceled when the person closed the sheet.
            public func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL {
                try await WebSheet(anchor: anchor).outcome(of: url, scheme: callback.scheme).get()
            }
        }

        /// One run of an `ASWebAuthenticationSession`.
        @MainActor private final class WebSheet: NSObject {
            typealias Outcome = Result<URL, AuthorizationFailure>

            private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
            private var session: ASWebAuthenticationSession?
            private var continuation: CheckedContinuation<Outcome, Never>?

            nonisolated init(anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) {
                self.anchor = anchor
            }

            func outcome(of url: URL, scheme: String?) async -> Outcome {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        self.continuation = continuation
                        let session = ASWebAuthenticationSession(
                            url: url,
                            callbackURLScheme: scheme,
                            completionHandler: completion
                        )
                        session.presentationContextProvider = self
                        self.session = session
                        if !session.start() {
                            let hint = "the page can't be shown"
                            finish(.failure(AuthorizationFailure(.failed, hint: hint)))
                        }
                    }
                } onCancel: {
                    Task { @MainActor in self.session?.cancel() }
                }
            }

            /// Made outside the main actor, because the system does not say on which thread it calls.
            nonisolated private var completion: ASWebAuthenticationSession.CompletionHandler {
                { answer, error in
                    let outcome = Self.outcome(answer, error)
                    Task { @MainActor in self.finish(outcome) }
                }
            }

            /// The system may answer besides refusing to start: the first outcome counts.
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
                    return .failure(AuthorizationFailure(.failed, hint: "the page gave no address"))
                }
                let hint = "ASWebAuthenticationSessionError \(error.code.rawValue)"
                let isCanceled = error.code == .canceledLogin
                return .failure(AuthorizationFailure(isCanceled ? .canceled : .failed, hint: hint))
            }
        }

        extension WebSheet: ASWebAuthenticationPresentationContextProviding {
            func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
            {
                anchor()
            }
        }
    #endif
#endif
