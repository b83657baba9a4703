import Accounts
import HTTPTypes
import SignInWithApple

extension AccountsError: RefusalError {
    /// The time before a request that found the store busy should be repeated.
    private static let storeRetryAfter = Duration.seconds(1)

    package var status: HTTPResponse.Status { code.status }

    /// A sentence that any client may see.
    package var message: String {
        switch code {
        case .sessionInvalid: "You are not signed in."
        case .sessionNotFound: "This session does not exist."
        case .recentSignInRequired: "Please sign in again first."
        case .tokenReplayed, .nonceUsed:
            "This sign-in has already been used. Please sign in again."
        case .consentRevoked:
            "You have stopped using Sign in with Apple here. Please sign in again."
        case .nonceRequired: "The sign-in has no nonce."
        case .nonceUnknown: "This sign-in was not started here. Please sign in again."
        case .nonceExpired: "This sign-in took too long. Please sign in again."
        case .nameTooLong: "The name is longer than \(parameter("maximum")) characters."
        case .nameEmpty: "The name is empty."
        case .credentialsInvalid: "The username or password is incorrect."
        case .tooManyAttempts: "Too many attempts. Please wait \(parameter("seconds")) seconds."
        case .usernameTaken: "This username is already taken."
        case .usernameInvalid: usernameMessage
        case .usernameRequired: "Please choose a username."
        case .passwordTooShort:
            "The password needs at least \(parameter("minimum")) characters."
        case .passwordTooLong: "The password may have at most \(parameter("maximum")) characters."
        case .passwordTooCommon:
            "This password is too common and easy to guess. Please choose another."
        case .passwordIsUsername: "The password must not be your username."
        case .passwordTooObvious:
            "This password is easy to guess: it is your name, your email address or the part "
                + "before its @, or the name of this app. Please choose another."
        case .passwordBusy: "Many people are signing in at the moment. Please try again."
        case .accountExists:
            "There is already an account with your email address. Sign in to it and link your "
                + "Apple Account there."
        case .appleAccountMismatch:
            "This is not the Apple Account that your account is linked to. Nothing has changed."
        case .appleLinkedElsewhere: "This Apple Account is linked to another account here."
        case .appleLinkExists: "Your account is already linked to an Apple Account."
        case .appleNotLinked: "Your account is not linked to an Apple Account."
        case .lastWayIn: "This is your only sign-in method. Add another one first."
        case .mailUnavailable: "This server does not send email."
        case .emailInvalid: "This is not a valid email address."
        case .appCodeInvalid:
            "This code has already been used, has expired, or belongs to another app. Please sign in again."
        case .linkInvalid:
            "This link has already been used or has expired. Please request another one."
        case .storeUnavailable: "The service is temporarily unavailable. Please try again."
        case .internalError: "Something went wrong on the server."
        }
    }

    private func parameter(_ name: String) -> String { parameters[name] ?? "?" }

    private var usernameMessage: String {
        switch parameters["reason"].flatMap(Username.Mistake.init) {
        case .length:
            "A username has \(Username.scalarCounts.lowerBound) to "
                + "\(Username.scalarCounts.upperBound) characters."
        case .address: "The username contains an @ but is not a valid email address."
        case .confusable: "This username could be mistaken for another one."
        case .characters, nil:
            "A username can contain letters and digits, with . _ - + in between."
        }
    }

    /// The time after which the same request may succeed; nil when it cannot.
    package var retryAfter: Duration? {
        code == .tooManyAttempts
            ? parameters["seconds"].flatMap { Int($0) }.map { .seconds($0) }
            : isRetryable ? Self.storeRetryAfter : nil
    }
}

extension AccountsError.Code {
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
