import AppleIdentity
import Foundation

/// What a controller asks of the device, as values.
struct AuthorizationOrder: Hashable, Sendable {
    /// What is asked of a person's Apple Account.
    struct Apple: Hashable, Sendable {
        var scopes: [ASAuthorization.Scope] = []
        var state: String?
        var nonce: String?
    }

    /// The first request for an Apple Account, if there is one.
    var apple: Apple?
    var asksPassword = false
    /// Whether a request is there for which the device has no handler, or none at all.
    var isUnhandled = false
    /// Whether a sheet is shown only for what is on the device.
    var isImmediate = false
}

extension AuthorizationOrder {
    /// Requests of one kind are served first in, first out: the first counts.
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

/// How a run ends.
typealias AuthorizationOutcome = Result<AuthorizedContent, ASAuthorizationError>

/// What a person handed over.
enum AuthorizedContent: Hashable, Sendable {
    case apple(AppleIDCredentialContent)
    case password(user: String, password: String)
}
