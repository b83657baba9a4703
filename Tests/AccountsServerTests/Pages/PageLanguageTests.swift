import Accounts
import HTMLPages
import HTTPTypes
import HummingbirdTesting
import SignInWithApple
import Testing

@testable import AccountsServer

@Suite("The languages of the accounts server's pages", TestServer.lending)
struct PageLanguageTests {
    private let server: TestServer
    private let words: [PageLanguage: PageStrings]
    private let english: PageStrings

    init() throws {
        server = try TestServer.lending.lent.0
        words = try PageLanguage.words(\.pageFile)
        english = try #require(words[.english])
    }

    private static func values(in text: String) -> Set<String> {
        Set(text.matches(of: /\{([^}]*)\}/).map { String($0.output.1) })
    }

    @Test(
        "Every code of the accounts and of the library has a sentence of its own in every language"
    )
    func codes() {
        let codes =
            AccountsError.Code.allCases.map(\.rawValue) + SignInError.Code.all.map(\.rawValue)
        for (language, words) in words {
            for code in codes {
                #expect(words.texts["error.\(code)"] != nil, "\(language) \(code)")
            }
        }
    }

    @Test("The values in every sentence about the accounts are those of the error")
    func parameters() {
        for code in AccountsError.Code.allCases {
            let names = Self.values(in: english["error.\(code)"])
            let error = AccountsError(code, hint: "")
            // The English sentence for programs shows a question mark for a missing value.
            #expect(names.isEmpty || error.message.contains("?"), "\(code): \(names)")
        }
    }

    @Test(
        "Pages are in the browser's preferred language",
        arguments: [
            (nil, "en"), ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("it, de;q=0.5", "de"),
            ("de;q=0.4, en;q=0.5", "en"), ("de;q=0", "en"), ("it", "en"), ("*", "en"),
            ("fr-CA", "fr"), ("es-MX", "es"), ("ja", "ja"), ("ko-KR", "ko"),
            ("de" + String(repeating: ",xx", count: 400), "en"),
        ] as [(String?, String)]
    )
    func chosen(field: String?, tag: String) async throws {
        var headers: HTTPFields = [.accept: "text/html"]
        headers[.acceptLanguage] = field
        for path in ["/sign-in", "/nowhere"] {
            let page = try await server.send(.get, path, headers)
            #expect(page.headers[.contentLanguage] == tag)
            #expect(page.headers[.vary] == "Accept-Language")
            #expect(page.text.contains("<html lang=\"\(tag)\">"))
        }
    }

    @Test("Problem documents stay English")
    func problems() async throws {
        let refused = try await server.send(.get, "/api/account", [.acceptLanguage: "de"])
        #expect(refused.json?["detail"] == "You are not signed in.")
        #expect(refused.headers[.contentLanguage] == nil)
    }

    @Test("A refusal is shown in the browser's language")
    func refusal() async throws {
        let refused = try await server.send(.post, "/sign-out", [.acceptLanguage: "de"])
        expectRefusal(refused, .forbidden, "cross_site_request")
        #expect(refused.text.contains("Diese Anfrage kam nicht von einer unserer eigenen"))
    }
}
