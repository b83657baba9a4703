#if canImport(AuthenticationServices) || canImport(SimulatedAuthenticationServices)
    import AppleIdentity
    import Foundation

    #if canImport(AuthenticationServices)
        import AuthenticationServices
    #else
        import SimulatedAuthenticationServices
    #endif

    /// Sign-ins through the system's own button (`SignInWithAppleButton`) or your own `ASAuthorizationController`.
    extension SignInSession {
        /// Sets the scopes, the nonce and the state of a request.
        ///
        /// It does not wait: the session fetches a nonce ahead, and creates one if the server has not answered.
        ///
        /// - Parameter request: the request, in `onRequest` or before `performRequests()`.
        public func prepare(_ request: ASAuthorizationAppleIDRequest) {
            let prepared = requests.removeNext(at: client.time.now)
            request.requestedScopes = client.configuration.scopes.compactMap(
                ASAuthorization.Scope.init
            )
            request.nonce = Nonces.hash(of: prepared.nonce)
            request.state = prepared.state
            renewNonce()
        }

        /// Signs in with the answer to a prepared request.
        ///
        /// - Parameter authorization: the answer. One to a request that ``prepare(_:)`` did not see ends with
        ///   `invalidResponse`.
        public func signIn(with authorization: ASAuthorization) async {
            await signIn(with: .success(authorization))
        }

        /// Signs in with the result of the system's button; shows nothing if the user cancelled.
        ///
        /// Apple's answer is stored at once. If another action is running, it is sent after that.
        ///
        /// - Parameter result: the result, as `onCompletion` receives it.
        public func signIn(with result: Result<ASAuthorization, any Error>) async {
            do {
                guard case .apple(let apple) = try Self.credential(result) else {
                    throw SignInKitError(.invalidResponse, hint: "a password was not requested")
                }
                guard let nonce = requests.nonce(forState: apple.state) else {
                    throw SignInKitError(.invalidResponse, hint: "the request was not prepared")
                }
                await client.keep(apple, nonce: nonce)
                await waitForActions()
                await perform { try await $0.signInKept() }
            } catch {
                show(SignInKitError(anyOf: error))
            }
        }

        private static func credential(
            _ result: Result<ASAuthorization, any Error>
        ) throws(SignInKitError) -> AuthorizedCredential {
            do throws(AuthorizationFailure) {
                return switch result {
                case .success(let authorization):
                    try AuthorizedCredential.read(authorization).get()
                case .failure(let error): throw AuthorizationFailure(error, isSilent: false)
                }
            } catch {
                throw SignInKitError(error)
            }
        }
    }
#endif
