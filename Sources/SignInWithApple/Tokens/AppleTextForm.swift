/// What Apple's codes and tokens are recognized by: a letter, 32 hexadecimal digits and a dot.
///
/// The form is observed, not documented: nothing is refused by it, and nobody signed out.
enum AppleTextForm {
    case code
    case accessToken
    case refreshToken
    case identityToken

    init?(_ text: String) {
        if text.hasPrefix("eyJ") {
            self = .identityToken
            return
        }
        guard text.prefixMatch(of: /[acr][0-9a-f]{32}\./) != nil else { return nil }
        switch text.first {
        case "c": self = .code
        case "a": self = .accessToken
        default: self = .refreshToken
        }
    }

    var name: String {
        switch self {
        case .code: "an authorization code"
        case .accessToken: "an access token"
        case .refreshToken: "a refresh token"
        case .identityToken: "an identity token"
        }
    }
}
