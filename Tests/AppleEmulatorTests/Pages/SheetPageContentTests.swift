import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulator

@Suite struct SheetPageContentTests {
    let renderer: SheetRenderer

    init() throws {
        renderer = try SheetRenderer()
    }

    @Test func consentOffersTheNameForEditingAndSharingAtFirst() {
        let html = renderer.render(.consent(SheetSamples.consent))
        #expect(html.contains("name=\"given_name\" value=\"Maya\""))
        #expect(html.contains("name=\"family_name\" value=\"Okafor\""))
        #expect(html.contains("value=\"share\" checked>"))
        #expect(html.contains("value=\"hide\">"))
        #expect(html.contains("relayed to yours"))
    }

    @Test func consentKeepsTheChoiceToHide() {
        var page = SheetSamples.consent
        page.hidesEmail = true
        let html = renderer.render(.consent(page))
        #expect(html.contains("value=\"share\">"))
        #expect(html.contains("value=\"hide\" checked>"))
    }

    @Test func consentAsksOnlyForWhatTheAppAskedFor() {
        var page = SheetSamples.consent
        page.asksName = false
        #expect(!renderer.render(.consent(page)).contains("given_name"))
        page.asksEmail = false
        let html = renderer.render(.consent(page))
        #expect(!html.contains("email_choice"))
        #expect(html.contains("neither your name nor your address"))
    }

    @Test func managedAccountsCannotHideTheirAddress() {
        var page = SheetSamples.consent
        page.allowsHidingEmail = false
        page.hidesEmail = true
        let html = renderer.render(.consent(page))
        #expect(!html.contains("value=\"hide\""))
        #expect(html.contains("value=\"share\" checked>"))
    }

    @Test func anErrorIsSaidInTitleAndTextAndBelongsToItsFields() {
        let html = renderer.render(.signIn(SheetSamples.signIn))
        #expect(html.contains("<title>Error: Sign in to Juice</title>"))
        #expect(html.contains("role=\"alert\" id=\"error\">The e-mail address or password"))
        #expect(html.contains("aria-invalid=\"true\" aria-describedby=\"error\""))
    }

    @Test func theTrustedDeviceIsMarkedAsTheEmulators() {
        let html = renderer.render(.twoFactor(SheetSamples.twoFactor))
        #expect(html.contains("Trusted device, played by the emulator"))
        #expect(html.contains("<output id=\"shown-code\">482913</output>"))
    }

    @Test func theFormPostCarriesTheFieldsInOrderAndSubmitsItself() {
        let html = renderer.render(.formPost(SheetSamples.formPost))
        let names = html.matches(of: #/<input type="hidden" name="([^"]+)"/#).map { String($0.1) }
        #expect(names == ["code", "state"])
        #expect(html.contains("action=\"https://juice.example.com/sign-in/apple/callback\""))
        #expect(html.contains("<button class=\"primary\">"))
        #expect(html.contains("<script>\(PageSecurity.submitScript)</script>"))
    }

    @Test(arguments: SheetSamples.all.map(\.0))
    func thePolicyAllowsThePagesOwnStyleAndScriptByHash(name: String) throws {
        let page = try #require(SheetSamples.all.first { $0.0 == name }?.1)
        let html = renderer.render(page)
        let fields = renderer.headerFields(for: page)
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
        #expect(renderer.headerFields(for: .formPost(SheetSamples.formPost))[name] == "origin")
    }

    private func hash(_ text: Substring) -> String {
        let digest = SHA256.hash(data: Data(text.utf8))
        return "'sha256-\(Data(digest).base64EncodedString())'"
    }
}
