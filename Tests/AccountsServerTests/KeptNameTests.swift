import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import SignInWithApple
import Testing

/// When a first callback is refused for any reason, the next sign-in in the browser still has the
/// name.
@Suite(TestServer.lending) struct KeptNameTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    private static let cookiePrefix = "__Host-siwa-name-"

    /// The ways to cause a refusal without changes to Apple, the server and the browser.
    enum Cause: Sendable {
        /// Apple issues an invalid token.
        case token(String)
        /// One of Apple's endpoints responds like this, once.
        case fault(endpoint: String, status: Int, body: String)
        /// This number of seconds pass at Apple's page.
        case waiting(TimeInterval)
    }

    static let refusals: [(SignInError.Code, Cause)] = [
        (.stateExpired, .waiting(601)),
        (.stateExpired, .waiting(86_000)),
        (.tokenUnknownKey, .token("unknown_key")),
        (.tokenNotYetValid, .token("issued_in_the_future")),
        (.tokenExpired, .token("expired")),
        (.tokenAudienceMismatch, .token("wrong_audience")),
        (.tokenNonceMismatch, .token("wrong_nonce")),
        (.tokenNonceMissing, .token("nonce_missing")),
        (.tokenCodeHashMismatch, .token("wrong_code_hash")),
        (.tokenSignatureInvalid, .token("bad_signature")),
        (.appleKeysUnavailable, .fault(endpoint: "keys", status: 503, body: "")),
        (.appleUnavailable, .fault(endpoint: "token", status: 503, body: "")),
        (.appleAnswerUnreadable, .fault(endpoint: "token", status: 200, body: "{}")),
        (.appleRefusedClient, .fault(endpoint: "token", status: 400, body: "invalid_client")),
        (.appleRefusedGrant, .fault(endpoint: "token", status: 400, body: "invalid_grant")),
        (.appleRefusedRequest, .fault(endpoint: "token", status: 400, body: "invalid_request")),
    ]

    /// Callbacks that Apple's page never sends to the browser that started: forged or changed ones.
    private static let forgeries: Set<SignInError.Code> = [
        .stateMissing, .stateDuplicate, .stateMismatch, .callbackMalformed, .callbackIncomplete,
        .tokenMalformed, .tokenTooLong, .tokenWrongKind, .tokenUnsupportedAlgorithm,
        .tokenIssuerMismatch, .tokenAccessTokenHashMismatch, .identityMismatch,
    ]

    /// Refusals that other tests cover: the page asks for the name or posts the response again,
    /// there is no name, no server starts, or it is not a callback of Apple's.
    private static let others: Set<SignInError.Code> = [
        .nameTooLong, .tokenKeyNotPublished, .authorizationCancelled, .clientSecretKeyInvalid,
        .configurationInvalid, .keysUnavailable, .notificationMalformed,
    ]

    @Test func everyRefusalIsInTheTable() {
        let known = Self.forgeries.union(Self.others).union(Self.refusals.map(\.0))
        #expect(Set(SignInError.Code.all) == known)
    }

    @Test(arguments: refusals)
    func nameArrivesWithTheNextSignIn(_ code: SignInError.Code, _ cause: Cause) async throws {
        let refused = try await refusedCallback(cause)
        #expect(refused.code == code.rawValue, "\(refused.text)")
        try await expectName("Maya")
    }

    /// Sends Maya's first callback and returns its refusal; afterwards everything works again.
    private func refusedCallback(_ cause: Cause = .waiting(601)) async throws -> TestResponse {
        let emulator = browser.server.apple.emulator
        if case .token(let defect) = cause {
            _ = try await emulator.changeSwitches(["identity_token_defect": .string(defect)])
        }
        let callback = try await browser.callback(name: PersonName(givenName: "Maya"))
        _ = try await emulator.changeSwitches(["identity_token_defect": "none"])
        switch cause {
        case .token: break
        case .waiting(let seconds): browser.server.apple.time.advance(bySeconds: seconds)
        case .fault(let endpoint, let status, let body):
            let body: JSONValue =
                body.hasPrefix("invalid") ? .object(["error": .string(body)]) : .string(body)
            _ = try await emulator.addFault([
                "endpoint": .string(endpoint), "status": .integer(status), "body": body, "count": 1,
            ])
        }
        let answer = try await browser.post(callback)
        browser.server.apple.time.advance(bySeconds: 60)
        return answer
    }

    private func expectName(_ name: String) async throws {
        let callback = try await browser.callback()
        #expect(callback["user"] == nil)
        let answer = try await browser.post(callback)
        let path = try #require(answer.headers[.location], "\(answer.text)")
        #expect(path == "/?notice=name-kept")
        let page = try await browser.get(path).text
        #expect(page.contains("Hello, \(name)"))
        #expect(page.contains("Your name comes from an earlier sign-in that failed."))
        #expect(page.contains("value=\"\(name)\""))
        #expect(browser.cookie { $0.hasPrefix(Self.cookiePrefix) } == nil)
    }

    @Test func nameIsNeverTakenOverOneThatIsThere() async throws {
        _ = try await refusedCallback()
        let other = TestBrowser(server)
        try await other.signIn()
        _ = try await other.post("/account/name", [("name", "Maya L.")])
        #expect(try await browser.post(browser.callback()).headers[.location] == "/")
        #expect(try await browser.get("/").text.contains("Hello, Maya L."))
    }

    @Test func nameIsNotTakenForAnotherPerson() async throws {
        _ = try await TestBrowser(server).callback(as: "noah@example.com")
        _ = try await refusedCallback()
        let answer = try await browser.post(browser.callback(as: "noah@example.com"))
        #expect(answer.headers[.location] == "/")
        #expect(try await browser.get("/").text.contains("We do not know your name."))
    }

    @Test func callbackOfAnotherBrowserLeavesNoName() async throws {
        let callback = try await TestBrowser(server)
            .callback(name: PersonName(givenName: "Maya"))
        #expect(try await browser.post(callback).code == "state_mismatch")
        #expect(browser.cookie { $0.hasPrefix(Self.cookiePrefix) } == nil)
    }

    @Test func cookieIsSealedAndLastsForAMonth() async throws {
        let refused = try await refusedCallback()
        let field = try #require(
            refused.headers[values: .setCookie].first { $0.hasPrefix(Self.cookiePrefix) }
        )
        #expect(field.contains("; Max-Age=2592000; Path=/; Secure; HttpOnly; SameSite=None"))
        #expect(!field.contains("Maya"))
    }
}
