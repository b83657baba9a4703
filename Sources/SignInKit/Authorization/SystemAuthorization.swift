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
        #if os(watchOS) || os(tvOS)
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
        ///
        /// - Parameter request: the request.
        /// - Returns: the credential that the user chose.
        /// - Throws: ``AuthorizationFailure``.
        public func authorize(
            _ request: AuthorizationRequest
        ) async throws(AuthorizationFailure) -> AuthorizedCredential {
            #if os(watchOS) || os(tvOS)
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
        public var revocations: AsyncStream<Void> { RevocationNews.shared.stream() }
    }

    extension CredentialState {
        /// Not found comes with an error; with any other state an error means that the system could not tell.
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

    /// The system's notification, for each listener; the process listens once, for as long as it lives.
    private final class RevocationNews: Sendable {
        static let shared = RevocationNews()

        private struct Listeners: Sendable {
            var nextID = 0
            var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
        }

        private let listeners = LockedValue(Listeners())

        private init() {
            _ = NotificationCenter.default.addObserver(
                forName: ASAuthorizationAppleIDProvider.credentialRevokedNotification,
                object: nil,
                queue: nil
            ) { [listeners] _ in
                for listener in listeners.withLock({ Array($0.continuations.values) }) {
                    listener.yield()
                }
            }
        }

        func stream() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: Void.self,
                bufferingPolicy: .bufferingNewest(1)
            )
            let id = listeners.withLock { listeners in
                listeners.nextID += 1
                listeners.continuations[listeners.nextID] = continuation
                return listeners.nextID
            }
            continuation.onTermination = { [listeners] _ in
                listeners.withLock { $0.continuations[id] = nil }
            }
            return stream
        }
    }
#endif
