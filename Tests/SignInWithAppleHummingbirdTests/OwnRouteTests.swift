import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ServerTestSupport
import SignInWithApple
import SignInWithAppleHummingbird
import TestSupport
import Testing

@Suite("A route of one's own", HelloWorld.lending) struct OwnRouteTests {
    private let world: HelloWorld
    init() throws { world = try HelloWorld.lending.value }

    @Test("responds to an error of a token with its status and its message, without the hint")
    func wrongToken() async throws {
        let apple = try world.apple.signIn()
        let router = Router()
        router.post("verify") { request, _ in
            let token = try await request.body.collect(upTo: 10_000)
            let expectation = IdentityTokenExpectation(nonce: .unchecked)
            return try await apple.verify(String(buffer: token), expecting: expectation).userID
                .rawValue
        }
        try await Application(router: router).test(.router) { client in
            let refused = try await client.execute(
                uri: "/verify",
                method: .post,
                body: ByteBuffer(string: "a.b.c")
            )
            #expect(refused.status == .unauthorized)
            #expect(refused.headers[.wwwAuthenticate] == "Bearer")
            let error = await #expect(throws: SignInError.self) {
                try await apple.verify("a.b.c", expecting: .init(nonce: .unchecked))
            }
            #expect(refused.text.contains(try #require(error?.message)))
            #expect(!refused.text.contains(try #require(error?.hint)))
        }
    }

    @Test("responds with Retry-After when Apple cannot be reached")
    func unreachable() async throws {
        let apple = AppleSignIn(
            configuration: .init(appIDs: ["com.example.juice"]),
            transport: AppleTransport { _, _ in .init(head: HTTPResponse(status: .badGateway)) }
        )
        let token = try await world.apple.credentials().identityToken
        let router = Router()
        router.get("verify") { _, _ in
            try await apple.verify(token, expecting: .init(nonce: .unchecked)).userID.rawValue
        }
        try await Application(router: router).test(.router) { client in
            let refused = try await client.execute(uri: "/verify", method: .get)
            #expect(refused.status == .serviceUnavailable)
            #expect(refused.headers[.retryAfter] != nil)
            #expect(refused.headers[.wwwAuthenticate] == nil)
        }
    }

    @Test("calls the routes itself, with the conversions of requests and responses")
    func ownRouter() async throws {
        let routes: [SignInRoute<Void>] = try world.apple.signIn()
            .signInRoutes(native: NativeEndpoint(appIDs: ["com.example.juice"])) { signIn, _ in
                .response(SignInResponse(status: .accepted))
            }
        let route = try #require(routes.first)
        let router = Router()
        router.post("auth/apple/native") { request, context in
            Response(
                try await route.respond(
                    to: request.signInRequest(),
                    context: (),
                    logger: context.logger
                )
            )
        }
        try await Application(router: router).test(.router) { client in
            let world = HelloWorld(apple: world.apple, client: client)
            let credential = try await world.apple.credentials()
            #expect(try await world.signIn(HelloWorld.request(credential)).status == .accepted)
        }
        let head = HTTPRequest(
            method: .post,
            scheme: nil,
            authority: nil,
            path: "/auth/apple/native",
            headerFields: [.contentType: "application/json"]
        )
        let body = Data(count: route.maximumBodyByteCount + 1)
        let refused = try await route.respond(
            to: SignInRequest(head: head, body: body),
            context: (),
            logger: Logger(label: "test")
        )
        #expect(refused.status == .contentTooLarge)
    }

    @Test("logs no refusal that the team answers itself")
    func handledRefusal() async throws {
        for isHandled in [true, false] {
            let log = LogRecorder()
            let routes: [SignInRoute<Void>] = try world.apple.signIn().signInRoutes(
                native: NativeEndpoint(),
                onRefusal: { _, _, _ in isHandled ? SignInResponse(status: .conflict) : nil },
                onSignIn: { _, _ in .response(SignInResponse(status: .accepted)) }
            )
            _ = try await routes[0].respond(
                to: SignInRequest(
                    method: "POST",
                    target: "/auth/apple/native",
                    headers: [.contentType: "application/json"],
                    body: Data()
                ),
                context: (),
                logger: log.logger
            )
            #expect(log.text.hasPrefix("notice sign-in refused") != isHandled, "\(log.text)")
        }
    }

    @Test("leaves a refusal to the routes by returning nil")
    func defaultRefusal() async throws {
        let router = try Router()
            .signInWithApple(
                world.apple.signIn(),
                native: NativeEndpoint(appIDs: ["com.example.juice"]),
                onRefusal: { refusal, _, _ in
                    refusal.code.rawValue == "json_unreadable"
                        ? nil : Response(status: .conflict)
                },
                onSignIn: { _, _ in .response(SignInResponse(status: .accepted)) }
            )
        try await Application(router: router).test(.router) { client in
            func post(_ body: String) async throws -> TestResponse {
                try await client.execute(
                    uri: "/auth/apple/native",
                    method: .post,
                    headers: [.contentType: "application/json"],
                    body: ByteBuffer(string: body)
                )
            }
            #expect(try await post("{}").status == .conflict)
            let left = try await post("{")
            #expect(left.status == .badRequest && left.json?["code"] == "json_unreadable")
        }
    }
}
