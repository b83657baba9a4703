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

    @Test("Every language has every word", arguments: SheetLanguage.allCases)
    func words(language: SheetLanguage) {
        #expect(language.accountText.language == language)
        for word in AccountText.Word.allCases {
            let text = language.accountText[word]
            #expect(text != word.rawValue, "\(language) lacks \(word)")
            #expect(text.contains("{name}") == AccountText.english[word].contains("{name}"))
        }
    }

    @Test("No language but English leaves a sentence in English", arguments: SheetLanguage.allCases)
    func translated(language: SheetLanguage) {
        guard language != .english else { return }
        let same = AccountText.Word.allCases.filter {
            language.accountText[$0] == AccountText.english[$0]
        }
        #expect(Set(same).isSubset(of: [.title, .allApps, .name]), "\(same)")
    }

    @Test("The account speaks the browser's language, dates too", arguments: SheetLanguage.allCases)
    func spoken(language: SheetLanguage) async throws {
        let box = try await Box()
        _ = try await box.credentials(["email": "hide"])
        var browser = AccountBrowser(box)
        browser.language = language.tag
        let text = language.accountText
        let direction = language == .arabic ? " dir=\"rtl\"" : ""
        let opened = await browser.open("/account").text
        #expect(opened.contains("<html lang=\"\(language.tag)\"\(direction)>"))
        #expect(opened.contains(text[.signInTitle]) && opened.contains(language.words[.banner]))
        #expect(await browser.signIn().text.contains(text[.forwardLead]))
        let app = await browser.open(AccountAppTests.appPath).text
        #expect(app.contains(text[.lastUsed]) && app.contains(text.day(box.time.now)))
        #expect(await browser.open("/account/app").text.contains(text[.unknownApp]))
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
