import Foundation
import TestSupport
import Testing

/// A person on Apple's page about their account, in a real browser.
@Suite("The account page in Chromium", .serialized) struct AccountPageTests {
    private static let email = "maya@example.com"

    @Test("Sign in, forwarding off and on, stop using, delete", .timeLimit(.minutes(5)))
    func wholeLife() async throws {
        try await withTemporaryFolder { folder in
            try await SiwaProcess.with(data: folder) { siwa in
                try await Browser.with { browser in
                    let account = AppleAccount(browser: browser, apple: siwa.apple)
                    let control = ControlPort(siwa)
                    try await signIn(account, control)
                    try await switchForwarding(account, control)
                    try await stopUsing(account, control)
                    try await delete(account, control)
                }
            }
        }
    }

    private func signIn(_ account: AppleAccount, _ control: ControlPort) async throws {
        let (browser, sheet) = (account.browser, AppleSheet(browser: account.browser))
        _ = try await control.credentials(for: Self.email, hidesEmail: true)
        try await account.open()
        _ = try await sheet.field("email")
        try await browser.takePicture("account-1-sign-in")
        try await sheet.field("email").type(Self.email)
        try await sheet.field("password").type("apple")
        try await account.press("/account/sign-in")
        let code = try await browser.element("//*[@id='shown-code']").text()
        try await browser.takePicture("account-2-two-factor")
        try await sheet.field("code").type(code)
        try await account.press("/account/two-factor")
        _ = try await browser.element("//h2[@id='apps']")
        try await browser.takePicture("account-3-apps")
        #expect(try await browser.text().contains("Maya Lindgren"))
    }

    private func switchForwarding(_ account: AppleAccount, _ control: ControlPort) async throws {
        try await account.openApp("Juice")
        #expect(try await account.browser.text().contains("@privaterelay.appleid.com"))
        try await account.browser.takePicture("account-4-app")
        try await account.switchForwarding(to: false)
        #expect(try await account.notice().contains("no longer forwarded"))
        try await account.browser.takePicture("account-5-forwarding-off")
        try await account.switchForwarding(to: true)
        for type in ["email-disabled", "email-enabled"] {
            #expect(try await control.notificationStates(of: type).count == 1)
        }
    }

    private func stopUsing(_ account: AppleAccount, _ control: ControlPort) async throws {
        try await account.follow("/account/stop-using")
        _ = try await account.browser.element("//form[@action='/account/stop-using']")
        try await account.browser.takePicture("account-6-stop-using")
        try await account.press("/account/stop-using")
        #expect(try await account.notice() == "The app no longer uses your Apple Account.")
        try await account.browser.takePicture("account-7-stopped")
        #expect(try await control.notificationStates(of: "consent-revoked").count == 1)
        #expect(try await control.credentialState(of: Self.email) == "revoked")
    }

    private func delete(_ account: AppleAccount, _ control: ControlPort) async throws {
        _ = try await control.credentials(for: Self.email)
        try await account.open()
        try await account.follow("/account/delete")
        try await account.browser.element("//input[@name='understood']").press()
        try await account.browser.takePicture("account-8-delete")
        try await account.press("/account/delete")
        #expect(try await account.notice() == "The Apple Account was deleted.")
        try await account.browser.takePicture("account-9-deleted")
        #expect(try await control.notificationStates(of: "account-deleted").count == 1)
    }
}
