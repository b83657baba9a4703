import Foundation

/// One defence: what is sent, what must come of it, why, and what to do about it.
package struct SignInCheck: Sendable {
    /// The topics of the list, in its order.
    package enum Topic: String, CaseIterable, Hashable, Sendable {
        case state = "State"
        case nonce = "Nonce"
        case claims = "Claims of the identity token"
        case signature = "Signature of the identity token"
        case code = "Authorization code and callback"
        case person = "Name and e-mail address"
        case browser = "Redirects and cookies"
        case notifications = "Notifications"
        case endings = "Keys and deletion"
    }

    package typealias Examination =
        @Sendable (CheckContext) async throws(CheckError) -> Finding

    /// A stable name, for reports.
    package let name: String
    package let topic: Topic
    /// What the check sends.
    package let attempt: String
    /// What must come of it.
    package let expectation: String
    /// What to do when it does not hold.
    package let fix: String
    /// The title and address of the rule.
    package let source: CheckSource
    let examine: Examination

    init(
        _ name: String,
        _ topic: Topic,
        attempt: String,
        expectation: String,
        fix: String,
        source: CheckSource,
        _ examine: @escaping Examination
    ) {
        self.name = name
        self.topic = topic
        self.attempt = attempt
        self.expectation = expectation
        self.fix = fix
        self.source = source
        self.examine = examine
    }

    /// Every check, in the order in which they are made: what ends accounts and sign-ins comes last.
    package static let all =
        state + nonces + claims + forgeries + codes + people + addresses + browsers
        + notifications + endings + rotation
}

/// A rule that somebody has written down.
package struct CheckSource: Hashable, Sendable {
    package let title: String
    package let address: String

    static let openIDConnect = CheckSource(
        title: "OpenID Connect Core 1.0, section 3.1.3.7",
        address: "https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation"
    )
    static let hybridFlow = CheckSource(
        title: "OpenID Connect Core 1.0, section 3.3.2.10",
        address: "https://openid.net/specs/openid-connect-core-1_0.html#HybridIDTValidation"
    )
    static let hybridRequest = CheckSource(
        title: "OpenID Connect Core 1.0, section 3.3.2.1",
        address: "https://openid.net/specs/openid-connect-core-1_0.html#HybridAuthRequest"
    )
    static let identifier = CheckSource(
        title: "OpenID Connect Core 1.0, section 5.7",
        address: "https://openid.net/specs/openid-connect-core-1_0.html#ClaimStability"
    )
    static let crossSite = CheckSource(
        title: "RFC 6749, section 10.12",
        address: "https://www.rfc-editor.org/rfc/rfc6749#section-10.12"
    )
    static let injection = CheckSource(
        title: "RFC 9700, section 4.5",
        address: "https://www.rfc-editor.org/rfc/rfc9700#section-4.5"
    )
    static let redirector = CheckSource(
        title: "RFC 9700, section 4.11",
        address: "https://www.rfc-editor.org/rfc/rfc9700#section-4.11"
    )
    static let tokens = CheckSource(
        title: "RFC 8725, section 3.1",
        address: "https://www.rfc-editor.org/rfc/rfc8725#section-3.1"
    )
    static let keys = CheckSource(
        title: "RFC 8725, section 3.10",
        address: "https://www.rfc-editor.org/rfc/rfc8725#section-3.10"
    )
    static let cookies = CheckSource(
        title: "OWASP Session Management Cheat Sheet",
        address:
            "https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html"
    )
    static let escaping = CheckSource(
        title: "OWASP Cross Site Scripting Prevention Cheat Sheet",
        address:
            "https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html"
    )
    static let verifying = CheckSource(
        title: "Apple, Verifying a user",
        address:
            "https://developer.apple.com/documentation/signinwithapple/verifying-a-user"
    )
    static let users = CheckSource(
        title: "Apple, Authenticating users with Sign in with Apple",
        address:
            "https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple"
    )
    static let changes = CheckSource(
        title: "Apple, Processing changes for Sign in with Apple accounts",
        address:
            "https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts"
    )
    static let deletion = CheckSource(
        title: "Apple, TN3194",
        address:
            "https://developer.apple.com/documentation/technotes/tn3194-handling-account-deletions-and-revoking-tokens-for-sign-in-with-apple"
    )
    static let keySet = CheckSource(
        title: "RFC 7517, section 5",
        address: "https://www.rfc-editor.org/rfc/rfc7517#section-5"
    )
    static let webKit = CheckSource(
        title: "WebKit bug 281149",
        address: "https://bugs.webkit.org/show_bug.cgi?id=281149"
    )
    static let web = CheckSource(
        title: "Apple, Configuring your webpage for Sign in with Apple",
        address:
            "https://developer.apple.com/documentation/signinwithapple/configuring-your-webpage-for-sign-in-with-apple"
    )
}
