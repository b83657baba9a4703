#if canImport(AuthenticationServices) || canImport(SimulatedAuthenticationServices)
    import AppleIdentity
    import Foundation

    #if canImport(AuthenticationServices)
        import AuthenticationServices
    #else
        import SimulatedAuthenticationServices
    #endif

    /// The system's Sign in with Apple, through `ASAuthorizationController`.
    ///
    /// On Linux the same source runs on the simulated device of `SimulatedAuthenticationServices`.
    public struct SystemAuthorization: AuthorizationService {
        #if os(watchOS)
            /// Creates the system's authorization service.
            public init() {}
        #else
            private let anchor: @MainActor @Sendable () -> ASPresentationAnchor?

            /// Creates one with the given values.
            ///
            /// - Parameter anchor: returns the window for the sheet; the key window by default. If it returns nil,
            ///   the request throws ``AuthorizationFailure/Kind/noWindow``.
            public init(
                anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor? = {
                    KeyWindow.anchor
                }
            ) {
                self.anchor = anchor
            }
        #endif

        /// Shows the system's sheet, and returns the credential that the user chose.
        public func authorize(
            _ request: AuthorizationRequest
        ) async throws(AuthorizationFailure) -> AuthorizedCredential {
            #if os(watchOS)
                let outcome = await SystemSheet().outcome(of: request)
            #else
                let outcome = await SystemSheet(anchor: anchor).outcome(of: request)
            #endif
            return try outcome.get()
        }

        /// Returns the credential state that the device has stored.
        ///
        /// It needs no network.
        ///
        /// - Parameter user: the user identifier.
        /// - Returns: the state; unknown in a simulator, whose answers mean nothing.
        public func credentialState(of user: UserID) async -> CredentialState {
            #if targetEnvironment(simulator)
                return .unknown("simulators do not support credential states")
            #else
                return await withCheckedContinuation { continuation in
                    ASAuthorizationAppleIDProvider()
                        .getCredentialState(forUserID: user.rawValue) { state, error in
                            continuation.resume(returning: CredentialState(state, error))
                        }
                }
            #endif
        }

        /// Yields a value for each `credentialRevokedNotification`.
        public var revocations: AsyncStream<Void> {
            ASAuthorizationAppleIDProvider.credentialRevokedNotification.posts
        }
    }

    extension CredentialState {
        /// The system reports `notFound` with an error; an error with another state means that it could not check.
        fileprivate init(
            _ state: ASAuthorizationAppleIDProvider.CredentialState,
            _ error: (any Error)?
        ) {
            self =
                switch (state, error) {
                case (.notFound, _): .notFound
                case (_, let error?): .unknown("an error of type \(type(of: error))")
                case (.authorized, nil): .authorized
                case (.revoked, nil): .revoked
                case (.transferred, nil): .transferred
                #if canImport(AuthenticationServices)
                    @unknown default: .unknown("the state \(state.rawValue)")
                #endif
                }
        }
    }
#endif
