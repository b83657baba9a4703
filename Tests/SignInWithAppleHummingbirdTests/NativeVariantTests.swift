import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import SignInWithAppleHummingbird
import TestSupport
import Testing

/// Apps of other kinds: those that keep no cookies, servers without a key, nonces of the server.
@Suite("Signing in from an app, otherwise", Ledger.lending) struct NativeVariantTests {
    private let (ledger, world, replica): (Ledger, HelloWorld, HelloWorld)
    init() throws { (ledger, world, replica) = try Ledger.lending.value }

    private func request(
        _ credential: TestCredential,
        name: String? = "Maya",
        nonce: String? = nil
    ) -> JSONObject {
        let name = name.map { PersonName(givenName: $0) }
        return HelloWorld.request(credential, name: name, nonce: nonce)
    }

    @Test("An app without cookies resumes with the token of the problem document, on any replica")
    func resumeToken() async throws {
        await ledger.fail(with: Ledger.Failure())
        let credential = try await world.apple.credentials()
        let failed = try await world.signIn(request(credential))
        let token = try #require(failed.json?["resumeToken"]?.stringValue)
        // The beginning of a token's header; three letters of it occur in encrypted text by chance.
        #expect(!token.contains("Maya") && !token.contains(/eyJ(raWQi|hbGci)/))
        await ledger.fail(with: nil)

        let plain = try await replica.signIn(request(credential))
        #expect(plain.json?["code"] == "apple_refused_grant")
        var again = request(credential, name: nil)
        again["resumeToken"] = .string(token.replacing(/.$/) { $0.output == "A" ? "B" : "A" })
        #expect(try await replica.signIn(again).json?["code"] == "apple_refused_grant")
        again["resumeToken"] = .string(token)
        #expect(try await replica.signIn(again).status == .created)
        let signIn = try #require(await ledger.signIns.first)
        #expect(signIn.name?.givenName == "Maya")
        #expect(signIn.grant?.refreshToken?.isEmpty == false)
    }

    @Test("A resume token is useless with another user's sign-in")
    func anotherPersonsResumeToken() async throws {
        await ledger.fail(with: Ledger.Failure())
        let maya = try await world.signIn(request(try await world.apple.credentials()))
        await ledger.fail(with: nil)
        let noah = try await world.apple.credentials(for: "noah@example.com")
        var body = request(noah, name: nil)
        body["resumeToken"] = maya.json?["resumeToken"]
        #expect(try await world.signIn(body).status == .created)
        #expect(await ledger.signIns.map(\.name) == [nil])
    }

    @Test("A resume token opens sessions until the developer's function rejects the used token")
    func repeatedResumeToken() async throws {
        let used = LockedValue<Set<String>>([])
        let router = try Router()
            .signInWithApple(
                world.apple.signIn(),
                native: NativeEndpoint(appIDs: ["com.example.juice"])
            ) { signIn, _ in
                let session = try await ledger.add(signIn)
                guard used.withLock({ $0.insert(signIn.identityToken).inserted }) else {
                    throw RefusedSignIn(
                        code: .init(rawValue: "token_replayed"),
                        status: .unauthorized,
                        message: "Used.",
                        hint: "used"
                    )
                }
                return .session(session)
            }
        try await Application(router: router).test(.router) { client in
            let own = HelloWorld(apple: world.apple, client: client)
            await ledger.fail(with: Ledger.Failure())
            let credential = try await world.apple.credentials()
            let failed = try await own.signIn(request(credential))
            await ledger.fail(with: nil)
            var body = request(credential, name: nil)
            body["resumeToken"] = failed.json?["resumeToken"]
            #expect(try await own.signIn(body).status == .created)
            let again = try await own.signIn(body)
            #expect(again.json?["code"] == "token_replayed")
        }
        #expect(await ledger.signIns.count == 2)
    }

