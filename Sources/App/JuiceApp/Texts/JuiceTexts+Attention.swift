import SignInKit

extension JuiceTexts {
    /// Returns the texts of a screen that requires the user to act.
    ///
    /// - Parameter attention: the reason why the user must act.
    /// - Returns: a title, a sentence, and the label of the next step.
    public static func attention(
        _ attention: Attention
    ) -> (title: String, sentence: String, nextStep: String) {
        switch attention {
        case .transferred:
            (
                "Please sign in again",
                "\(appName) has a new owner. Sign in with Apple again to continue as before.",
                "Go to sign-in"
            )
        case .registrationPending:
            (
                "Almost done",
                "Apple has confirmed your identity, but the server has not responded yet. Your name is "
                    + "saved and will be sent again automatically.",
                "Try again now"
            )
        case .registrationUnsaved:
            (
                "Keep the app open",
                "Apple has confirmed your identity, but the server has not responded yet, and this device "
                    + "can't save your name; its storage may be full. The app retries both automatically.",
                "Try again now"
            )
        }
    }

    /// Returns the texts of a screen after the end of a session.
    ///
    /// - Parameter reason: why it ended.
    /// - Returns: a title, a sentence, and the label of the next step.
    public static func ended(
        _ reason: SignOutReason
    ) -> (title: String, sentence: String, nextStep: String) {
        let sentence =
            switch reason {
            case .revoked:
                "You stopped using Sign in with Apple for \(appName). Your data on this device is deleted."
            case .expired: "You haven't used the app for a long time."
            case .ended: "You were signed out from another device, or your account was deleted."
            case .byUser: "You signed out."
            case .deleted: "Your account is deleted."
            }
        return ("Your session has ended", sentence, "Go to sign-in")
    }
}
