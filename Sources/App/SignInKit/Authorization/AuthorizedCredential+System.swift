#if canImport(AuthenticationServices) || canImport(SimulatedAuthenticationServices)
    import AppleIdentity
    import Foundation

    #if canImport(AuthenticationServices)
        import AuthenticationServices
    #else
        import SimulatedAuthenticationServices
    #endif

    extension AuthorizationFailure {
        /// How many errors below the system's own are named.
        private static let maximumUnderlyingCount = 3

        /// Reads the system's error.
        init(_ error: any Error, isSilent: Bool) {
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

    extension AuthorizedCredential {
        typealias Outcome = Result<AuthorizedCredential, AuthorizationFailure>

        /// Reads the system's answer.
        static func read(_ authorization: ASAuthorization) -> Outcome {
            switch authorization.credential {
            case let credential as ASAuthorizationAppleIDCredential: return read(credential)
            case let credential as ASPasswordCredential:
                let password = StoredPassword(user: credential.user, password: credential.password)
                return .success(.password(password))
            default:
                let hint = "a credential of type \(type(of: authorization.credential))"
                return .failure(AuthorizationFailure(.invalidResponse, hint: hint))
            }
        }

        /// Reads the system's credential; token and code are text in UTF-8.
        private static func read(
            _ credential: ASAuthorizationAppleIDCredential
        ) -> Outcome {
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
        init?(_ scope: Scope) {
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
