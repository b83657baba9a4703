import Crypto
import Foundation
import HTMLPages
import HTTPTypes
import Testing

@testable import AppleEmulator
@testable import AppleEmulatorPages

// Fidelity: redirect-5, redirect-10, sheet-4, sheet-10, sheet-11, sheet-21
// Fidelity: response-3, response-4, response-5
@Suite struct SheetPageContentTests {
    private let renderer: EmulatorPageRenderer

    init() throws { renderer = try EmulatorPageRenderer() }

    private func html(_ page: EmulatorPage) -> String { renderer.draw(page, in: .english).text }

    private func html(_ name: String) throws -> String {
        html(try #require(SheetSamples.page(name)))
    }

    private func html(_ consent: ConsentPage) -> String {
        html(SheetSamples.sheet(.consent(consent)))
    }

    @Test func consentOffersTheNameForEditingAndSharingAtFirst() {
        let html = self.html(SheetSamples.consent)
        #expect(html.contains("name=\"given_name\" value=\"Maya\""))
        #expect(html.contains("name=\"family_name\" value=\"Okafor\""))
        #expect(html.contains("value=\"share\" checked>"))
        #expect(html.contains("value=\"hide\">"))
        #expect(html.contains("forwarded to you until"))
    }

    @Test func consentMarksTheNamesThatDifferFromTheAccount() {
        var page = SheetSamples.consent
        page.knownGivenName = "J. (Jo)"
        let html = self.html(page)
        #expect(
            html.contains("pattern=\"J\\. \\(Jo\\)\" aria-invalid=\"false\" class=\"known\">")
        )
        #expect(html.contains("pattern=\"\" aria-invalid=\"false\">"))
    }

    @Test func consentKeepsTheChoiceToHide() {
        var page = SheetSamples.consent
        page.hidesEmail = true
        let html = self.html(page)
        #expect(html.contains("value=\"share\">"))
        #expect(html.contains("value=\"hide\" checked>"))
    }

    @Test func consentAsksOnlyForWhatTheAppAskedFor() {
        var page = SheetSamples.consent
        page.asksName = false
        #expect(!html(page).contains("given_name"))
        page.asksEmail = false
        let html = self.html(page)
        #expect(!html.contains("email_choice"))
        #expect(html.contains("neither your name nor your email address"))
    }

    @Test func managedAccountsCannotHideTheirAddress() {
        var page = SheetSamples.consent
        page.isManaged = true
        page.hidesEmail = true
        let html = self.html(page)
        #expect(!html.contains("value=\"hide\""))
        #expect(html.contains("value=\"share\" checked>"))
    }

    @Test func anErrorIsSaidInTitleAndTextAndBelongsToItsFields() throws {
        let html = try self.html("sign-in")
        #expect(html.contains("<title>Error: Sign in to Juice</title>"))
        #expect(html.contains("role=\"alert\" id=\"error\">The Apple Account or password"))
        #expect(html.contains("aria-invalid=\"true\" aria-describedby=\"error\""))
    }

    @Test func theTrustedDeviceIsMarkedAsTheEmulators() throws {
        let html = try self.html("two-factor")
        #expect(html.contains("Trusted device, simulated by the emulator"))
        #expect(html.contains("<output id=\"shown-code\">482913</output>"))
    }

