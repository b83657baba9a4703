import AppleIdentity
import SignInWithApple

/// A refusal or failure, for programs.
///
/// The caller chooses the message, its language and the HTTP status of the response.
/// Two errors with the same code are equal.
package struct AccountsError: Error, Sendable {
    /// A stable code for programs.
    package enum Code: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
        /// The token has no active session.
        case sessionInvalid = "session_invalid"
        /// The account has no active session with that identifier.
        case sessionNotFound = "session_not_found"
        /// The operation requires a recent sign-in.
        case recentSignInRequired = "recent_sign_in_required"
        /// The identity token was already used.
        case tokenReplayed = "token_replayed"
        /// The user's consent ended after the identity token was issued: at Apple, or by a deletion or an unlinking here.
        case consentRevoked = "consent_revoked"
        /// The server requires a nonce and the request has none.
        case nonceRequired = "nonce_required"
        /// The server did not issue the nonce.
        case nonceUnknown = "nonce_unknown"
        /// The nonce was already used.
        case nonceUsed = "nonce_used"
        /// The nonce has expired.
        case nonceExpired = "nonce_expired"
        /// The name is too long; the parameter `maximum` is its maximum length in characters.
        case nameTooLong = "name_too_long"
        /// The name has no visible characters.
        case nameEmpty = "name_empty"
        /// The username is unknown or the password is wrong.
        case credentialsInvalid = "credentials_invalid"
        /// There were too many attempts; the parameter `seconds` is the time to wait.
        case tooManyAttempts = "too_many_attempts"
        /// Another account has the username.
        case usernameTaken = "username_taken"
        /// The username is not allowed; the parameter `reason` says why.
        case usernameInvalid = "username_invalid"
        /// The account needs a username together with its first password.
        case usernameRequired = "username_required"
        /// The password is too short; the parameter `minimum` is its minimum length in characters.
        case passwordTooShort = "password_too_short"
        /// The password is too long; the parameter `maximum` is its maximum length in characters.
        case passwordTooLong = "password_too_long"
        /// The password is one of the most common ones.
        case passwordTooCommon = "password_too_common"
        case passwordIsUsername = "password_is_username"
        /// The password is the user's name, their email address or its part before the `@`, or the app's name.
        case passwordTooObvious = "password_too_obvious"
        /// Too many passwords are being checked at the moment.
        case passwordBusy = "password_busy"
        /// An account with a password has the same email address; Apple can be linked to that account.
        case accountExists = "account_exists"
        /// The Apple identity is not linked to the signed-in account.
        case appleAccountMismatch = "apple_account_mismatch"
        /// The Apple identity is linked to another account.
        case appleLinkedElsewhere = "apple_linked_elsewhere"
        /// The account is linked to another Apple identity.
        case appleLinkExists = "apple_link_exists"
        /// The account is not linked to an Apple identity.
        case appleNotLinked = "apple_not_linked"
        /// The account would have no sign-in method left.
        case lastWayIn = "last_way_in"
        /// The server cannot send mail.
        case mailUnavailable = "mail_unavailable"
        /// The string is not an email address, or no email address is unverified.
        case emailInvalid = "email_invalid"
        /// The app's code is not valid, or not for this app.
        case appCodeInvalid = "app_code_invalid"
        /// The link in an email was already used or has expired.
        case linkInvalid = "link_invalid"
        /// The store cannot be reached or written to at the moment.
        case storeUnavailable = "store_unavailable"
        /// Something happened that should never happen.
        case internalError = "internal_error"

        package var description: String { rawValue }
    }

    package let code: Code
    /// Values for a message about it.
    package let parameters: [String: String]
    /// A hint for the operator's log; never a secret.
    package let hint: String
    /// The account that a refused sign-in concerns, for the audit log only.
    package private(set) var account: AccountID?

    package init(_ code: Code, parameters: [String: String] = [:], hint: String) {
        self.code = code
        self.parameters = parameters
        self.hint = hint
    }

    /// Whether the same request may succeed later.
    package var isRetryable: Bool { code == .storeUnavailable || code == .passwordBusy }
}

