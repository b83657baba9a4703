/// The addresses of the pages.
enum WebPath {
    static let account = "/"
    static let signIn = "/sign-in"
    static let signInApple = "/sign-in/apple"
    static let callback = "/sign-in/apple/callback"
    static let signOut = "/sign-out"
    static let name = "/account/name"
    static let deletion = "/account/delete"
    static let endSession = "/account/sessions/{id}/end"
    static let endOtherSessions = "/account/sessions/end-others"
    static let assets = "/assets/{file}"

    /// The address that begins a sign-in and ends on a page of our own.
    static func signInApple(returningTo path: String) -> String {
        "\(signInApple)?return_to=\(path)"
    }

    /// Whether errors under this path are for people.
    static func isPage(_ path: String) -> Bool {
        path == account || path == signIn || path == signOut || path.hasPrefix("/sign-in/")
            || path.hasPrefix("/account/")
    }

    static func isAPI(_ path: String) -> Bool {
        path == "/api" || path.hasPrefix("/api/") || path.hasPrefix("/apple/")
            || path.hasPrefix("/health/")
    }
}
