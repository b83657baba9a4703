import AppleIdentity
import SignInWithApple

/// A refusal or failure: what happened, for programs.
///
/// How it is told to people, in which language and with which HTTP status, belongs to whoever answers them.
/// Two errors are equal when their codes are.
package struct AccountsError: Error, Sendable {
    /// A stable word for programs.
    package enum Code: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
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
        /// Nobody has the name, or the password is another.
        case credentialsInvalid = "credentials_invalid"
        /// Too much was tried; the parameter `seconds` says how long to wait.
        case tooManyAttempts = "too_many_attempts"
        /// Another account has the username.
        case usernameTaken = "username_taken"
        /// Nobody can have the username; the parameter `reason` says why.
        case usernameInvalid = "username_invalid"
        /// The account needs a username for its first password.
        case usernameRequired = "username_required"
        /// The password has too few characters; the parameter `minimum` says how many it needs.
        case passwordTooShort = "password_too_short"
        /// The password has too many characters; the parameter `maximum` says how many it may have.
        case passwordTooLong = "password_too_long"
        /// The password is one of those that are tried first.
        case passwordTooCommon = "password_too_common"
        case passwordIsUsername = "password_is_username"
        /// The password is the person's name, their address or its part before the `@`, or the app's name.
        case passwordTooObvious = "password_too_obvious"
        /// Too many passwords are being checked at this moment.
        case passwordBusy = "password_busy"
        /// An account with a password has the same address; Apple can be linked there.
        case accountExists = "account_exists"
        /// The Apple identity is not the one of the account that is signed in.
        case appleAccountMismatch = "apple_account_mismatch"
        /// The Apple identity opens another account.
        case appleLinkedElsewhere = "apple_linked_elsewhere"
        /// Another Apple identity opens the account.
        case appleLinkExists = "apple_link_exists"
        /// No Apple identity opens the account.
        case appleNotLinked = "apple_not_linked"
        /// The account could not be opened any more.
        case lastWayIn = "last_way_in"
        /// The server sends no mail.
        case mailUnavailable = "mail_unavailable"
        /// The text is not an e-mail address, or there is none to be proved.
        case emailInvalid = "email_invalid"
        /// The code that brought an app back opens nothing, or not for this app.
        case appCodeInvalid = "app_code_invalid"
        /// The link of a mail has been followed, or is too old.
        case linkInvalid = "link_invalid"
        /// The store can't answer or can't write at the moment.
        case storeUnavailable = "store_unavailable"
        /// Something that should never happen did.
        case internalError = "internal_error"

        /// The word itself.
        package var description: String { rawValue }
    }

    /// What happened.
    package let code: Code
    /// Values that a sentence about it may name.
    package let parameters: [String: String]
    /// What to look at, for the operator's log; never a secret.
    package let hint: String

    package init(_ code: Code, parameters: [String: String] = [:], hint: String) {
        self.code = code
        self.parameters = parameters
        self.hint = hint
    }

    /// Whether the same request may succeed later.
    package var isRetryable: Bool { code == .storeUnavailable || code == .passwordBusy }
}

extension AccountsError: Equatable {
    /// Compares the codes.
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
        hint: "the link of the mail was already used, has expired or was never sent"
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

    /// A client that was refused too often has to wait.
    package static func tooManyRefusals(seconds: Int) -> AccountsError {
        AccountsError(
            .tooManyAttempts,
            parameters: ["seconds": "\(seconds)"],
            hint:
                "too many requests of this client were refused; is a proxy missing in SIWA_TRUSTED_PROXIES?"
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
                hint: "Apple reported the end of consent after the identity token was issued"
            )
        case .nonceUsed:
            self.init(.nonceUsed, hint: "the nonce was already used; each is valid for one sign-in")
        case .accountExists:
            self.init(
                .accountExists,
                hint: "an account with a password has the same verified email address"
            )
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
            self.init(.lastWayIn, hint: "the account has no other sign-in method than Apple")
        case .usernameTaken: self.init(.usernameTaken, hint: "another account has the username")
        case .usernameMissing:
            self.init(.usernameRequired, hint: "the account has no username yet")
        case .credentialsInvalid: self = .credentialsInvalid
        case .linkInvalid: self = .linkInvalid
        case .wait(let seconds): self = .tooManyAttempts(seconds: seconds)
        }
    }
}
