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
        typealias Outcome = Result<AuthorizedCredential, AuthorizationFailure>

        private var controller: ASAuthorizationController?
        private var continuation: CheckedContinuation<Outcome, Never>?

        /// Whether the system shows nothing if no credential is stored.
        private var isSilent = false

        #if os(watchOS) || os(tvOS)
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
            #if os(watchOS) || os(tvOS)
                controller.performRequests()
            #else
                guard let anchor = anchor() else {
                    return finish(.failure(.withoutWindow))
                }
                let window = SheetWindow(anchor)
                self.window = window
                controller.presentationContextProvider = window
                controller.performRequests(
                    options: request.onlyImmediatelyAvailable
                        ? .preferImmediatelyAvailableCredentials : []
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
            switch authorization.credential {
            case let credential as ASAuthorizationAppleIDCredential:
                finish(AppleCredential.read(credential))
            case let credential as ASPasswordCredential:
                let password = StoredPassword(user: credential.user, password: credential.password)
                finish(.success(.password(password)))
            default:
                let hint = "a credential of type \(type(of: authorization.credential))"
                finish(.failure(AuthorizationFailure(.invalidResponse, hint: hint)))
            }
        }

        func authorizationController(
            controller: ASAuthorizationController,
            didCompleteWithError error: any Error
        ) {
            finish(.failure(AuthorizationFailure(error, isSilent: isSilent)))
        }
    }

    extension AuthorizationFailure {
        /// How many errors below the system's own are named.
        private static let maximumUnderlyingCount = 3

        /// Reads the system's error.
        fileprivate init(_ error: any Error, isSilent: Bool) {
            guard let error = error as? ASAuthorizationError else {
                self.init(.failed, hint: "an error of type \(type(of: error))")
                return
            }
            let names = ["ASAuthorizationError \(error.code.rawValue)"]
            let hint = (names + Self.underlying(error.userInfo)).joined(separator: ", below it ")
            // The system gives a reason when it shows nothing, but none when the user closes the sheet.
            // https://github.com/f-23/react-native-passkey/pull/112
            if isSilent, error.code == .canceled,
                error.userInfo[NSLocalizedFailureReasonErrorKey] != nil
            {
                self.init(.noCredential, hint: hint)
            } else {
                self.init(code: error.code.rawValue, hint: hint)
            }
        }

        /// Only domains and codes, because the messages are in the device's language.
        private static func underlying(_ userInfo: [String: Any]) -> [String] {
            var names: [String] = []
            var next = userInfo[NSUnderlyingErrorKey] as? NSError
            while let error = next, names.count < maximumUnderlyingCount {
                names.append("\(error.domain) \(error.code)")
                next = error.userInfo[NSUnderlyingErrorKey] as? NSError
            }
            return names
        }
    }

    extension AppleCredential {
        /// Reads the system's credential; token and code are text in UTF-8.
        fileprivate static func read(
            _ credential: ASAuthorizationAppleIDCredential
        ) -> SystemSheet.Outcome {
            guard
                let token = credential.identityToken.flatMap({ String(data: $0, encoding: .utf8) })
            else {
                let hint = "the credential has no identity token"
                return .failure(AuthorizationFailure(.invalidResponse, hint: hint))
            }
            let name = credential.fullName.map {
                PersonName(givenName: $0.givenName, familyName: $0.familyName)
            }
            return .success(
                .apple(
                    AppleCredential(
                        user: UserID(credential.user),
                        identityToken: token,
                        authorizationCode: credential.authorizationCode.flatMap {
                            String(data: $0, encoding: .utf8)
                        },
                        fullName: name,
                        email: credential.email,
                        realUserStatus: credential.realUserStatus.rawValue,
                        state: credential.state,
                        authorizedScopes: Set(credential.authorizedScopes.compactMap(Scope.init))
                    )
                )
            )
        }
    }

    extension ASAuthorization.Scope {
        /// The system's name of a scope.
        fileprivate init?(_ scope: Scope) {
            switch scope {
            case .name: self = .fullName
            case .email: self = .email
            default: return nil
            }
        }
    }

    extension Scope {
        /// What the system's word means.
        fileprivate init?(_ scope: ASAuthorization.Scope) {
            switch scope {
            case .fullName: self = .name
            case .email: self = .email
            default: return nil
            }
        }
    }
#endif
