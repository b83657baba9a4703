import AppleIdentity

extension SignInError {
    /// Tells why claims are refused.
    init(_ error: ClaimsError, otherKind: String = Self.notificationHint) {
        switch error {
        case .otherKind: self.init(.tokenWrongKind, hint: otherKind)
        case .unreadable(let error):
            self.init(.tokenMalformed, hint: "its payload is refused: \(error)")
        case .missing(let name):
            self.init(.tokenMalformed, hint: "its claim \(Excerpt.quoting(name)) is missing")
        case .wrongType(let name):
            self.init(
                .tokenMalformed,
                hint: "its claim \(Excerpt.quoting(name)) has the wrong type"
            )
        }
    }

    private static let notificationHint =
        "it is a server-to-server notification: it carries \"events\""

    /// Tells why the claims of a notification are refused.
    init(notification error: ClaimsError) {
        self.init(
            error,
            otherKind: "it carries no \"events\"; an identity token is no notification"
        )
    }
}
