import AppleEmulatorTesting
import AppleIdentity
import AsyncHTTPClient
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOHTTP1
import SignInWithApple
import Synchronization
import TestSupport
import Testing

/// A browser that posts one callback twice, and drops the first response.
@Suite(TestServer.lending) struct DoubledCallbackTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    private static let pendingPrefix = "__Host-siwa-pending-"
    private static let sessionPrefix = "__Host-siwa-session="

    /// Posts a callback whose response never reaches the browser.
    private func postUnanswered(
        _ callback: TestCallback,
        of browser: TestBrowser,
        to server: TestServer
    ) async throws -> TestResponse {
        let cookie = try #require(browser.cookie { $0.hasPrefix(Self.pendingPrefix) })
        return try await server.send(
            .post,
            "/sign-in/apple/callback",
            [
                .cookie: "\(cookie.name)=\(cookie.value)", .accept: "text/html",
                .contentType: "application/x-www-form-urlencoded",
            ],
            body: String(decoding: callback.formBody, as: UTF8.self)
        )
    }

    /// The status of a request with the session of a response.
    private func status(ofSessionIn answer: TestResponse, _ server: TestServer) async throws -> Int
    {
        let field = try #require(
            answer.headers[values: .setCookie].first { $0.hasPrefix(Self.sessionPrefix) }
        )
        let cookie = String(field.prefix { $0 != ";" })
        return try await server.send(.get, "/api/account", [.cookie: cookie]).status.code
    }

    @Test func browserEndsSignedInWhileAppleIsSlow() async throws {
        let line = SlowLine()
        try await withAccountsServer(reaching: line.leading) { server in
            let browser = TestBrowser(server)
            let callback = try await browser.callback(name: PersonName(givenName: "Maya"))
            let first = Task { try await postUnanswered(callback, of: browser, to: server) }
            try await waitUntil("the first is at Apple") { line.count == 1 }
            let second = Task { try await browser.post(callback) }
            line.answer()
            let lost = try await first.value
            #expect(lost.status == .seeOther)
            let answer = try await second.value
            #expect(answer.status == .seeOther, "\(answer.text)")
            #expect(try await browser.get("/").text.contains("Hello, Maya"))
            #expect(try await status(ofSessionIn: lost, server) == 401)
            #expect(line.count == 1)
            #expect(browser.cookie { $0.hasPrefix(Self.pendingPrefix) } == nil)
        }
    }

    @Test func droppedConnectionKeepsTheFirstGoing() async throws {
        let line = SlowLine()
        try await withAccountsServer(setup: .live, reaching: line.leading) { server in
            let browser = TestBrowser(server)
            let callback = try await browser.callback(name: PersonName(givenName: "Maya"))
            let cookie = try #require(browser.cookie { $0.hasPrefix(Self.pendingPrefix) })
            let port = try #require(server.client.port)
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/sign-in/apple/callback")
            request.method = .POST
            request.headers.add(name: "Cookie", value: "\(cookie.name)=\(cookie.value)")
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(callback.formBody)
            let dropped = Task { [request] in
                try await HTTPClient.shared.execute(request, timeout: .seconds(60))
            }
            try await waitUntil("the first is at Apple") { line.count == 1 }
            dropped.cancel()
            await #expect(throws: (any Error).self) { try await dropped.value }
            let second = Task { try await browser.post(callback) }
            line.answer()
            let answer = try await second.value
            #expect(answer.status == .seeOther, "\(answer.text)")
            #expect(try await browser.get("/").text.contains("Hello, Maya"))
            #expect(line.count == 1)
        }
    }

    @Test func secondPostMayReachAnotherReplica() async throws {
        try await SkewedServers.with(skew: 0) { one, other in
            let browser = TestBrowser(one)
            let callback = try await browser.callback()
            let first = try await postUnanswered(callback, of: browser, to: one)
            let second = try await postUnanswered(callback, of: browser, to: other)
            #expect(first.status == .seeOther && second.status == .seeOther, "\(second.text)")
            #expect(try await status(ofSessionIn: first, other) == 401)
            #expect(try await status(ofSessionIn: second, one) == 200)
        }
    }

    @Test func afterAMinuteASecondPostIsRefused() async throws {
        let callback = try await browser.callback()
        let first = try await postUnanswered(callback, of: browser, to: server)
        server.apple.time.advance(bySeconds: 61)
        #expect(try await browser.post(callback).code == "token_replayed")
        #expect(try await status(ofSessionIn: first, server) == 200)
    }

    @Test func endedSessionIsNotBroughtBack() async throws {
        let callback = try await browser.callback()
        let first = try await postUnanswered(callback, of: browser, to: server)
        let field = try #require(
            first.headers[values: .setCookie].first { $0.hasPrefix(Self.sessionPrefix) }
        )
        let token = String(field.dropFirst(Self.sessionPrefix.count).prefix { $0 != ";" })
        let end = try await server.delete("/api/sessions/current", token)
        #expect(end.status == .noContent)
        #expect(try await browser.post(callback).code == "token_replayed")
    }

    @Test func linkThatIsThereIsShown() async throws {
        try await browser.createAccount()
        let callback = try await browser.callback(goal: "?purpose=link")
        let first = try await postUnanswered(callback, of: browser, to: server)
        let second = try await browser.post(callback)
        #expect(first.status == .seeOther && second.status == .seeOther, "\(second.text)")
    }
}

/// The server's transport to Apple, whose token endpoint responds late.
private final class SlowLine: Sendable {
    private let state = Mutex((count: 0, isAnswering: false))

    /// The number of requests that exchange a code.
    var count: Int { state.withLock(\.count) }

    func answer() {
        state.withLock { $0.isAnswering = true }
    }

    func leading(_ transport: AppleTransport) -> AppleTransport {
        AppleTransport { request, body in
            let answer = try await transport.send(request, body: body)
            if request.path == ApplePath.token {
                self.state.withLock { $0.count += 1 }
                try await waitUntil("Apple answers") { self.state.withLock(\.isAnswering) }
            }
            return answer
        }
    }
}
