import AppleIdentity
import Foundation
import Testing

@testable import AppleEmulator

@Suite("The words and markup of the account page")
struct AccountTextTests {
    private static let templates = [
        PackageResources.accountMessage_mustache, PackageResources.accountSignIn_mustache,
        PackageResources.accountTwoFactor_mustache, PackageResources.account_mustache,
        PackageResources.accountApp_mustache, PackageResources.accountStop_mustache,
        PackageResources.accountDelete_mustache, PackageResources.accountFailure_mustache,
    ]
    .map { String(decoding: $0, as: UTF8.self) }

    @Test("Every word is in the table", arguments: AccountText.Word.allCases)
    func words(word: AccountText.Word) {
        #expect(AccountText.english[word] != word.rawValue)
    }

    @Test("Templates name words that exist, and say nothing of their own")
    func templates() {
        for template in Self.templates {
            for match in template.matches(of: /{{text\.([A-Za-z]+)}}/) {
                #expect(AccountText.Word(rawValue: String(match.1)) != nil, "\(match.1)")
            }
            let visible = template.replacing(
                /{{\$frame}}[^{]*|<[^>]*>|{{[^}]*}}|&#?[a-z0-9]+;/,
                with: ""
            )
            #expect(!visible.contains(/[A-Za-z]/), "\(visible)")
        }
    }

    @Test("A name stands apart from the sentence around it")
    func isolation() {
        let text = AccountText.english(.stopTitle, "عصير")
        #expect(text == "Stop using your account with \u{2068}عصير\u{2069}?")
    }

    @Test("Values are escaped code point by code point on every page")
    func escaping() async throws {
        let hostile = SheetRendererTests.hostile
        let box = try await Box { seed in
            seed.people[0].givenName = hostile
            seed.people[0].otherEmails = [hostile]
            seed.apps[0].name = hostile
            seed.teams[0].name = hostile
        }
        _ = try await box.credentials(["email": "hide"])
        var browser = AccountBrowser(box)
        _ = await browser.signIn()
        for path in [
            "/account", AccountAppTests.appPath, AccountAppTests.stopPath, "/account/delete",
        ] {
            let reply = await browser.open(path)
            let scalars = reply.text.unicodeScalars.map(\.value)
            #expect(scalars.contains("&quot;\u{301}".unicodeScalars.map(\.value)), "\(path)")
            #expect(!scalars.contains("<\u{338}".unicodeScalars.map(\.value)), "\(path)")
            #expect(reply.text.components(separatedBy: "</style>").count == 2)
        }
    }

    @Test("The pages run no script and send no form elsewhere")
    func policy() async throws {
        var browser = AccountBrowser(try await Box())
        let page = await browser.open("/account")
        let policy = try #require(page.header("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"))
        #expect(!policy.contains("script-src") && !page.text.contains("<script"))
        #expect(page.header("Cache-Control") == "no-store")
        #expect(page.header("X-Frame-Options") == "DENY")
    }

    @Test("Every page has one heading, labelled fields and a language")
    func markup() async throws {
        let box = try await Box { $0.people[0].otherEmails = ["maya@work.example.com"] }
        _ = try await box.credentials(["email": "hide"])
        var browser = AccountBrowser(box)
        var pages = [await browser.open("/account"), await browser.signIn()]
        for path in [AccountAppTests.appPath, AccountAppTests.stopPath, "/account/delete"] {
            pages.append(await browser.open(path))
        }
        pages.append(await browser.open("/account/app"))
        for html in pages.map(\.text) {
            #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\""))
            #expect(html.components(separatedBy: "<h1>").count == 2)
            #expect(!html.contains("{{"))
            for match in html.matches(of: #/<input id="([^"]+)"/#) {
                #expect(html.contains("<label for=\"\(match.1)\">"))
            }
            let labels = html.matches(of: #/aria-(?:labelledby|describedby)="([^"]+)"/#)
            for match in labels { #expect(html.contains("id=\"\(match.1)\""), "\(match.1)") }
        }
    }
}
