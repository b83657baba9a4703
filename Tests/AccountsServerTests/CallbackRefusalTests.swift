import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import Testing

/// Each test breaks one part of a valid callback, and then shows that nothing was consumed.
@Suite(TestServer.lending) struct CallbackRefusalTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    private func refuses(
        _ code: String,
        _ status: HTTPResponse.Status = .badRequest,
        isGoodAfterwards: Bool = true,
        changing change: @escaping @Sendable ([(String, String)]) -> [(String, String)]
    ) async throws {
        let callback = try await browser.callback(name: PersonName(givenName: "Maya"))
        let fields = callback.fields.map { ($0.name, $0.value) }
        let refused = try await browser.postCallback(TestBrowser.form(change(fields)))
        #expect(refused.status == status, "\(refused.text)")
        #expect(refused.code == code)
        #expect(refused.headers[.contentType] == "text/html; charset=utf-8")
        #expect(refused.text.contains("href=\"/\""))
        #expect(server.log.text.contains(code))
        guard isGoodAfterwards else { return }
        #expect(try await browser.post(callback).status == .seeOther)
        #expect(try await browser.get("/").text.contains("Hello, Maya"))
    }

    @Test func stateMissing() async throws {
        try await refuses("state_missing") { $0.filter { $0.0 != "state" } }
    }

    @Test func stateDuplicate() async throws {
        try await refuses("state_duplicate") { $0 + $0.filter { $0.0 == "state" } }
    }

    @Test(arguments: ["nonsense", "0123456789abcdef.1769000000.0123456789abcdef0123456789abcdef"])
    func stateMismatch(_ state: String) async throws {
        try await refuses("state_mismatch") { fields in
            fields.map { $0.0 == "state" ? ("state", state) : $0 }
        }
    }

    @Test func stateWithAnotherSecret() async throws {
        try await refuses("state_mismatch") { fields in
            fields.map { field in
                guard field.0 == "state" else { return field }
                let last = field.1.hasSuffix("0") ? "1" : "0"
                return ("state", String(field.1.dropLast()) + last)
            }
        }
    }

    @Test func codeDuplicate() async throws {
        try await refuses("callback_malformed") { $0 + $0.filter { $0.0 == "code" } }
    }

    @Test func identityTokenMissing() async throws {
        try await refuses("callback_incomplete") { $0.filter { $0.0 != "id_token" } }
    }

    @Test func identityTokenAltered() async throws {
        try await refuses("token_signature_invalid", .unauthorized) { fields in
            fields.map { $0.0 == "id_token" ? ("id_token", AlteredToken.of($0.1)) : $0 }
        }
    }

    @Test func codeOfAnotherSignIn() async throws {
        try await refuses("token_code_hash_mismatch", .unauthorized) { fields in
            fields.map { $0.0 == "code" ? ("code", "c" + $0.1) : $0 }
        }
    }

    @Test func anotherBrowserCannotFinishIt() async throws {
        let callback = try await TestBrowser(server).callback()
        expectRefusal(try await TestBrowser(server).post(callback), .badRequest, "state_mismatch")
    }

    @Test func tooLate() async throws {
        let callback = try await browser.callback()
        server.apple.time.advance(bySeconds: 601)
        #expect(try await browser.post(callback).code == "state_expired")
        // A real browser has dropped the cookie by then.
        #expect(try await TestBrowser(server).post(callback).code == "state_expired")
    }

    @Test func secondUseIsRefused() async throws {
        let callback = try await browser.callback()
        #expect(try await browser.post(callback).status == .seeOther)
        #expect(try await browser.post(callback).code == "state_mismatch")
    }

    @Test func twoMegabytesAreRefused() async throws {
        let body = "state=x&id_token=" + String(repeating: "a", count: 2_000_000)
        expectRefusal(try await browser.postCallback(body), .contentTooLarge, "content_too_large")
    }

    @Test func otherContentTypesAndMethodsAreRefused() async throws {
        let path = "/sign-in/apple/callback"
        let json = try await server.send(.post, path, .json, body: "{}")
        expectRefusal(json, .unsupportedMediaType, "content_type_unsupported")
        let put = try await server.send(.put, path)
        #expect(put.status == .methodNotAllowed)
        #expect(put.headers[.allow] == "GET, HEAD, POST")
    }

    @Test func openedAsAPageItLeadsToTheSignInPage() async throws {
        let get = try await browser.get("/sign-in/apple/callback?state=x&code=y")
        #expect(get.status == .seeOther)
        #expect(get.headers[.location] == "/sign-in")
    }
}
