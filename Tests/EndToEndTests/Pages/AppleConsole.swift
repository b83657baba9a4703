import Foundation

/// The emulator's console as a person meets it.
struct AppleConsole: Sendable {
    let browser: Browser
    /// Where the control port is.
    let control: URL

    func open() async throws {
        try await browser.open(control)
    }

    /// Goes to another page by the navigation.
    func go(to title: String) async throws {
        try await browser.element("//nav//a[text()='\(title)']").press()
        _ = try await browser.element("//nav//a[@aria-current][text()='\(title)']")
    }

    /// What the overview tells under a name.
    func fact(_ name: String) async throws -> String {
        try await browser.element("//dt[text()='\(name)']/following-sibling::dd[1]").text()
    }

    /// Opens what a title hides.
    func unfold(_ title: String) async throws {
        try await browser.element("//summary[text()='\(title)']").press()
    }

    /// Types into a field of the form that goes to a path.
    func type(_ text: String, into field: String, of path: String) async throws {
        try await browser.element("//form[@action='\(path)']//*[@name='\(field)']").type(text)
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
