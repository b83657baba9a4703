import AppleIdentity

/// One element of the page that a browser shows.
struct Element: Sendable {
    let id: String
    let browser: Browser

    /// Presses it.
    func press() async throws {
        _ = try await browser.command("POST", "/element/\(id)/click")
    }

    /// Types into it, in place of what is there.
    func type(_ text: String) async throws {
        _ = try await browser.command("POST", "/element/\(id)/clear")
        _ = try await browser.command("POST", "/element/\(id)/value", ["text": .string(text)])
    }

    /// Its visible text.
    func text() async throws -> String {
        try await browser.command("GET", "/element/\(id)/text").stringValue ?? ""
    }

    /// What is typed in it.
    func value() async throws -> String {
        try await browser.command("GET", "/element/\(id)/property/value").stringValue ?? ""
    }
}
