/// Apple's pages as a person meets them; each step ends when the next page is asked for.
struct AppleSheet: Sendable {
    let browser: Browser

    /// The page that asks for the Apple Account.
    func signIn(email: String, password: String) async throws {
        try await field("email").type(email)
        try await field("password").type(password)
        try await press("sign-in")
    }

    /// The page that asks for the six digits, which the trusted device shows beside them.
    func enterCode() async throws {
        let code = try await browser.element("//*[@id='shown-code']").text()
        try await field("code").type(code)
        try await press("two-factor")
    }

    /// The first-time page.
    func consent(givenName: String, familyName: String, hidesEmail: Bool) async throws {
        try await field("given_name").type(givenName)
        try await field("family_name").type(familyName)
        let choice = hidesEmail ? "hide" : "share"
        try await browser.element("//input[@name='email_choice'][@value='\(choice)']").press()
        try await press("continue")
    }

    /// Presses one of the page's buttons.
    func press(_ action: String) async throws {
        try await browser.element("//button[@name='action'][@value='\(action)']").press()
    }

    /// One of the page's fields.
    func field(_ name: String) async throws -> Element {
        try await browser.element("//input[@name='\(name)']")
    }

    /// Whether the page asks for a name, which only the first time does.
    func asksName() async throws -> Bool {
        try await browser.has("//input[@name='given_name']")
    }
}
