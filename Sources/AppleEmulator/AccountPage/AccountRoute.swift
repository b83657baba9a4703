import HTTPTypes

/// The paths of the page that stands for the settings of an Apple Account.
package enum AccountRoute: String, CaseIterable, Sendable {
    /// Who is signed in and which apps use the account; without a session the form to sign in.
    case overview = "/account"
    case signIn = "/account/sign-in"
    case twoFactor = "/account/two-factor"
    case signOut = "/account/sign-out"
    /// What one group of apps knows about the person.
    case app = "/account/app"
    case stopUsing = "/account/stop-using"
    case forwarding = "/account/forwarding"
    case forwardTo = "/account/forward-to"
    case delete = "/account/delete"

    /// Whether it answers a plain visit.
    var isPage: Bool {
        switch self {
        case .overview, .app, .stopUsing, .delete: true
        case .signIn, .twoFactor, .signOut, .forwarding, .forwardTo: false
        }
    }

    /// Whether it takes a form.
    var takesForm: Bool {
        switch self {
        case .overview, .app: false
        case .signIn, .twoFactor, .signOut, .stopUsing, .forwarding, .forwardTo, .delete: true
        }
    }

    func answers(_ method: HTTPRequest.Method) -> Bool {
        switch method {
        case .get, .head: isPage
        case .post: takesForm
        default: false
        }
    }

    /// The methods for the `Allow` field.
    var allowed: String {
        [isPage ? "GET" : nil, takesForm ? "POST" : nil].compactMap(\.self).joined(separator: ", ")
    }

    /// The page of one app group.
    package func address(of group: String) -> String {
        rawValue + "?" + FormFields.encode([("client_id", group)])
    }
}
