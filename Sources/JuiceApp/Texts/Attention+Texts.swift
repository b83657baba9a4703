import SignInKit

extension JuiceTexts {
    /// What happened, for a screen that asks the person to act.
    ///
    /// - Parameter attention: what happened.
    /// - Returns: a title, a sentence, and the label of the next step.
    public static func attention(
        _ attention: Attention
    ) -> (title: String, sentence: String, nextStep: String) {
        switch attention {
        case .revoked:
            (
                "Signed out",
                "You stopped using Sign in with Apple for \(appName). What the device knew about you is "
                    + "forgotten.",
                "Go to sign-in"
            )
        case .transferred:
            (
                "One more sign-in",
                "\(appName) has a new owner. Sign in with Apple once more, and everything is as before.",
                "Go to sign-in"
            )
        case .anotherPerson:
            (
                "Another Apple Account",
                "Somebody else signed in with Apple on this device. Nobody sees the other's account.",
                "Go to sign-in"
            )
        case .sessionEnded:
            (
                "Your session has ended",
                "It was ended from another device, or it has not been used for a long time.",
                "Go to sign-in"
            )
        case .registrationPending:
            (
                "Almost done",
                "Apple has confirmed who you are, but the server has not answered yet. Your name is "
                    + "kept, and sent again by itself.",
                "Try again now"
            )
        case .registrationUnsaved:
            (
                "Leave the app open",
                "Apple has confirmed who you are, but the server has not answered yet, and this device "
                    + "can't keep your name: it may be full. Both are tried again by themselves.",
                "Try again now"
            )
        }
    }
}
