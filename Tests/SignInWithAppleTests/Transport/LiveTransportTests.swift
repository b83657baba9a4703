import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

/// The transport over a real socket, against a server on loopback.
@Suite struct LiveTransportTests {
    private func request(_ method: HTTPRequest.Method, _ path: String, port: Int) -> HTTPRequest {
        HTTPRequest(
            method: method,
            scheme: "http",
            authority: "127.0.0.1:\(port)",
            path: path,
            headerFields: [.contentType: "application/x-www-form-urlencoded"]
        )
    }

    private static func signIn(at address: String) throws -> AppleSignIn {
        AppleSignIn(
            configuration: AppleSignIn.Configuration(
                appIDs: [TokenDraft.clientID],
                key: try TestSecretKey().key(),
                service: AppleService(url: try #require(URL(string: address)))
            )
        )
    }

    @Test func exchangeCarriesMethodFieldsAndBody() async throws {
        let router = Router()
        router.post("/echo") { request, context in
            let body = try await request.body.collect(upTo: 1024)
            let type = request.headers[.contentType] ?? ""
            return Response(
                status: .badRequest,
                headers: [.cacheControl: "max-age=900"],
                body: .init(byteBuffer: ByteBuffer(string: "\(type) \(String(buffer: body))"))
            )
        }
        try await withLoopbackServer(router) { port in
            let response = try await AppleTransport.live()
                .send(request(.post, "/echo?a=b", port: port), body: Data("c=d".utf8))
            #expect(response.head.status.code == 400)
            #expect(response.head.headerFields[.cacheControl] == "max-age=900")
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(text == "application/x-www-form-urlencoded c=d")
        }
    }

    @Test func redirectsAreNotFollowed() async throws {
        let isFollowed = LockedValue(false)
        let router = Router()
        router.get("/from") { _, _ in Response.redirect(to: "/to", type: .temporary) }
        router.get("/to") { _, _ in
            isFollowed.withLock { $0 = true }
            return "followed"
        }
        try await withLoopbackServer(router) { port in
            let response = try await AppleTransport.live()
                .send(request(.get, "/from", port: port), body: Data())
            #expect(response.head.status.code == 307)
            #expect(!isFollowed.withLock { $0 })
        }
    }

    @Test func answersBeyondTheLimitAreGivenUp() async throws {
        let router = Router()
        router.get("/long") { _, _ in String(repeating: "a", count: 256 * 1024 + 1) }
        try await withLoopbackServer(router) { port in
            await #expect(throws: (any Error).self) {
                try await AppleTransport.live()
                    .send(request(.get, "/long", port: port), body: Data())
            }
        }
    }

    @Test func manyRequestsNeedNotWaitForEachOther() async throws {
        let waitingCount = LockedValue(0)
        let router = Router()
        router.get("/") { _, _ in
            waitingCount.withLock { $0 += 1 }
            try await waitUntil("all are here") { waitingCount.withLock(\.self) == 20 }
            return "all are here"
        }
        try await withLoopbackServer(router) { port in
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        let asked = request(.get, "/", port: port)
                        return try await AppleTransport.live().send(asked, body: Data()).head.status
                    }
                }
                for try await status in group { #expect(status == .ok) }
            }
        }
    }

    @Test func nobodyListening() async throws {
        let signIn = try Self.signIn(at: "http://127.0.0.1:1")
        await expectRefusal(.appleUnavailable) {
            try await signIn.revoke("r.refresh", clientID: TokenDraft.clientID)
        }
    }

    @Test(arguments: [
        "file:///etc/passwd", "appleid.apple.com", "ftp://appleid.apple.com", "https://",
    ])
    func addressThatIsNone(text: String) async throws {
        let signIn = try Self.signIn(at: text)
        await expectRefusal(.configurationInvalid) {
            try await signIn.revoke("r.refresh", clientID: TokenDraft.clientID)
        }
        await expectRefusal(.configurationInvalid) {
            try await signIn.verify(TokenDraft(at: ManualTime().now).signed())
        }
    }

    @Test(arguments: ["http://appleid.apple.com", "http://apple:8081", "HTTP://192.0.2.1:8081"])
    func plainHTTPLeadsToAnEmulatorThatIsCalledSo(text: String) async throws {
        let apple = ScriptedApple()
        let url = try #require(URL(string: text))
        func revoke(at service: AppleService) async throws {
            let signIn = apple.signIn(key: try TestSecretKey().key(), service: service)
            try await signIn.revoke("r.refresh", clientID: TokenDraft.clientID)
        }
        apple.answer(ApplePath.revoke, "")
        let error = await expectRefusal(.configurationInvalid) {
            try await revoke(at: AppleService(url: url))
        }
        #expect(error?.hint.contains("emulator") == true)
        #expect(apple.asked(ApplePath.revoke).isEmpty)
        try await revoke(at: .emulator(url: url))
        #expect(apple.asked(ApplePath.revoke).count == 1)
    }

    @Test func namesBelowLocalhostAreThisMachine() async throws {
        let router = Router()
        router.get("/") { request, _ in request.head.authority ?? "" }
        try await withLoopbackServer(router) { port in
            var asked = request(.get, "/", port: port)
            asked.authority = "appleid.localhost:\(port)"
            let response = try await AppleTransport.live().send(asked, body: Data())
            #expect(response.head.status == .ok)
            #expect(String(decoding: response.body, as: UTF8.self) == "appleid.localhost:\(port)")
        }
    }
}
