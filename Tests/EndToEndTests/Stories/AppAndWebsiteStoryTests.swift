import AppleIdentity
import Foundation
import SignInKit
import SimulatedAuthenticationServices
import Testing

/// The server chapter: the app registers a person, and the website signs the same one in.
@Suite("Story: app and website, one account", .serialized) struct AppAndWebsiteStoryTests {
    @Test("First the app, then the browser: one account, two sessions") func oneAccount()
        async throws
    {
        try await StoryApp.with { app in
            try await app.signInToDevice()
            let client = await app.launch()
            app.device.script(.continue(name: PersonName(givenName: "Maja"), email: .hide))
            let person = try await client.signInWithApple()
            try await Browser.with { browser in
                let site = AccountsSite(browser: browser, url: app.siwa.server)
                let sheet = AppleSheet(browser: browser)
                try await browser.open(site.url)
                try await site.waitForSignInPage()
                try await site.startSignIn()
                try await sheet.signIn(email: "maya@example.com", password: "apple")
                try await sheet.enterCode()
                _ = try await browser.element("//button[@name='action'][@value='continue']")
                // Both clients are of one group: the website asks for no name.
                #expect(try await !sheet.asksName())
                try await sheet.press("continue")
                try await site.waitForAccountPage()
                try await browser.takePicture("story-app-then-website")
            }
            let account = try await client.refreshAccount().account
            #expect(account.id == person.account.id)
            #expect(account.name == "Maja")
            #expect(account.email == person.account.email)
            let sessions = try await client.sessions()
            #expect(sessions.count == 2)
            #expect(sessions.filter(\.isCurrent).count == 1)
        }
    }
}