extension AccountsError: Equatable {
    package static func == (first: AccountsError, second: AccountsError) -> Bool {
        first.code == second.code
    }
}

extension AccountsError {
    static let sessionInvalid = AccountsError(
        .sessionInvalid,
        hint: "the token has no active session: it ended, expired, was deleted or never existed"
    )

    static func nameTooLong(hint: String) -> AccountsError {
        AccountsError(
            .nameTooLong,
            parameters: ["maximum": "\(PersonName.maximumCharacterCount)"],
            hint: hint
        )
    }

    static let credentialsInvalid = AccountsError(
        .credentialsInvalid,
        hint: "unknown username or wrong password"
    )

    static let mailUnavailable = AccountsError(.mailUnavailable, hint: "SIWA_SMTP_URL is not set")

    static let linkInvalid = AccountsError(
        .linkInvalid,
        hint: "the link in the email was already used, has expired or was never sent"
    )

    static func appCodeInvalid(_ refusal: AppCodeRefusal) -> AccountsError {
        AccountsError(
            .appCodeInvalid,
            hint: "the app's code was refused and is no longer valid: \(refusal.rawValue)"
        )
    }

    static func emailInvalid(hint: String) -> AccountsError {
        AccountsError(.emailInvalid, hint: hint)
    }

    static func tooManyAttempts(seconds: Int) -> AccountsError {
        AccountsError(
            .tooManyAttempts,
            parameters: ["seconds": "\(seconds)"],
            hint: "attempts for this account or from this IP address are throttled"
        )
    }

    /// The refusal of a client that was refused too often.
    package static func tooManyRefusals(seconds: Int) -> AccountsError {
        AccountsError(
            .tooManyAttempts,
            parameters: ["seconds": "\(seconds)"],
            hint:
                "too many requests from this client were refused; is a proxy missing from SIWA_TRUSTED_PROXIES?"
        )
    }

    /// The refusal of an account or a service that makes too many successful requests.
    package static func tooManyRequests(seconds: Int) -> AccountsError {
        AccountsError(
            .tooManyAttempts,
            parameters: ["seconds": "\(seconds)"],
            hint: "this account or service makes more of these requests than its limit"
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
                hint: "the identity token was already used; each is valid for one sign-in"
            )
        case .consentRevoked:
            self.init(
                .consentRevoked,
                hint:
                    "consent ended, or the account was deleted or unlinked, after the token was issued"
            )
        case .nonceUsed:
            self.init(.nonceUsed, hint: "the nonce was already used; each is valid for one sign-in")
        case .accountExists(let account):
            self.init(
                .accountExists,
                hint: "an account with a password has the same verified email address"
            )
            self.account = account
        case .otherAccount:
            self.init(
                .appleAccountMismatch,
                hint: "the Apple identity is not linked to the signed-in account"
            )
        }
    }

    init(_ refusal: AccountChangeRefusal) {
        switch refusal {
        case .sessionEnded: self = .sessionInvalid
        case .signInTooOld:
            self.init(
                .recentSignInRequired,
                hint: "the session's sign-in is older than the limit for this step"
            )
        case .signIn(let refusal): self.init(refusal)
        case .linkedElsewhere:
            self.init(
                .appleLinkedElsewhere,
                hint: "another account is linked to the Apple identity"
            )
        case .linkExists:
            self.init(.appleLinkExists, hint: "the account is linked to another Apple identity")
        case .notLinked:
            self.init(.appleNotLinked, hint: "the account is not linked to an Apple identity")
        case .lastWayIn:
            self.init(.lastWayIn, hint: "the account has no other active sign-in method")
        case .usernameTaken: self.init(.usernameTaken, hint: "another account has the username")
        case .usernameMissing:
            self.init(.usernameRequired, hint: "the account has no username yet")
        case .credentialsInvalid: self = .credentialsInvalid
        case .linkInvalid: self = .linkInvalid
        case .wait(let seconds): self = .tooManyAttempts(seconds: seconds)
        }
    }
}