    @Test func theFormPostCarriesTheFieldsInOrderAndSubmitsItself() throws {
        let html = try self.html("form-post")
        let names = html.matches(of: #/<input type="hidden" name="([^"]+)"/#).map { String($0.1) }
        #expect(names == ["code", "state"])
        #expect(html.contains("action=\"https://juice.example.com/sign-in/apple/callback\""))
        #expect(html.contains("<button class=\"primary\">"))
        #expect(html.contains("<script>\(PageSecurity.submitScript)</script>"))
    }

    @Test(arguments: SheetSamples.names)
    func thePolicyAllowsThePagesOwnStyleAndScriptByHash(name: String) throws {
        let page = try #require(SheetSamples.page(name))
        let (html, fields) = renderer.draw(page, in: .english)
        let policy = try #require(fields[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'none'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("form-action"))
        #expect(!policy.contains("unsafe"))
        let styles = html.matches(of: #/<style>((?s).*?)</style>/#)
        for style in styles { #expect(policy.contains(hash(style.1))) }
        for script in html.matches(of: #/<script>(.*?)</script>/#) {
            #expect(policy.contains(hash(script.1)))
        }
        #expect(styles.count == 1)
        #expect(fields[.contentType] == "text/html; charset=utf-8")
        #expect(fields[.cacheControl] == "no-store")
        #expect(fields[.xContentTypeOptions] == "nosniff")
    }

    /// Without an origin in its post a browser would send `Origin: null` to the app.
    @Test func theFormPostNamesItsOrigin() throws {
        let name = try #require(HTTPField.Name("Referrer-Policy"))
        let (_, fields) = renderer.draw(.formPost(SheetSamples.formPost), in: .english)
        #expect(fields[name] == "origin")
    }

    @Test func thePopupIsNotCutOffFromItsOpener() throws {
        let (html, fields) = renderer.draw(.webMessage(SheetSamples.webMessage), in: .english)
        let name = try #require(HTTPField.Name("Cross-Origin-Opener-Policy"))
        #expect(fields[name] == nil)
        #expect(fields[.contentSecurityPolicy]?.contains("script-src 'sha256-") == true)
        #expect(html.contains(#"data-origin="https://juice.example.com""#))
        #expect(html.contains("data-message=\"{&quot;method&quot;:"))
    }

    @Test func aNameTooLongIsToldWithTheLimit() {
        let page = SheetSamples.sheet(.consent(SheetSamples.consent), problem: .nameTooLong)
        #expect(html(page).contains("A name can have 100 characters at most."))
    }

    private func hash(_ text: Substring) -> String {
        let digest = SHA256.hash(data: Data(text.utf8))
        return "'sha256-\(Data(digest).base64EncodedString())'"
    }

    /// A value that breaks out of markup which is escaped by what a reader sees as a character:
    /// the quotation mark and the bracket each carry a combining accent.
    static let hostile = "\"\u{301} onfocus='x' <\u{338}img src=x> & </style><script>"

    @Test(arguments: SheetSamples.names)
    func everyPageIsACompleteAccessibleDocument(name: String) throws {
        let html = try self.html(name)
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        #expect(html.contains("<meta name=\"viewport\""))
        #expect(html.contains("Emulator of Apple: not Apple"))
        #expect(html.components(separatedBy: "<h1>").count == 2)
        #expect(html.components(separatedBy: "<main").count == 2)
        #expect(!html.contains("{{"))
        #expect(!html.unicodeScalars.contains("\u{F8FF}"))
    }

    @Test(arguments: SheetSamples.names) func everyVisibleFieldHasALabel(name: String) throws {
        let html = try self.html(name)
        for match in html.matches(of: #/<input id="([^"]+)"/#) {
            #expect(html.contains("<label for=\"\(match.1)\">"))
        }
        for match in html.matches(of: #/<input (type="radio"[^>]*)>/#) {
            #expect(html[..<match.range.lowerBound].hasSuffix("<label class=\"choice\">\n"))
        }
    }

    @Test(arguments: [
        ("sign-in", "sign-in"), ("two-factor", "two-factor"), ("consent", "continue"),
        ("returning", "continue"),
    ])
    func askingPagesPostToTheSheet(name: String, action: String) throws {
        let html = try self.html(name)
        #expect(html.contains("<form method=\"post\" action=\"/auth/authorize/sheet\">"))
        #expect(html.contains("name=\"transaction\" value=\"t1\""))
        // The return key presses the first button.
        let buttons = html.matches(of: #/<button[^>]* value="([^"]+)"/#).map { String($0.1) }
        #expect(buttons.first == action)
        #expect(buttons.last == "cancel")
        #expect(!html.contains("<script"))
    }

    @Test func buttonsOfPeopleHaveAFormOfTheirOwn() throws {
        let people = SheetSamples.people(haveButtons: true)
        let html = html(SheetSamples.sheet(.signIn(email: "", knownPeople: people)))
        let forms = html.components(separatedBy: "</form>")
        #expect(forms.count == 3)
        #expect(forms[0].contains("value=\"enter-1\"") && forms[0].contains("value=\"enter-2\""))
        #expect(forms[0].contains("Continue as <bdi>Maya Okafor</bdi>"))
        #expect(forms[0].contains("Continue as <bdi>noah@example.com</bdi>"))
        // The return key in the password presses the form's own button.
        #expect(forms[1].contains("id=\"password\"") && !forms[1].contains("enter-"))
        #expect(!html.contains("autofocus"))
    }

    @Test(arguments: [true, false]) func anErrorPageLeadsToTheMissingRegistration(isKnown: Bool) {
        let page = SheetSamples.failure(isClientKnown: isKnown)
        #expect(!html(page).contains("<a "))
        let html = renderer.draw(page, in: .english, console: SheetSamples.console).text
        let path = isKnown ? "/console/apps/client/com.example.juice.web" : "/console/apps"
        let query =
            "?client_id=com.example.juice.web"
            + "&amp;return_url=https://other.example.com/callback?a%3Db%26c"
        #expect(html.contains("href=\"http://127.0.0.1:8082\(path)\(query)#"))
        let words =
            isKnown
            ? "Add the redirect URI in the console"
            : "Register <bdi>com.example.juice.web</bdi> in the console"
        #expect(html.contains(words))
    }

    @Test func theStartPageLeadsToAccountAndConsole() {
        #expect(!html(.home).contains("127.0.0.1"))
        let html = renderer.draw(.home, in: .english, console: SheetSamples.console).text
        #expect(
            html.contains("href=\"/account\"") && html.contains("href=\"http://127.0.0.1:8082\"")
        )
    }

    @Test func anAppsIconHasItsInitialAndAColorOfItsOwn() {
        let icons = ["Mint", "Mint", "Tea", "Acme"].map { name in
            let step = SheetPage.Step.consent(SheetSamples.consent)
            let page = SheetPage(transaction: "t1", appName: name, step: step)
            return html(.sheet(page)).firstMatch(
                of: #/<div class="emblem color-[0-7]".*?>.<\/div>/#
            )
            .map { String($0.0) }
        }
        #expect(icons.allSatisfy { $0 != nil })
        #expect(icons[0] == icons[1] && Set(icons).count == 3)
        #expect(icons[2]?.hasSuffix(">T</div>") == true)
    }

    @Test func theSampleAppHasTheIconOfItsOwnPages() {
        let step = SheetPage.Step.consent(SheetSamples.consent)
        let page = SheetPage(transaction: "t1", appName: Seed.demoAppName, step: step)
        #expect(html(.sheet(page)).contains("aria-hidden=\"true\">\(SampleAppMark.svg)</div>"))
    }

    @Test func valuesAreEscapedCodePointByCodePoint() {
        let hostile = Self.hostile
        let account = SheetPage.Account(personName: hostile, email: hostile, action: hostile)
        let consent = ConsentPage(
            email: hostile,
            asksName: true,
            givenName: hostile,
            familyName: hostile,
            asksEmail: true,
            addresses: [hostile, hostile],
            chosenAddress: hostile
        )
        let steps: [SheetPage.Step] = [
            .chooser([account]), .signIn(email: hostile, knownPeople: [account]),
            .twoFactor(email: hostile, digits: hostile), .consent(consent), .returning(account),
        ]
        var pages = steps.map { step in
            EmulatorPage.sheet(SheetPage(transaction: hostile, appName: hostile, step: step))
        }
        pages += [
            .formPost(
                FormPostPage(redirectURI: hostile, appName: hostile, fields: [(hostile, hostile)])
            ),
            .webMessage(WebMessagePage(message: hostile, targetOrigin: hostile, appName: hostile)),
            .failure(FailurePage(code: hostile, text: hostile, hint: hostile)),
        ]
        for page in pages { expectEscaped(html(page)) }
    }

    private func expectEscaped(_ html: String) {
        let text = html.unicodeScalars.map(\.value)
        #expect(!text.contains("\"\u{301}".unicodeScalars.map(\.value)))
        #expect(!text.contains("<\u{338}".unicodeScalars.map(\.value)))
        #expect(text.contains("&quot;\u{301}".unicodeScalars.map(\.value)))
        #expect(html.components(separatedBy: "</style>").count == 2)
    }
}
