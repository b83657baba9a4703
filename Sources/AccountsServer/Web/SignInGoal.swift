/// Where a sign-in leads; a fixed choice, so that nobody can make it lead elsewhere.
enum SignInGoal: String, Codable, Sendable {
    case account
    case deletion

    /// The page behind the sign-in.
    var path: String {
        switch self {
        case .account: WebPath.account
        case .deletion: WebPath.deletion
        }
    }

    /// The address that begins a sign-in with this goal.
    var signInPath: String {
        self == .account ? WebPath.signInApple : "\(WebPath.signInApple)?goal=\(rawValue)"
    }
}
