#if canImport(AuthenticationServices) || canImport(SimulatedAuthenticationServices)
    import AppleIdentity
    import Foundation

    #if canImport(AuthenticationServices)
        import AuthenticationServices
    #else
        import SimulatedAuthenticationServices
    #endif

    /// One run of an `ASAuthorizationController`, and its delegate, which the controller does not retain.
    @MainActor final class SystemSheet: NSObject {
        typealias Outcome = AuthorizedCredential.Outcome

        private var controller: ASAuthorizationController?
        private var continuation: CheckedContinuation<Outcome, Never>?

        /// Whether the system shows nothing if no credential is stored.
        private var isSilent = false

        #if os(watchOS)
            nonisolated override init() {}
        #else
            private let anchor: @MainActor @Sendable () -> ASPresentationAnchor?
            private var window: SheetWindow?

            nonisolated init(anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) {
                self.anchor = anchor
            }
        #endif

        func outcome(of request: AuthorizationRequest) async -> Outcome {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    self.continuation = continuation
                    begin(request)
                }
            } onCancel: {
                Task { @MainActor in self.cancel() }
            }
        }

        private func begin(_ request: AuthorizationRequest) {
            guard !request.methods.isEmpty else {
                return finish(
                    .failure(AuthorizationFailure(.notHandled, hint: "no method was requested"))
                )
            }
            let controller = ASAuthorizationController(
                authorizationRequests: Self.systemRequests(for: request)
            )
            self.controller = controller
            isSilent = request.onlyImmediatelyAvailable
            controller.delegate = self
            #if !os(watchOS)
                guard let anchor = anchor() else {
                    return finish(.failure(.withoutWindow))
                }
                let window = SheetWindow(anchor)
                self.window = window
                controller.presentationContextProvider = window
            #endif
            #if os(watchOS) || os(tvOS)
                // These systems have no silent request, and the caller did not ask for a sheet.
                guard !isSilent else { return finish(.failure(.init(.noCredential))) }
                controller.performRequests()
            #else
                controller.performRequests(
                    options: isSilent ? .preferImmediatelyAvailableCredentials : []
                )
            #endif
        }

        private func cancel() {
            #if !os(watchOS)
                if #available(tvOS 18, *) { controller?.cancel() }
            #endif
        }

        private func finish(_ outcome: Outcome) {
            controller = nil
            continuation?.resume(returning: outcome)
            continuation = nil
        }

        private static func systemRequests(
            for request: AuthorizationRequest
        ) -> [ASAuthorizationRequest] {
            var requests: [ASAuthorizationRequest] = []
            if request.methods.contains(.apple) {
                let apple = ASAuthorizationAppleIDProvider().createRequest()
                apple.requestedScopes = request.scopes.compactMap(ASAuthorization.Scope.init)
                apple.nonce = request.nonce
                apple.state = request.state
                apple.user = request.user?.rawValue
                requests.append(apple)
            }
            if request.methods.contains(.password) {
                requests.append(ASAuthorizationPasswordProvider().createRequest())
            }
            return requests
        }
    }

    extension SystemSheet: ASAuthorizationControllerDelegate {
        func authorizationController(
            controller: ASAuthorizationController,
            didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            finish(AuthorizedCredential.read(authorization))
        }

        func authorizationController(
            controller: ASAuthorizationController,
            didCompleteWithError error: any Error
        ) {
            finish(.failure(AuthorizationFailure(error, isSilent: isSilent)))
        }
    }
#endif
