import Foundation
import SignInWithApple

/// The paths of the pages.
enum WebPath {
    static let account = "/"
    static let signIn = "/sign-in"
    static let signInApple = "/sign-in/apple"
    static let signInApp = "/sign-in/app"
    static let appConfirmation = "/sign-in/app/confirm"
    static let signInPassword = "/sign-in/password"
    static let callback = "/sign-in/apple/callback"
    static let signOut = "/sign-out"
    static let newAccount = "/create-account"
    static let forgottenPassword = "/forgot-password"
    static let resetPassword = "/reset-password"
    static let verifyEmail = "/verify-email"
    static let undoChange = "/undo-change"
    static let confirmation = "/confirm"
    static let name = "/account/name"
    static let email = "/account/email"
    static let verification = "/account/email/verification"
    static let cancelEmailChange = "/account/email/cancel"
    static let password = "/account/password"
    static let passwordRemoval = "/account/password/remove"
    static let apple = "/account/apple"
    static let unlinkApple = "/account/apple/unlink"
    static let export = "/account/export"
    static let deletion = "/account/delete"
    static let endSession = "/account/sessions/{id}/end"
    static let endOtherSessions = "/account/sessions/end-others"
    static let assets = "/assets/{file}"
    /// The description of the JSON routes.
    static let interface = "/docs"
    /// The path at which password managers find the form: [the well-known URL](https://www.w3.org/TR/change-password-url/).
    static let changePassword = "/.well-known/change-password"
    /// The file that associates apps with the host; see ``AssociatedApps``.
    static let appAssociation = "/.well-known/apple-app-site-association"
    /// The public keys of access tokens.
    static let tokenKeys = "/.well-known/jwks.json"
    /// The server's metadata: [RFC 8414, section 3](https://www.rfc-editor.org/rfc/rfc8414#section-3).
    static let authorizationServer = "/.well-known/oauth-authorization-server"

    private static let strangers: Set<String> = [
        account, signIn, signOut, newAccount, forgottenPassword, resetPassword, verifyEmail,
        undoChange, confirmation, changePassword, interface,
    ]
    private static let plainCharacters = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
    )

    /// The parameter with the token of an emailed link.
    static let tokenParameter = "token"

    /// The page that confirms an email address, which an emailed link opens.
    static func verifyEmail(token: String) -> String {
        "\(verifyEmail)?\(tokenParameter)=\(encoded(token))"
    }

    /// The token of the emailed link to which a sign-in returns; nil for other paths.
    static func verificationToken(of path: String) -> String? {
        let prefix = verifyEmail(token: "")
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
    }

    /// The sign-in page that returns to a page of this server, with a notice if there is one.
    static func signIn(returningTo path: String, notice: Notice?) -> String {
        let address = address(signIn, returningTo: path)
        return notice.map { adding(Notice.parameter, $0.rawValue, to: address) } ?? address
    }

    /// The path that starts a sign-in with Apple and returns to a page of this server.
    static func signInApple(returningTo path: String) -> String {
        address(signInApple, returningTo: path)
    }

    /// The page to sign in again that returns to a page of this server.
    static func confirmation(returningTo path: String) -> String {
        address(confirmation, returningTo: path)
    }

    /// The parameter of a sign-in with Apple for a purpose other than a session.
    static let purposeParameter = "purpose"

    /// The path that reauthenticates with Apple and returns to a page of this server.
    static func confirmApple(returningTo path: String) -> String {
        signInApple(returningTo: path, for: .confirm)
    }

    private static func signInApple(
        returningTo path: String,
        for purpose: AppleRoutes.Purpose
    ) -> String {
        adding(purposeParameter, purpose.rawValue, to: signInApple(returningTo: path))
    }

    private static func adding(_ name: String, _ value: String, to address: String) -> String {
        "\(address)\(address.contains("?") ? "&" : "?")\(name)=\(value)"
    }

    /// The page on which the user confirms an app's request.
    static func appConfirmation(of id: String) -> String { appConfirmationPrefix + id }

    /// Returns the ID of the app's request that a path names; nil for other paths.
    static func appRequest(of path: String) -> String? {
        guard path.hasPrefix(appConfirmationPrefix) else { return nil }
        return String(path.dropFirst(appConfirmationPrefix.count))
    }

    /// The parameter of that page for a failed sign-in, which is then reported to the app.
    static let errorParameter = "error"

    private static let appConfirmationPrefix = "\(appConfirmation)?request="

    /// Whether a return path is that page.
    static func isAppConfirmation(_ path: String) -> Bool {
        appRequest(of: path) != nil
    }

    /// Returns the return path of a request; the account page when it is not a page to return to.
    static func returnPath(_ text: String?) -> String {
        ReturnPath.checked(text, isPage: isReturnPage)
    }

    /// Whether a sign-in may return to a path: a page that changes nothing without another press.
    static func isReturnPage(_ path: String) -> Bool {
        [account, apple, deletion, appConfirmation, verifyEmail]
            .contains(String(path.prefix { $0 != "?" && $0 != "#" }))
    }

    private static func address(_ address: String, returningTo path: String) -> String {
        path == account ? address : "\(address)?\(ReturnPath.parameter)=\(encoded(path))"
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plainCharacters) ?? ""
    }

    /// The path that links an Apple Account to the signed-in account.
    static var linkApple: String {
        signInApple(returningTo: Notice.appleLinked.accountPath, for: .link)
    }

    /// Whether errors under this path are shown as pages.
    static func isPage(_ path: String) -> Bool {
        strangers.contains(path) || path.hasPrefix("/account/")
            || path.hasPrefix("/sign-in/") && !path.hasPrefix(AndroidRoutes.path)
    }

    static func isAPI(_ path: String) -> Bool {
        path == "/api" || path.hasPrefix("/api/") || path.hasPrefix("/apple/")
            || path.hasPrefix("/health/")
    }
}
