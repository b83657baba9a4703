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
        case .busy: "busy"
        case .registrationPending: "registration_pending"
        case .registrationUnsaved: "registration_unsaved"
        case .registrationExpired: "registration_expired"
        case .unexpectedAnswer: "unexpected_answer"
        }
    }

    /// A message for the user in English; apps in other languages translate by the code.
    var message: String {
        switch self {
        case .canceled: "The sign-in was cancelled."
        case .unknown: "This device could not sign in with Apple. Please try again."
        case .noCredential: "No saved credentials on this device."
        case .noWindow: "The sign-in sheet can't be shown right now. Please try again."
        case .invalidResponse: "The response was invalid. Please try again."
        case .notHandled: "This device can't sign in with Apple."
        case .failed: "The sign-in failed. Please try again."
        case .notInteractive: "Open the app to sign in."
        case .preferSignInWithApple: "Please sign in with Apple."
        case .serverUnreachable: "The server can't be reached. Check the connection and try again."
        case .serverUnavailable: "The server is temporarily unavailable. Please try again later."
        case .refused: "The server refused the request."
        case .insecureServer: "The app is configured with an insecure server URL."
        case .credentialsLocked: "Unlock the device and try again."
        case .credentialsUnavailable: "The sign-in can't be saved on this device."
        case .notSignedIn: "You are not signed in."
        case .revoked: "You have stopped using Sign in with Apple here. Please sign in again."
        case .transferred: "The app has a new owner. Please sign in again."
        case .anotherPerson: "This device is signed in to another Apple Account."
        case .freshSignInRequired: "Please sign in again first."
        case .alreadySigningIn: "A sign-in is already in progress."
        case .busy: "Please wait until the current step is done."
        case .registrationPending:
            "Your sign-in is saved and will be completed when the server can be reached."
        case .registrationUnsaved:
            "The server can't be reached, and this device can't save your sign-in. Keep the app open "
                + "until it is done."
        case .registrationExpired: "Please sign in with Apple again. Your name is saved."
        case .unexpectedAnswer: "The server's response could not be read. Please update the app."
        }
    }
}