    @Test("Apple's keys, unavailable after the code is used up, cost nothing")
    func keysAway() async throws {
        // The server knows the key that signs the credential, and not the one of the response.
        _ = try await world.signIn(request(try await world.apple.credentials()))
        let credential = try await world.apple.credentials()
        _ = try await world.apple.emulator.rotateSigningKeys([:])
        _ = try await world.apple.emulator.addFault(["endpoint": "keys", "status": 503, "count": 1])
        let failed = try await world.signIn(request(credential))
        #expect(failed.json?["code"] == "apple_keys_unavailable")
        let seconds = try #require(failed.headers[.retryAfter].flatMap { Int($0) })
        world.apple.time.advance(bySeconds: TimeInterval(seconds))
        var again = request(credential)
        again["resumeToken"] = failed.json?["resumeToken"]
        #expect(try await world.signIn(again).status == .created)
        #expect(await ledger.signIns.last?.grant?.refreshToken?.isEmpty == false)
    }

    @Test("A response to the code about another user is rejected")
    func anotherPerson() async throws {
        let maya = try await world.apple.credentials()
        let noah = try await world.apple.credentials(for: "noah@example.com")
        let transport = AppleTransport { [transport = world.apple.transport] request, body in
            let text = String(decoding: body, as: UTF8.self)
                .replacing(maya.authorizationCode, with: noah.authorizationCode)
            return try await transport.send(request, body: Data(text.utf8))
        }
        let apple = AppleSignIn(
            configuration: try world.apple.signInConfiguration(),
            transport: transport,
            time: world.apple.time.source
        )
        try await Application(router: ledger.router(apple: apple)).test(.router) { client in
            let world = HelloWorld(apple: world.apple, client: client)
            let refused = try await world.signIn(request(maya))
            #expect(refused.status == .unauthorized)
            #expect(refused.json?["code"] == "identity_mismatch")
        }
        #expect(await ledger.signIns.isEmpty)
    }

    @Test("A code that another replica exchanges meanwhile is a repeated sign-in")
    func exchangedElsewhere() async throws {
        let (ledger, world) = (ledger, world)
        let body = request(try await world.apple.credentials())
        let transport = AppleTransport { [transport = world.apple.transport] request, content in
            if request.path == ApplePath.token, await ledger.signIns.isEmpty {
                let status = try await world.signIn(body).status
                #expect(status == .created)
            }
            return try await transport.send(request, body: content)
        }
        let apple = AppleSignIn(
            configuration: try world.apple.signInConfiguration(),
            transport: transport,
            time: world.apple.time.source
        )
        let router = try Router().signInWithApple(
            apple,
            native: NativeEndpoint(appIDs: ["com.example.juice"]),
            beforeExchange: { _, _ in
                guard await ledger.signIns.isEmpty else {
                    throw RefusedSignIn(
                        code: .init(rawValue: "used"),
                        status: .unauthorized,
                        message: "Used.",
                        hint: "used"
                    )
                }
            },
            onSignIn: { signIn, _ in .session(try await ledger.add(signIn)) }
        )
        try await Application(router: router).test(.router) { client in
            let other = HelloWorld(apple: world.apple, client: client)
            let repeated = try await other.signIn(body)
            #expect(repeated.json?["code"] == "used")
        }
        #expect(await ledger.signIns.count == 1)
    }

    @Test("Without the team's key a code is ignored, and nothing is stored")
    func withoutKey() async throws {
        var configuration = try world.apple.signInConfiguration()
        configuration.key = nil
        let apple = AppleSignIn(
            configuration: configuration,
            transport: world.apple.transport,
            time: world.apple.time.source
        )
        let native = NativeEndpoint(appIDs: ["com.example.juice"], requiresCode: false)
        let router = try Router().signInWithApple(apple, native: native) { signIn, _ in
            .session(try await ledger.add(signIn))
        }
        try await Application(router: router).test(.router) { client in
            let world = HelloWorld(apple: world.apple, client: client)
            let body = request(try await world.apple.credentials())
            await ledger.fail(with: Ledger.Failure())
            let failed = try await world.signIn(body)
            #expect(failed.status == .serviceUnavailable)
            #expect(failed.headers[values: .setCookie].isEmpty)
            #expect(failed.json?["resumeToken"] == nil)
            await ledger.fail(with: nil)
            #expect(try await world.signIn(body).status == .created)
            let signIn = try #require(await ledger.signIns.first)
            #expect(signIn.grant == nil)
            #expect(signIn.name?.givenName == "Maya")
        }
    }
}
