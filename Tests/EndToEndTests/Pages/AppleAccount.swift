import Foundation

/// Apple's page with the apps that use an Apple Account, as a person meets it.
struct AppleAccount: Sendable {
    let browser: Browser
    /// Where browsers find Apple.
    let apple: URL

    func open() async throws {
        try await browser.open(apple.appending(path: "account"))
    }

    /// Opens one of the apps in the list.
    func openApp(_ name: String) async throws {
        try await browser.element("//a[.//bdi[text()='\(name)']]").press()
        _ = try await browser.element("//h1/bdi[text()='\(name)']")
    }

    /// Presses the switch, and waits until it shows the other state.
    func switchForwarding(to isOn: Bool) async throws {
        try await browser.element("//button[@role='switch'][@aria-checked='\(!isOn)']").press()
        _ = try await browser.element("//button[@role='switch'][@aria-checked='\(isOn)']")
    }

    /// Follows a link by where it leads.
    func follow(_ path: String) async throws {
        try await browser.element("//a[starts-with(@href, '\(path)')]").press()
    }

    /// Presses the button of the form that goes to a path.
    func press(_ path: String) async throws {
        try await browser.element("//form[@action='\(path)']//button").press()
    }

    /// What the page says was done.
    func notice() async throws -> String {
        try await browser.element("//*[@role='status']").text()
    }
}
