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

    /// How it can be asked: for its page, with a form, or either way.
    private var methods: [HTTPRequest.Method] {
        switch self {
        case .overview, .app: [.get]
        case .stopUsing, .delete: [.get, .post]
        case .signIn, .twoFactor, .signOut, .forwarding, .forwardTo: [.post]
        }
    }

    func answers(_ method: HTTPRequest.Method) -> Bool {
        methods.contains(method == .head ? .get : method)
    }

    /// The methods for the `Allow` field.
    var allowed: String { methods.map(\.rawValue).joined(separator: ", ") }

    /// The page of one app group.
    package func address(of group: String) -> String {
        rawValue + "?" + FormFields.encode([("client_id", group)])
    }
}
