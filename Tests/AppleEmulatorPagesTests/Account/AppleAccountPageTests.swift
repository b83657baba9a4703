import Foundation
import HTMLPages
import HTTPTypes
import Testing

@testable import AppleEmulator
@testable import AppleEmulatorPages

@Suite("The words and markup of the account page") struct AppleAccountPageTests {
    private static let templates = PageTemplates.sources.filter { $0.key.hasPrefix("account") }

    private let renderer: EmulatorPageRenderer

    init() throws { renderer = try EmulatorPageRenderer() }

    private func draw(
        _ name: String,
        in language: PageLanguage = .english
    ) throws -> (text: String, fields: HTTPFields) {
        let page = try #require(AccountSamples.all.first { $0.name == name }?.page)
        return renderer.draw(page, in: language)
    }

    @Test("The account speaks the browser's language, dates too", arguments: PageLanguage.allCases)
    func spoken(language: PageLanguage) throws {
        let words = renderer.words(of: language)
        #expect(
            try draw("account-sign-in", in: language).text.contains(words["accountSignInTitle"])
        )
        #expect(try draw("account", in: language).text.contains(words["forwardLead"]))
        let app = try draw("account-app", in: language).text
        #expect(app.contains(words["lastUsed"]))
        let day = language.day(Date(timeIntervalSince1970: 1_769_000_000))
        #expect(day.contains("2026") || language == .arabic)
        #expect(app.contains("<time datetime=\"2026-01-21T12:53:20Z\">\(day)</time>"))
        #expect(try draw("account-failure", in: language).text.contains(words["unknownApp"]))
    }

    @Test("Templates contain no text of their own") func templates() {
        #expect(Self.templates.count == 8)
        for template in Self.templates.values.map({ String(decoding: $0, as: UTF8.self) }) {
            let visible = template.replacing(
                /{{\$frame}}[^{]*|<[^>]*>|{{[^}]*}}|&#?[a-z0-9]+;/,
                with: ""
            )
            #expect(!visible.contains(/[A-Za-z]/), "\(visible)")
        }
    }

    @Test("A notice reports the result, and an error belongs to its field") func messages() throws {
        #expect(try draw("account").text.contains("role=\"status\">Hidden mail is forwarded to"))
        let page = AppleAccountPage(
            content: .signIn(transaction: "t1", email: "maya@example.com", knownPeople: []),
            problem: .wrongPassword
        )
        let html = renderer.draw(.account(page), in: .english).text
        #expect(html.contains("<title>Error: "))
        #expect(html.contains("role=\"alert\" id=\"error\">The Apple Account or password"))
        #expect(html.contains("value=\"maya@example.com\""))
        #expect(html.contains("name=\"transaction\" value=\"t1\""))
    }

    @Test("A chosen value is shown as chosen") func choices() throws {
        let account = try draw("account").text
        #expect(account.contains("value=\"maya@example.com\" checked"))
        #expect(account.contains("href=\"/account/app?client_id=com.example.juice\""))
        #expect(try draw("account-app").text.contains("aria-checked=\"true\""))
    }

    @Test("Values are escaped code point by code point on every page") func escaping() {
        for (name, page) in AccountSamples.pages(SheetPageContentTests.hostile) {
            let html = renderer.draw(page, in: .english).text
            let scalars = html.unicodeScalars.map(\.value)
            #expect(scalars.contains("&quot;\u{301}".unicodeScalars.map(\.value)), "\(name)")
            #expect(!scalars.contains("<\u{338}".unicodeScalars.map(\.value)), "\(name)")
            #expect(html.components(separatedBy: "</style>").count == 2)
        }
    }

    @Test("The pages run no script and send no form elsewhere") func policy() throws {
        let (text, fields) = try draw("account-sign-in")
        let policy = try #require(fields[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"))
        #expect(!policy.contains("script-src") && !text.contains("<script"))
        #expect(fields[.cacheControl] == "no-store")
        let name = try #require(HTTPField.Name("X-Frame-Options"))
        #expect(fields[name] == "DENY")
    }

    @Test("Every page has one heading, labelled fields and a language") func markup() {
        for (_, page) in AccountSamples.all {
            let html = renderer.draw(page, in: .english).text
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
