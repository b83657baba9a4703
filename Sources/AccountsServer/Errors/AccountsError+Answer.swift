import Accounts
import HTTPTypes

extension AccountsError {
    /// Seconds after which a store that was busy is worth another request.
    private static let storeRetryAfter = 1

    /// The HTTP status that tells it.
    var status: HTTPResponse.Status { code.status }

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
        case .nameTooLong: "The name is longer than \(parameter("maximum")) characters."
        case .nameEmpty: "The name is empty."
        case .credentialsInvalid: "The username or the password is not right."
        case .tooManyAttempts: "Too many attempts. Please wait \(parameter("seconds")) seconds."
        case .usernameTaken: "Somebody else has this username."
        case .usernameInvalid: usernameMessage
        case .usernameRequired: "Please choose a username."
        case .passwordTooShort:
            "The password has fewer than \(parameter("minimum")) characters."
        case .passwordTooLong: "The password has more than \(parameter("maximum")) characters."
        case .passwordTooCommon: "Many people use this password. Please choose another one."
        case .passwordIsUsername: "The password is the username. Please choose another one."
        case .passwordTooObvious:
            "The password is the name, the e-mail address or its part before the @, or the name of "
                + "the app. Please choose another one."
        case .passwordBusy: "Many people are signing in right now. Please try again."
        case .accountExists:
            "There is an account with this e-mail address already. Sign in to it with its "
                + "password, then link Apple on the account page."
        case .appleAccountMismatch:
            "This Apple Account is not the one of the account that is signed in. Nothing has changed."
        case .appleLinkedElsewhere: "This Apple Account opens another account here."
        case .appleLinkExists: "The account is linked to another Apple Account."
        case .appleNotLinked: "The account is not linked to an Apple Account."
        case .lastWayIn: "Set a password first: Apple is the only way into this account."
        case .mailUnavailable: "This server sends no mail."
        case .emailInvalid: "This is not an e-mail address that a message can be sent to."
        case .appCodeInvalid:
            "This code has been used, is too old, or belongs to another app. Please sign in again."
        case .linkInvalid: "This link has been used, or is too old. Please ask for another one."
        case .storeUnavailable:
            "The server can't reach its data at the moment. Please try again."
        case .internalError: "The server has made a mistake."
        }
    }

    private func parameter(_ name: String) -> String { parameters[name] ?? "?" }

    private var usernameMessage: String {
        switch parameters["reason"].flatMap(Username.Mistake.init) {
        case .length:
            "A username has \(Username.scalarCounts.lowerBound) to "
                + "\(Username.scalarCounts.upperBound) characters."
        case .address: "The username has an @ and is not an e-mail address."
        case .confusable: "The username could be mistaken for another one."
        case .characters, nil:
            "A username has letters, digits, and . _ - + in between."
        }
    }

    /// After how many seconds the same request may succeed; nil when it won't.
    var retryAfter: Int? {
        code == .tooManyAttempts
            ? parameters["seconds"].flatMap { Int($0) } : isRetryable ? Self.storeRetryAfter : nil
    }
}

extension AccountsError.Code {
    /// The HTTP status that tells it.
    var status: HTTPResponse.Status {
        switch self {
        case .sessionInvalid, .tokenReplayed, .consentRevoked, .nonceUnknown, .nonceUsed,
            .nonceExpired, .credentialsInvalid:
            .unauthorized
        case .recentSignInRequired, .appleAccountMismatch: .forbidden
        case .sessionNotFound, .appleNotLinked: .notFound
        case .usernameTaken, .accountExists, .appleLinkedElsewhere, .appleLinkExists, .lastWayIn,
            .mailUnavailable:
            .conflict
        case .linkInvalid: .gone
        case .appCodeInvalid: .badRequest
        case .nonceRequired, .nameTooLong, .nameEmpty, .usernameInvalid, .usernameRequired,
            .passwordTooShort, .passwordTooLong, .passwordTooCommon, .passwordIsUsername,
            .passwordTooObvious, .emailInvalid:
            .unprocessableContent
        case .tooManyAttempts: .tooManyRequests
        case .storeUnavailable, .passwordBusy: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }
}
