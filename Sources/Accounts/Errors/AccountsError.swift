import AppleIdentity
import SignInWithApple

/// A refusal or failure: what happened, for programs.
///
/// How it is told to people, in which language and with which HTTP status, belongs to whoever answers them.
/// Two errors are equal when their codes are.
public struct AccountsError: Error, Sendable {
    /// A stable word for programs.
    public enum Code: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
        /// No live session belongs to the token.
        case sessionInvalid = "session_invalid"
        /// The account has no live session of that name.
        case sessionNotFound = "session_not_found"
        /// The step needs a fresh proof of who is asking.
        case recentSignInRequired = "recent_sign_in_required"
        /// The identity token has been used before.
        case tokenReplayed = "token_replayed"
        /// The person stopped using the app at Apple after the identity token was issued.
        case consentRevoked = "consent_revoked"
        /// The server asks for a nonce and none was sent.
        case nonceRequired = "nonce_required"
        /// The server has not given out that nonce.
        case nonceUnknown = "nonce_unknown"
        /// The nonce has been used before.
        case nonceUsed = "nonce_used"
        /// The nonce was given out too long ago.
        case nonceExpired = "nonce_expired"
        /// The name has too many characters; the parameter `maximum` says how many it may have.
        case nameTooLong = "name_too_long"
        /// The name has nothing to see.
        case nameEmpty = "name_empty"
        /// The store can't answer or can't write at the moment.
        case storeUnavailable = "store_unavailable"
        /// Something that should never happen did.
        case internalError = "internal_error"

        /// The word itself.
        public var description: String { rawValue }
    }

    /// What happened.
    public let code: Code
    /// Values that a sentence about it may name.
    public let parameters: [String: String]
    /// What to look at, for the operator's log; never a secret.
    public let hint: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: what happened.
    ///   - parameters: values that a sentence about it may name.
    ///   - hint: what to look at, for the operator's log.
    public init(_ code: Code, parameters: [String: String] = [:], hint: String) {
        self.code = code
        self.parameters = parameters
        self.hint = hint
    }

    /// Whether the same request may succeed later.
    public var isRetryable: Bool { code == .storeUnavailable }
}

extension AccountsError: Equatable {
    /// Compares the codes.
    public static func == (first: AccountsError, second: AccountsError) -> Bool {
        first.code == second.code
    }
}

extension AccountsError {
    static let sessionInvalid = AccountsError(
        .sessionInvalid,
        hint: "no live session belongs to the token: ended, expired, deleted or never made"
    )

    static func nameTooLong(hint: String) -> AccountsError {
        AccountsError(
            .nameTooLong,
            parameters: ["maximum": "\(PersonName.maximumCharacterCount)"],
            hint: hint
        )
    }

    init(_ error: AccountStoreError) {
        switch error.kind {
        case .unavailable, .outcomeUnknown: self.init(.storeUnavailable, hint: error.hint)
        case .failed: self.init(.internalError, hint: error.hint)
        }
    }

    init(_ refusal: SignInRefusal) {
        switch refusal {
        case .tokenReplayed:
            self.init(
                .tokenReplayed,
                hint: "the identity token was accepted before; each is good for one sign-in"
            )
        case .consentRevoked:
            self.init(
                .consentRevoked,
                hint: "Apple reported the end of consent after the identity token was issued"
            )
        case .nonceUsed:
            self.init(
                .nonceUsed,
                hint: "the nonce was used before; each is good for one sign-in"
            )
        }
    }
}
