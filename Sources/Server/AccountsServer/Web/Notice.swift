import Hummingbird

/// A message about what just happened; the set is fixed, so a URL cannot put text on a page.
enum Notice: String, CaseIterable, Sendable {
    case cancelled
    case signedOut = "signed-out"
    case sessionEnded = "session-ended"
    case deleted
    case passwordReset = "password-reset"
    case passwordChanged = "password-changed"
    case passwordRemoved = "password-removed"
    case changeUndone = "change-undone"
    case emailVerified = "email-verified"
    case linkSent = "link-sent"
    case emailChangeCancelled = "email-change-cancelled"
    case appleLinked = "apple-linked"
    case appleUnlinked = "apple-unlinked"
    case nameKept = "name-kept"

    static let parameter = "notice"

    /// The notice that a page's URL names.
    init?(of request: Request) {
        let name = request.uri.queryParameters[Self.parameter[...]]
        guard let name, let notice = Notice(rawValue: String(name)) else { return nil }
        self = notice
    }

    /// The path of the sign-in page with this notice.
    var path: String { WebPath.signIn(returningTo: WebPath.account, notice: self) }

    /// The path of the account page with this notice.
    var accountPath: String { "\(WebPath.account)?\(Self.parameter)=\(rawValue)" }
}
