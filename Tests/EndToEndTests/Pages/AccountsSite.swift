import Foundation

/// The accounts server's pages as a person meets them.
struct AccountsSite: Sendable {
    let browser: Browser
    let url: URL

    /// Opens the first page and presses the Apple button.
    func startSignIn() async throws {
        try await browser.open(url.appending(path: "sign-in"))
        try await appleButton().press()
    }

    /// The Apple button of the sign-in page.
    func appleButton() async throws -> Element {
        try await browser.element("//a[contains(@href, '/sign-in/apple')]")
    }

    /// Waits for the account page.
    func waitForAccountPage() async throws {
        try await waitForPath("/")
    }

    /// Waits for the sign-in page.
    func waitForSignInPage() async throws {
        try await waitForPath("/sign-in")
    }

    /// Whether the browser keeps a session of this site.
    func hasSession() async throws -> Bool {
        try await browser.cookieNames().contains("siwa-session")
    }

    /// Presses the button or link that has these words in any case.
    func press(_ words: String) async throws {
        let text =
            "translate(normalize-space(.), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"
        let path = "//*[self::button or self::a or self::summary][contains(\(text), '\(words)')]"
        try await browser.element(path).press()
    }

    private func waitForPath(_ path: String) async throws {
        try await waitUntil("the browser shall come to \(url)\(path)") {
            let address = try await browser.address()
            let isThere =
                address.host() == url.host() && address.port == url.port
                && (address.path().isEmpty ? "/" : address.path()) == path
            return isThere ? () : nil
        }
    }
}
