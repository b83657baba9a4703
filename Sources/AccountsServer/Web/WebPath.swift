import Foundation
import SignInWithApple

/// The addresses of the pages.
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
    static let confirmation = "/confirm"
    static let name = "/account/name"
    static let email = "/account/email"
    static let verification = "/account/email/verification"
    static let cancelEmailChange = "/account/email/cancel"
    static let password = "/account/password"
    static let unlinkApple = "/account/apple/unlink"
    static let export = "/account/export"
    static let deletion = "/account/delete"
    static let endSession = "/account/sessions/{id}/end"
    static let endOtherSessions = "/account/sessions/end-others"
    static let assets = "/assets/{file}"
    /// The description of the routes for programs.
    static let interface = "/docs"
    /// Where password managers find the form, by [the well-known address](https://www.w3.org/TR/change-password-url/).
    static let changePassword = "/.well-known/change-password"

    /// The account page at the part about Apple.
    static let applePart = "\(account)#apple"

    private static let strangers: Set<String> = [
        account, signIn, signOut, newAccount, forgottenPassword, resetPassword, verifyEmail,
        confirmation, changePassword, interface,
    ]
    private static let plainCharacters = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
    )

    /// The parameter that has the secret of a mail's link.
    static let tokenParameter = "token"

    /// The page that confirms an address, to which the link of a mail leads.
    static func verifyEmail(token: String) -> String {
        "\(verifyEmail)?\(tokenParameter)=\(encoded(token))"
    }

    /// The sign-in page that ends on a page of our own.
    static func signIn(returningTo path: String) -> String {
        address(signIn, returningTo: path)
    }

    /// The address that begins a sign-in and ends on a page of our own.
    static func signInApple(returningTo path: String) -> String {
        address(signInApple, returningTo: path)
    }

    /// The address that asks for a fresh sign-in and ends on a page of our own.
    static func confirmation(returningTo path: String) -> String {
        address(confirmation, returningTo: path)
    }

    /// The address that asks Apple who is signed in here, and ends on a page of our own.
    static func confirmApple(returningTo path: String) -> String {
        signInApple(returningTo: path, for: .confirm)
    }

    private static func signInApple(
        returningTo path: String,
        for purpose: AppleRoutes.Purpose
    ) -> String {
        let address = signInApple(returningTo: path)
        return address + (address.contains("?") ? "&" : "?") + "purpose=\(purpose.rawValue)"
    }

    /// The page on which a person confirms that an app may come back, for one request of it.
    static func appConfirmation(of id: String) -> String { appConfirmationPrefix + id }

    /// The request of an app that a path leads back to; nil when it leads elsewhere.
    static func appRequest(of path: String) -> String? {
        guard path.hasPrefix(appConfirmationPrefix) else { return nil }
        return String(path.dropFirst(appConfirmationPrefix.count))
    }

    /// The parameter of that page when the sign-in failed, and the app learns it.
    static let errorParameter = "error"

    private static let appConfirmationPrefix = "\(appConfirmation)?request="

    /// Whether a path that a person returns to is that page.
    static func isAppConfirmation(_ path: String) -> Bool {
        appRequest(of: path) != nil
    }

    /// The page that a request asks to return to; the account page for anything that is no page to return to.
    static func returnPath(_ text: String?) -> String {
        ReturnPath.checked(text, isPage: isReturnPage)
    }

    /// Whether a sign-in may end at a path: a page, on which only the person's next press begins or changes something.
    static func isReturnPage(_ path: String) -> Bool {
        [account, deletion, appConfirmation, verifyEmail]
            .contains(String(path.prefix { $0 != "?" && $0 != "#" }))
    }

    private static func address(_ address: String, returningTo path: String) -> String {
        path == account ? address : "\(address)?\(ReturnPath.parameter)=\(encoded(path))"
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plainCharacters) ?? ""
    }

    /// The address that links the signed-in account to Apple.
    static var linkApple: String {
        signInApple(returningTo: Notice.appleLinked.accountPath, for: .link)
    }

    /// Whether errors under this path are for people.
    static func isPage(_ path: String) -> Bool {
        strangers.contains(path) || path.hasPrefix("/sign-in/") || path.hasPrefix("/account/")
    }

    static func isAPI(_ path: String) -> Bool {
        path == "/api" || path.hasPrefix("/api/") || path.hasPrefix("/apple/")
            || path.hasPrefix("/health/")
    }
}
