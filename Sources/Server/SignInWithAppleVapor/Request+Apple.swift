#if Vapor
    import AppleIdentity
    import HTTPTypes
    import NIOHTTP1
    import SignInWithApple
    import Vapor

    extension Application {
        private struct Key: StorageKey {
            typealias Value = AppleSignIn
        }

        /// The `AppleSignIn` of this server, which you set in `configure`.
        public var apple: AppleSignIn? {
            get { storage[Key.self] }
            set { storage[Key.self] = newValue }
        }
    }

    extension Request {
        /// Verifies tokens of Apple in a route of your own, with ``Vapor/Application/apple``.
        public struct Apple: Sendable {
            let request: Request

            /// Verifies an identity token.
            ///
            /// - Parameters:
            ///   - identityToken: the token as a compact JWS; nil for the Bearer token of the request.
            ///   - nonce: the nonce that the token must have.
            /// - Returns: the verified identity.
            /// - Throws: `Abort(.unauthorized)` without a token; the errors of `AppleSignIn.verify`, which are
            ///   `AbortError`s.
            public func verify(
                _ identityToken: String? = nil,
                nonce: NonceExpectation
            ) async throws -> VerifiedIdentity {
                let bearer = request.headers.bearerAuthorization?.token
                guard let token = identityToken ?? bearer else {
                    throw Abort(.unauthorized, headers: ["WWW-Authenticate": "Bearer"])
                }
                do {
                    guard let apple = request.application.apple else {
                        throw SignInError(.configurationInvalid, hint: "app.apple is not set")
                    }
                    return try await apple.verify(token, expecting: .init(nonce: nonce))
                } catch let error as SignInError {
                    // Vapor logs an error's reason, which is shown to users.
                    let path = request.url.path
                    RefusedSignIn(any: error)?
                        .log("request refused", to: request.logger, route: path)
                    throw error
                }
            }
        }

        /// Verifies tokens of Apple in a route of your own.
        public var apple: Apple { Apple(request: self) }
    }

    extension WebFlow {
        /// Returns the session token of a request: the Bearer token (RFC 6750) or the session cookie.
        ///
        /// The token is not verified. Look it up in your session store.
        ///
        /// - Parameter request: any request, of an app or a browser.
        /// - Returns: the token; nil if there is none or its length is not that of a token (32 to 256 bytes).
        public func sessionToken(of request: Request) -> String? {
            sessionToken(of: SignInRequest(request).head)
        }

        /// Signs a browser in on a response of your own, such as after a password.
        ///
        /// - Parameters:
        ///   - session: the new session, which you have stored.
        ///   - response: the response.
        ///   - request: the request; its host selects the cookie.
        public func addSessionCookie(
            _ session: WebSession,
            to response: Response,
            for request: Request
        ) {
            response.headers.add(sessionCookie(session, for: SignInRequest(request).head))
        }

        /// Signs a browser out.
        ///
        /// - Parameters:
        ///   - response: the response.
        ///   - request: the request; its host selects the cookie.
        public func addClearedSessionCookie(to response: Response, for request: Request) {
            response.headers.add(clearedSessionCookie(for: SignInRequest(request).head))
        }
    }

    extension HTTPHeaders {
        fileprivate mutating func add(_ field: HTTPField) {
            add(name: field.name.rawName, value: field.value)
        }
    }
#endif
