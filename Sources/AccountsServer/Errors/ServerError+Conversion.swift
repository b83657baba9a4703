import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird

extension ServerError {
    /// Finds the refusal in whatever was thrown.
    init(any error: any Error) {
        switch error {
        case let error as ServerError: self = error
        case let error as AccountsError: self.init(error)
        case let error as JSONFieldError: self.init(error)
        case let error as SignInError: self.init(AccountsError(error))
        case let refusal as CeremonyRefusal: self.init(refusal)
        case let error as HTTPError where error.status == .notFound: self = .notFound
        case let error as any HTTPResponseError where error.status.code < 500:
            self.init(
                "request_refused",
                error.status,
                "The request could not be read.",
                hint: "the framework answered \(error.status.code)"
            )
        default: self = .internalError(error)
        }
    }
}

extension ServerError {
    fileprivate init(_ error: JSONFieldError) {
        switch error {
        case .missing(let name): self = .missingField(name)
        case .wrongType(let name, let expected): self = .invalidField(name, expected: expected)
        case .unknown(let name, let known): self = .unknownField(name, known: known)
        }
    }
}
