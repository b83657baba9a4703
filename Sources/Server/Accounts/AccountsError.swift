import AppleIdentity
import SignInWithApple

/// A refusal or failure: rules return it, and a response carries its code and its parameters.
///
/// The caller chooses the message, its language and the HTTP status of the response.
package struct AccountsError: Error, Hashable, Sendable {
    /// A stable code for programs.
    package enum Code: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
        case sessionInvalid = "session_invalid"
        case sessionNotFound = "session_not_found"
        case recentSignInRequired = "recent_sign_in_required"
        case tokenReplayed = "token_replayed"
        /// The user's consent ended after the identity token was issued: at Apple, or by a deletion or an unlinking here.
        case consentRevoked = "consent_revoked"
        case nonceRequired = "nonce_required"
        case nonceUnknown = "nonce_unknown"
        case nonceUsed = "nonce_used"
        case nonceExpired = "nonce_expired"
        /// The name is too long; the parameter `maximum` is its maximum length in characters.
        case nameTooLong = "name_too_long"
        case nameEmpty = "name_empty"
        case credentialsInvalid = "credentials_invalid"
        /// There were too many attempts; the parameter `seconds` is the time to wait.
        case tooManyAttempts = "too_many_attempts"
        case usernameTaken = "username_taken"
        /// The username is not allowed; the parameter `reason` says why.
        case usernameInvalid = "username_invalid"
        case usernameRequired = "username_required"
        /// The password is too short; the parameter `minimum` is its minimum length in characters.
        case passwordTooShort = "password_too_short"
        /// The password is too long; the parameter `maximum` is its maximum length in characters.
        case passwordTooLong = "password_too_long"
        case passwordTooCommon = "password_too_common"
        case passwordIsUsername = "password_is_username"
        case passwordTooObvious = "password_too_obvious"
        case passwordBusy = "password_busy"
        /// An account with a password has the same email address; Apple can be linked to that account.
        case accountExists = "account_exists"
        case appleAccountMismatch = "apple_account_mismatch"
        /// The Apple identity is linked to another account.
        case appleLinkedElsewhere = "apple_linked_elsewhere"
        case appleLinkExists = "apple_link_exists"
        case appleNotLinked = "apple_not_linked"
        case lastWayIn = "last_way_in"
        case mailUnavailable = "mail_unavailable"
        case emailInvalid = "email_invalid"
        case appCodeInvalid = "app_code_invalid"
        case linkInvalid = "link_invalid"
        case storeUnavailable = "store_unavailable"
        case internalError = "internal_error"

        package var description: String { rawValue }
    }

    package let code: Code
    /// Values for a message about it.
    package let parameters: [String: String]
    /// A hint for the operator's log; never a secret.
    package let hint: String
    /// The account that a refused sign-in concerns, for the audit log only.
    package let account: AccountID?

    package init(
        _ code: Code,
        parameters: [String: String] = [:],
        hint: String,
        account: AccountID? = nil
    ) {
        self.code = code
        self.parameters = parameters
        self.hint = hint
        self.account = account
    }

    /// Whether the same request may succeed later.
    package var isRetryable: Bool { code == .storeUnavailable || code == .passwordBusy }
}

extension AccountsError {
    package static let sessionInvalid = Self(
        .sessionInvalid,
        hint: "the token has no active session: it ended, expired, was deleted or never existed"
    )
    package static let recentSignInRequired = Self(
        .recentSignInRequired,
        hint: "the session's sign-in is older than the limit for this step"
    )
    package static let tokenReplayed = Self(
        .tokenReplayed,
        hint: "the identity token was already used; each is valid for one sign-in"
    )
    package static let consentRevoked = Self(
        .consentRevoked,
        hint: "consent ended, or the account was deleted or unlinked, after the token was issued"
    )
    package static let nonceUsed = Self(
        .nonceUsed,
        hint: "the nonce was already used; each is valid for one sign-in"
    )
    package static let credentialsInvalid = Self(
        .credentialsInvalid,
        hint: "unknown username or wrong password"
    )
    package static let usernameTaken = Self(
        .usernameTaken,
        hint: "another account has the username"
    )
    package static let usernameRequired = Self(
        .usernameRequired,
        hint: "the account has no username yet"
    )
    package static let appleAccountMismatch = Self(
        .appleAccountMismatch,
        hint: "the Apple identity is not linked to the signed-in account"
    )
    package static let appleLinkedElsewhere = Self(
        .appleLinkedElsewhere,
        hint: "another account is linked to the Apple identity"
    )
    package static let appleLinkExists = Self(
        .appleLinkExists,
        hint: "the account is linked to another Apple identity"
    )
    package static let appleNotLinked = Self(
        .appleNotLinked,
        hint: "the account is not linked to an Apple identity"
    )
    package static let lastWayIn = Self(
        .lastWayIn,
        hint: "the account has no other active sign-in method"
    )
    package static let linkInvalid = Self(
        .linkInvalid,
        hint: "the link in the email was already used, has expired or was never sent"
    )
    static let mailUnavailable = AccountsError(.mailUnavailable, hint: "SIWA_SMTP_URL is not set")

    /// The refusal of a new account, because this one has a password and the same verified email address.
    package static func accountExists(_ account: AccountID) -> AccountsError {
        AccountsError(
            .accountExists,
            hint: "an account with a password has the same verified email address",
            account: account
        )
    }

    static func nameTooLong(hint: String) -> AccountsError {
        let maximum = "\(PersonName.maximumCharacterCount)"
        return AccountsError(.nameTooLong, parameters: ["maximum": maximum], hint: hint)
    }

    package static func appCodeInvalid(_ refusal: AppCodeRefusal) -> AccountsError {
        AccountsError(
            .appCodeInvalid,
            hint: "the app's code was refused and is no longer valid: \(refusal.rawValue)"
        )
    }

    static func emailInvalid(hint: String) -> AccountsError {
        AccountsError(.emailInvalid, hint: hint)
    }

    package static func tooManyAttempts(
        seconds: Int,
        hint: String = "attempts for this account or from this IP address are throttled"
    ) -> AccountsError {
        AccountsError(.tooManyAttempts, parameters: ["seconds": "\(seconds)"], hint: hint)
    }

    /// The refusal of a client that was refused too often.
    package static func tooManyRefusals(seconds: Int) -> AccountsError {
        let hint =
            "too many requests from this client were refused; is a proxy missing from SIWA_TRUSTED_PROXIES?"
        return .tooManyAttempts(seconds: seconds, hint: hint)
    }

    /// The refusal of an account or a service that makes too many successful requests.
    package static func tooManyRequests(seconds: Int) -> AccountsError {
        let hint = "this account or service makes more of these requests than its limit"
        return .tooManyAttempts(seconds: seconds, hint: hint)
    }

    init(_ error: AccountStoreError) {
        switch error.kind {
        case .unavailable, .outcomeUnknown: self.init(.storeUnavailable, hint: error.hint)
        case .failed: self.init(.internalError, hint: error.hint)
        }
    }
}
