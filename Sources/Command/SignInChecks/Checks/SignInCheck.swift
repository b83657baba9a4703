import Foundation

/// A check of one defence: the attempt, the expected result, the fix, and the source of the rule.
package struct SignInCheck: Sendable {
    package enum Topic: String, CaseIterable, Hashable, Sendable {
        case state = "State"
        case nonce = "Nonce"
        case api = "Tokens that apps and popups post"
        case claims = "Claims of the identity token"
        case signature = "Signature of the identity token"
        case code = "Authorization code and callback"
        case person = "Name and email address"
        case browser = "Redirects and cookies"
        case interface = "Android apps and other origins"
        case notifications = "Notifications"
        case endings = "Keys and deletion"

        /// The checks in order.
        package var checks: [SignInCheck] {
            switch self {
            case .state: SignInCheck.state
            case .nonce: SignInCheck.nonces
            case .claims: SignInCheck.claims
            case .signature: SignInCheck.forgeries
            case .code: SignInCheck.codes
            case .person: SignInCheck.people + SignInCheck.addresses
            case .browser: SignInCheck.browsers
            case .interface: SignInCheck.interfaces
            case .api: SignInCheck.posted
            case .notifications: SignInCheck.notifications
            case .endings: SignInCheck.endings + SignInCheck.rotation
            }
        }
    }

    typealias Examination = @Sendable (CheckContext) async throws(CheckError) -> Finding
    typealias APIExamination = @Sendable (APIContext) async throws(CheckError) -> Finding

    /// What a check examines.
    enum Subject {
        /// The sign-in in a browser.
        case web(Examination)
        /// The API to which apps and popups post tokens.
        case api(APIExamination)
    }

    package let name: String
    package let attempt: String
    package let expectation: String
    package let fix: String
    package let source: CheckSource
    let subject: Subject

    init(
        name: String,
        attempt: String,
        expectation: String,
        fix: String,
        source: CheckSource,
        examine: @escaping Examination
    ) {
        (self.name, self.attempt, self.expectation) = (name, attempt, expectation)
        (self.fix, self.source, subject) = (fix, source, .web(examine))
    }

    init(
        name: String,
        attempt: String,
        expectation: String,
        fix: String,
        source: CheckSource,
        api examine: @escaping APIExamination
    ) {
        (self.name, self.attempt, self.expectation) = (name, attempt, expectation)
        (self.fix, self.source, subject) = (fix, source, .api(examine))
    }

    /// Examines the sign-in in a browser.
    func examine(_ context: CheckContext) async throws(CheckError) -> Finding {
        guard case .web(let examine) = subject else { return .notExamined("it is for APIs") }
        return try await examine(context)
    }

    /// Every check in order; those that delete accounts or may break later sign-ins are last.
    package static let all = Topic.allCases.flatMap(\.checks)

    /// The title of the topic that has this check.
    var topic: String {
        Topic.allCases.first { $0.checks.contains { $0.name == name } }?.rawValue ?? ""
    }
}

/// A published rule.
package struct CheckSource: Hashable, Sendable {
    package let title: String
    package let address: String

    static let openIDConnect = openID("3.1.3.7", "IDTokenValidation")
    static let hybridFlow = openID("3.3.2.10", "HybridIDTValidation")
    static let hybridRequest = openID("3.3.2.1", "HybridAuthRequest")
    static let identifier = openID("5.7", "ClaimStability")
    static let crossSite = rfc(6749, "10.12")
    static let injection = rfc(9700, "4.5")
    static let redirector = rfc(9700, "4.11")
    static let tokens = rfc(8725, "3.1")
    static let keySet = rfc(7517, "5")
    static let sharing = CheckSource(
        title: "Fetch, section 3.3",
        address: "https://fetch.spec.whatwg.org/#http-cors-protocol"
    )
    static let cookies = owasp("Session Management")
    static let escaping = owasp("Cross Site Scripting Prevention")
    static let verifying = apple("Verifying a user")
    static let users = apple("Authenticating users with Sign in with Apple")
    static let changes = apple("Processing changes for Sign in with Apple accounts")
    static let web = apple("Configuring your webpage for Sign in with Apple")
    static let deletion = CheckSource(
        title: "Apple, TN3194",
        address:
            "https://developer.apple.com/documentation/technotes/tn3194-handling-account-deletions-and-revoking-tokens-for-sign-in-with-apple"
    )
    static let webKit = CheckSource(
        title: "WebKit bug 281149",
        address: "https://bugs.webkit.org/show_bug.cgi?id=281149"
    )

    private static func openID(_ section: String, _ anchor: String) -> CheckSource {
        let title = "OpenID Connect Core 1.0, section \(section)"
        let page = "https://openid.net/specs/openid-connect-core-1_0.html"
        return CheckSource(title: title, address: "\(page)#\(anchor)")
    }

    private static func rfc(_ number: Int, _ section: String) -> CheckSource {
        let address = "https://www.rfc-editor.org/rfc/rfc\(number)#section-\(section)"
        return CheckSource(title: "RFC \(number), section \(section)", address: address)
    }

    private static func owasp(_ topic: String) -> CheckSource {
        let page = topic.replacing(" ", with: "_") + "_Cheat_Sheet.html"
        let address = "https://cheatsheetseries.owasp.org/cheatsheets/\(page)"
        return CheckSource(title: "OWASP \(topic) Cheat Sheet", address: address)
    }

    private static func apple(_ title: String) -> CheckSource {
        let page = title.lowercased().replacing(" ", with: "-")
        let address = "https://developer.apple.com/documentation/signinwithapple/\(page)"
        return CheckSource(title: "Apple, \(title)", address: address)
    }
}
