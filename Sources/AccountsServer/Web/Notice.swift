/// A word on the sign-in page about what just happened; a fixed choice, never text from the address.
enum Notice: String, Sendable {
    case cancelled
    case signedOut = "signed-out"
    case deleted

    var text: String {
        switch self {
        case .cancelled: "No problem, nothing was shared. You can sign in whenever you like."
        case .signedOut: "You are signed out."
        case .deleted: "Your account has been deleted."
        }
    }
}
