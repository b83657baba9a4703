import AppleIdentity

/// The requests of a controller, as values.
struct AuthorizationOrder: Hashable, Sendable {
    /// A request for an Apple Account.
    struct Apple: Hashable, Sendable {
        var scopes: [ASAuthorization.Scope] = []
        var state: String?
        var nonce: String?
    }

    /// The first request for an Apple Account, if there is one.
    var apple: Apple?
    var asksPassword = false
    /// Whether there is no request, or one that the device does not support.
    var isUnhandled = false
    /// Whether a sheet is shown only for credentials on the device.
    var isImmediate = false
}

extension AuthorizationOrder {
    /// Creates an order; only the first request of a kind is used.
    init(_ requests: [ASAuthorizationRequest], options: ASAuthorizationController.RequestOptions) {
        isImmediate = options.contains(.preferImmediatelyAvailableCredentials)
        isUnhandled = requests.isEmpty
        for request in requests {
            switch request {
            case let request as ASAuthorizationAppleIDRequest where apple == nil:
                apple = Apple(request)
            case is ASAuthorizationAppleIDRequest: break
            case is ASAuthorizationPasswordRequest: asksPassword = true
            default: isUnhandled = true
            }
        }
    }
}

extension AuthorizationOrder.Apple {
    fileprivate init(_ request: ASAuthorizationAppleIDRequest) {
        scopes = request.requestedScopes ?? []
        state = request.state
        nonce = request.nonce
    }

    var asksName: Bool { scopes.contains(.fullName) }
    var asksEmail: Bool { scopes.contains(.email) }
}

/// The result of a run.
typealias AuthorizationOutcome = Result<AuthorizedContent, ASAuthorizationError>

/// The credential that the user authorized.
enum AuthorizedContent: Hashable, Sendable {
    case apple(AppleIDCredentialContent)
    case password(user: String, password: String)
}
