import Foundation
import TestSupport
import Testing

/// A person with a real browser, from the first sign-in to the deleted account.
@Suite("Web sign-in in Chromium", .serialized) struct WebSignInTests {
    private static let email = "maya@example.com"
    private static let password = "apple"

    @Test("First sign-in, second sign-in, stop using, cancel, deletion") func wholeLife()
        async throws
    {
        try await withDemo { siwa in
            try await Browser.with { browser in
                let site = AccountsSite(browser: browser, url: siwa.server)
                try await firstSignIn(site, pictures: "web")
                try await secondSignIn(site)
                try await stopUsingAndCancel(site, control: ControlPort(siwa))
                try await deleteAccount(site, control: ControlPort(siwa))
            }
        }
    }

    @Test("The same at 127.0.0.1") func numericAddress() async throws {
        try await withDemo { siwa in
            try await Browser.with { browser in
                let url = siwa.server.replacingHost(with: "127.0.0.1")
                let site = AccountsSite(browser: browser, url: url)
                try await firstSignIn(site, pictures: "numeric")
                #expect(try await browser.address().host() == "127.0.0.1")
                try await secondSignIn(site)
            }
        }
    }

    @Test("A wrong password and a wrong code are told on the page") func mistakes() async throws {
        try await withDemo { siwa in
            try await Browser.with { browser in
                let site = AccountsSite(browser: browser, url: siwa.server)
                let sheet = AppleSheet(browser: browser)
                try await site.startSignIn()
                try await sheet.signIn(email: Self.email, password: "pear")
                _ = try await browser.element("//*[@role='alert']")
                try await browser.takePicture("sheet-wrong-password")
                try await sheet.signIn(email: Self.email, password: Self.password)
                let code = try await browser.element("//*[@id='shown-code']").text()
                try await sheet.field("code").type(code == "000000" ? "111111" : "000000")
                try await sheet.press("two-factor")
                _ = try await browser.element("//*[@role='alert']")
                try await sheet.enterCode()
                #expect(try await sheet.field("given_name").value().isEmpty == false)
            }
        }
    }

    private func withDemo(_ body: (SiwaProcess) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try await SiwaProcess.with(data: folder, body)
        }
    }

    /// Everything asked the first time; the name is edited, the address hidden.
    private func firstSignIn(_ site: AccountsSite, pictures: String) async throws {
        let browser = site.browser
        let sheet = AppleSheet(browser: browser)
        try await browser.open(site.url)
        try await site.waitForSignInPage()
        _ = try await site.appleButton()
        try await browser.takePicture("\(pictures)-1-sign-in")
        try await site.startSignIn()
        _ = try await sheet.field("password")
        try await browser.takePicture("\(pictures)-2-apple-account")
        try await sheet.signIn(email: Self.email, password: Self.password)
        _ = try await sheet.field("code")
        try await browser.takePicture("\(pictures)-3-two-factor")
        try await sheet.enterCode()
        _ = try await sheet.field("given_name")
        try await browser.takePicture("\(pictures)-4-consent")
        try await sheet.consent(givenName: "Maja", familyName: "Nilsson", hidesEmail: true)
        try await site.waitForAccountPage()
        try await browser.takePicture("\(pictures)-5-account")
        try await expectAccountPage(site)
    }

    /// A returning person confirms, and is asked for nothing.
    private func secondSignIn(_ site: AccountsSite) async throws {
        let sheet = AppleSheet(browser: site.browser)
        try await site.press("sign out")
        try await site.waitForSignInPage()
        #expect(try await site.hasSession() == false)
        try await site.startSignIn()
        _ = try await site.browser.element("//button[@name='action'][@value='continue']")
        #expect(try await sheet.asksName() == false)
        try await site.browser.takePicture("web-6-returning")
        try await sheet.press("continue")
        try await site.waitForAccountPage()
        try await expectAccountPage(site)
    }

    /// After Stop Using, Apple asks as if for the first time; cancelling leads back.
    private func stopUsingAndCancel(_ site: AccountsSite, control: ControlPort) async throws {
        let sheet = AppleSheet(browser: site.browser)
        try await site.press("sign out")
        try await site.waitForSignInPage()
        try await control.stopUsing(Self.email)
        try await site.startSignIn()
        _ = try await sheet.field("given_name")
        try await site.browser.takePicture("web-7-first-time-again")
        try await sheet.press("cancel")
        try await site.waitForSignInPage()
        try await site.browser.takePicture("web-8-cancelled")
    }

    /// Signs in once more, deletes the account, and looks whether Apple was told.
    private func deleteAccount(_ site: AccountsSite, control: ControlPort) async throws {
        let sheet = AppleSheet(browser: site.browser)
        try await site.startSignIn()
        try await sheet.consent(givenName: "Maja", familyName: "Nilsson", hidesEmail: true)
        try await site.waitForAccountPage()
        let before = try await control.statuses(ofRequestsTo: "/auth/revoke").count
        try await site.press("delete")
        try await site.browser.takePicture("web-9-delete")
        try await site.press("delete my account")
        try await site.waitForSignInPage()
        try await site.browser.takePicture("web-10-deleted")
        let status = try await waitUntil("Apple shall be told of the deletion") {
            try await control.statuses(ofRequestsTo: "/auth/revoke").dropFirst(before).last
        }
        #expect(status == 200)
        try await site.browser.open(site.url)
        try await site.waitForSignInPage()
    }

    private func expectAccountPage(_ site: AccountsSite) async throws {
        let text = try await site.browser.text()
        #expect(text.contains("Maja Nilsson"))
        #expect(text.contains("@privaterelay.appleid.com"))
        #expect(!text.contains(Self.email))
        #expect(try await site.hasSession())
    }
}
