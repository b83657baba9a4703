import AppleIdentity
import Foundation
import TestSupport

/// A person with a browser in a shop whose page loads Apple's script.
struct ShopVisit: Sendable {
    let browser: Browser
    let shop: ShopSite
    let control: ControlPort
    /// The shop's window.
    let window: String

    /// Opens the shop in a new browser while the body works.
    ///
    /// - Parameters:
    ///   - locale: the script's language.
    ///   - head: tags of the page's head before the script.
    ///   - button: what stands in the page's body.
    ///   - body: what the person does.
    /// - Throws: what the body throws.
    static func with(
        locale: String = "en_US",
        head: String = "",
        button: String = "",
        _ body: @Sendable @escaping (ShopVisit) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await SiwaProcess.with(data: folder) { siwa in
                try await ShopSite.with(siwa, locale: locale, head: head, button: button) { shop in
                    try await Browser.with { browser in
                        try await browser.open(shop.url)
                        let visit = ShopVisit(
                            browser: browser,
                            shop: shop,
                            control: ControlPort(siwa),
                            window: try await browser.window()
                        )
                        try await body(visit)
                    }
                }
            }
        }
    }

    /// Tells the script what to ask; written as in a page.
    func initialize(_ changes: String = "{}") async throws {
        try await browser.run("AppleID.auth.init(settings(\(changes)))")
    }

    /// Presses the page's own button, which calls `signIn`.
    func press() async throws {
        try await browser.element("//button[@id='try']").press()
    }

    /// Does what opens a popup, and turns to it.
    func popup(_ open: () async throws -> Void) async throws -> String {
        let known = try await browser.windows()
        try await open()
        let popup = try await browser.newWindow(besides: known)
        try await browser.turn(to: popup)
        return popup
    }

    /// The way through Apple's pages for a person who meets the shop the first time.
    func signIn(email: String) async throws {
        let sheet = AppleSheet(browser: browser)
        try await sheet.signIn(email: email, password: "apple")
        try await sheet.enterCode()
        _ = try await sheet.field("given_name")
        try await sheet.press("continue")
    }

    /// What the promise of `signIn` came to in the shop's window.
    func result(_ kind: String, number: Int = 1) async throws -> JSONObject {
        try await browser.turn(to: window)
        let text = try await browser.element("(//pre[@class='\(kind)'])[\(number)]").text()
        return try JSONValue(parsing: Data(text.utf8)).objectValue ?? JSONObject()
    }

    /// The details of the events of one name that the shop's document got.
    func details(_ event: String) async throws -> [JSONValue] {
        let heard = try await browser.run("return JSON.stringify(window.heard)").stringValue ?? ""
        let events = try JSONValue(parsing: Data(heard.utf8)).arrayValue ?? []
        return events.compactMap(\.arrayValue).filter { $0.first?.stringValue == event }
            .compactMap(\.last)
    }

    /// The parameters of the page that is shown.
    func query() async throws -> [String: String] {
        let address = try await browser.address()
        let items = URLComponents(url: address, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}
