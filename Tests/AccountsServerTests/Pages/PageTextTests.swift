import Foundation
import HTMLPages
import HTTPTypes
import Testing

@testable import AccountsServer

@Suite("Texts of the accounts server's pages")
struct PageTextTests {
    private static let now = Date(timeIntervalSince1970: 1_769_000_000)

    private func text(_ language: PageLanguage) throws -> PageText {
        let words = try #require(try PageLanguage.words(\.pageFile)[language])
        return PageText(language, words, appName: "Saft {name}")
    }

    @Test("Days and numbers follow the conventions of the language")
    func days() throws {
        let (english, german) = (try text(.english), try text(.german))
        #expect(english.day(Self.now) == "21 January 2026")
        #expect(german.day(Self.now) == "21. Januar 2026")
        #expect(english.number(12_345) == "12,345")
        #expect(german.number(12_345) == "12.345")
        #expect(try text(.french).day(Self.now) == "21 janvier 2026")
        #expect(try text(.spanish).day(Self.now) == "21 de enero de 2026")
        #expect(try text(.japanese).day(Self.now) == "2026年1月21日")
        #expect(try text(.korean).day(Self.now) == "2026년 1월 21일")
        #expect(try text(.arabic).day(Self.now) == "21 يناير، 2026")
        #expect(PageLanguage.english.moment(Self.now) == "21 January 2026 at 12:53 UTC")
        #expect(PageLanguage.japanese.moment(Self.now) == "2026年1月21日 12:53 UTC")
    }

    @Test(
        "Times are written as people say them",
        arguments: [
            (0.0, "A moment ago", "Gerade eben"), (119, "A moment ago", "Gerade eben"),
            (120, "2 minutes ago", "Vor 2 Minuten"), (3_599, "59 minutes ago", "Vor 59 Minuten"),
            (3_600, "An hour ago", "Vor einer Stunde"), (7_200, "2 hours ago", "Vor 2 Stunden"),
            (172_799, "47 hours ago", "Vor 47 Stunden"), (172_800, "2 days ago", "Vor 2 Tagen"),
            (-60, "A moment ago", "Gerade eben"),
        ]
    )
    func ago(seconds: TimeInterval, english: String, german: String) throws {
        let then = Self.now.addingTimeInterval(-seconds)
        #expect(try text(.english).ago(then, now: Self.now) == english)
        #expect(try text(.german).ago(then, now: Self.now) == german)
    }

    @Test("The app's name is a value, whatever it contains")
    func appName() throws {
        #expect(try text(.english)["welcome"] == "Welcome to Saft {name}")
        #expect(try text(.german).text("helloName", ["name": "{app}"]) == "Guten Tag, {app}")
    }

    @Test("A value in a sentence from right to left is isolated from it")
    func isolation() throws {
        let arabic = try text(.arabic)
        #expect(arabic["welcome"].contains("\u{2068}Saft {name}\u{2069}"))
        let pending = arabic.text("emailPending", ["address": "7@example.com"])
        #expect(pending.contains("\u{2068}7@example.com\u{2069}"))
    }

    @Test("The name of a browser is shown in the reader's language, the name of an app unchanged")
    func devices() throws {
        let german = try text(.german)
        #expect(DeviceDescription.text(of: "Safari on Mac", in: german) == "Safari auf Mac")
        #expect(DeviceDescription.text(of: "Edge 120 on Mac", in: german) == "Edge 120 auf Mac")
        #expect(DeviceDescription.text(of: "", in: german) == "Unbekanntes Gerät")
        for device in [
            "Juice/1.0 on Mac", "Safari on Foo", "Safari 17", "Safari 1.7 on Mac",
            "Safari 17 7 on Mac", "Safari  on Mac", "Safari 12345 on Mac", " on ",
        ] {
            #expect(DeviceDescription.text(of: device, in: german) == device)
        }
    }

    @Test(
        "A browser's name has its version",
        arguments: [
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15", "Safari on Mac"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Safari/604.1",
                "Safari 17 on iPhone"
            ),
            ("Mozilla/5.0 (Windows NT 10) Chrome/120.0 Safari/537", "Chrome 120 on Windows"),
            ("Mozilla/5.0 (Linux; Android 14) Chrome/120.0 EdgA/119.0", "Edge 119 on Android"),
            ("Mozilla/5.0 (X11; Linux x86_64) Firefox/ 7", "Firefox on Linux"),
            ("Chrome/123456", "Chrome 1234"), ("Juice 2.1 on iPhone", "Juice 2.1 on iPhone"),
        ]
    )
    func versions(userAgent: String, name: String) {
        var request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        request.headerFields[.userAgent] = userAgent
        #expect(DeviceDescription.of(request) == name)
    }

    @Test("A refusal without a sentence in the language shows its own message")
    func unknown() throws {
        let error = ServerError("new_code", .conflict, "Something new.", hint: "")
        #expect(try text(.german).sentence(of: error) == "Something new.")
    }

    @Test("Numbers in the sentence of a refusal follow the conventions of the language")
    func parameters() throws {
        var error = ServerError("name_too_long", .conflict, "", hint: "")
        error.parameters = ["maximum": "2000"]
        #expect(try text(.german).sentence(of: error) == "Der Name hat mehr als 2.000 Zeichen.")
        #expect(
            try text(.english).sentence(of: error) == "The name is longer than 2,000 characters."
        )
    }
}
