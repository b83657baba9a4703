extension SignInKitError.Kind {
    /// A stable word.
    var code: String {
        switch self {
        case .canceled: "canceled"
        case .unknown: "unknown"
        case .noCredential: "no_credential"
        case .noWindow: "no_window"
        case .invalidResponse: "invalid_response"
        case .notHandled: "not_handled"
        case .failed: "failed"
        case .notInteractive: "not_interactive"
        case .preferSignInWithApple: "prefer_sign_in_with_apple"
        case .serverUnreachable: "server_unreachable"
        case .serverUnavailable: "server_unavailable"
        case .refused(let code): code
        case .insecureServer: "insecure_server"
        case .credentialsLocked: "credentials_locked"
        case .credentialsUnavailable: "credentials_unavailable"
        case .notSignedIn: "not_signed_in"
        case .revoked: "revoked"
        case .transferred: "transferred"
        case .anotherPerson: "another_person"
        case .freshSignInRequired: "fresh_sign_in_required"
        case .alreadySigningIn: "already_signing_in"
        case .registrationPending: "registration_pending"
        case .registrationUnsaved: "registration_unsaved"
        case .registrationExpired: "registration_expired"
        case .unexpectedAnswer: "unexpected_answer"
        }
    }

    /// A sentence for people, in English; apps in other languages have their own by the code.
    var message: String {
        switch self {
        case .canceled: "The sign-in was cancelled."
        case .unknown: "This device could not sign in with Apple. Please try again."
        case .noCredential: "Nothing to sign in with is stored on this device."
        case .noWindow: "The sign-in can't be shown at the moment. Please try again."
        case .invalidResponse: "The answer could not be used. Please try again."
        case .notHandled: "This device can't sign in with Apple."
        case .failed: "The sign-in failed. Please try again."
        case .notInteractive: "Open the app to sign in."
        case .preferSignInWithApple: "Please sign in with Apple."
        case .serverUnreachable: "The server can't be reached. Check the connection and try again."
        case .serverUnavailable: "The server can't answer at the moment. Please try again later."
        case .refused: "The server refused the request."
        case .insecureServer: "The app is set up with an address that is not secure."
        case .credentialsLocked: "Unlock the device and try again."
        case .credentialsUnavailable: "The sign-in can't be kept on this device."
        case .notSignedIn: "You are not signed in."
        case .revoked: "You have stopped using Sign in with Apple here. Please sign in again."
        case .transferred: "The app has a new owner. Please sign in once more."
        case .anotherPerson: "This device is signed in to another Apple Account."
        case .freshSignInRequired: "Please sign in again first."
        case .alreadySigningIn: "A sign-in is under way already."
        case .registrationPending:
            "Your sign-in is kept and will be finished when the server can be reached."
        case .registrationUnsaved:
            "The server can't be reached, and this device can't keep your sign-in. Leave the app open "
                + "until it is done."
        case .registrationExpired: "Please sign in with Apple once more. Your name is kept."
        case .unexpectedAnswer: "The server's answer could not be read. Is the app up to date?"
        }
    }
}
