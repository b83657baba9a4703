import Accounts
import HTTPTypes
import Hummingbird

extension AccountsError {
    /// Seconds after which a store that was busy is worth another request.
    private static let storeRetryAfter = 1

    /// The HTTP status that tells it.
    var status: HTTPResponse.Status {
        switch code {
        case .sessionInvalid, .tokenReplayed, .consentRevoked, .nonceUnknown, .nonceUsed,
            .nonceExpired:
            .unauthorized
        case .recentSignInRequired: .forbidden
        case .sessionNotFound: .notFound
        case .nonceRequired, .nameTooLong, .nameEmpty: .unprocessableContent
        case .storeUnavailable: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }

    /// A sentence that may be shown to anyone.
    var message: String {
        switch code {
        case .sessionInvalid: "You are not signed in."
        case .sessionNotFound: "There is no such session."
        case .recentSignInRequired: "Please sign in again first."
        case .tokenReplayed, .nonceUsed:
            "This sign-in has been used already. Please sign in again."
        case .consentRevoked:
            "You have stopped using Sign in with Apple here. Please sign in again."
        case .nonceRequired: "The sign-in has no nonce."
        case .nonceUnknown: "This sign-in was not started here. Please sign in again."
        case .nonceExpired: "This sign-in took too long. Please sign in again."
        case .nameTooLong: "The name is longer than \(parameters["maximum"] ?? "?") characters."
        case .nameEmpty: "The name is empty."
        case .storeUnavailable:
            "The server can't reach its data at the moment. Please try again."
        case .internalError: "The server has made a mistake."
        }
    }

    /// After how many seconds the same request may succeed; nil when it won't.
    var retryAfter: Int? { isRetryable ? Self.storeRetryAfter : nil }
}
