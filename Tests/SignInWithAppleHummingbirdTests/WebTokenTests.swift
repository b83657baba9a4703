import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import SignInWithAppleHummingbird
import SignedTokens
import TestSupport
import Testing

@Suite("Signing in with the token of a Services ID", Ledger.lending) struct WebTokenTests {
    private static let verifier = String(repeating: "v", count: 43)
    private static let origin = "https://juice.example.com"

    private let (ledger, world): (Ledger, HelloWorld)
    init() throws {
        let (ledger, world, _) = try Ledger.lending.value
        (self.ledger, self.world) = (ledger, world)
    }

    private func withServer(
        _ test: @escaping @Sendable (HelloWorld, _ nonce: String) async throws -> Void
    ) async throws {
        let nonces = try NativeNonces.inMemory()
        var native = NativeEndpoint(appIDs: ["com.example.juice"], nonces: nonces)
        native.servicesIDs = ["com.example.juice.web"]
        native.redirectOrigins = [Self.origin]
        let router = try Router().signInWithApple(world.apple.signIn(), native: native) {
            signIn,
            _ in
            .session(try await ledger.add(signIn))
        }
        let nonce = nonces.make(at: world.apple.time.now).nonce
        try await Application(router: router).test(.router) { client in
            try await test(HelloWorld(apple: world.apple, client: client), nonce)
        }
    }

    /// The body that a page sends after Apple's popup.
    private func body(nonce: String, verifier: String? = verifier) async throws -> JSONObject {
        let address = try world.apple.signIn().authorizationURL(
            clientID: "com.example.juice.web",
            redirectURI: HelloWorld.redirectURI,
            scopes: [.name, .email],
            state: "s-1",
            nonce: nonce,
            codeChallenge: verifier.map { Base64URL.encode(SHA256.hash(data: Data($0.utf8))) }
        )
        let form = try await world.apple.authorize(address)
        var body: JSONObject = ["redirectUri": .string(HelloWorld.redirectURI)]
        body["nonce"] = .string(nonce)
        body["identityToken"] = form["id_token"].map { .string($0) }
        body["authorizationCode"] = form["code"].map { .string($0) }
        body["codeVerifier"] = verifier.map { .string($0) }
        return body
    }

    @Test("works with PKCE and without, once for a nonce", arguments: [verifier, nil])
    func accepted(verifier: String?) async throws {
        try await withServer { world, nonce in
            let answer = try await world.signIn(try await body(nonce: nonce, verifier: verifier))
            #expect(answer.status == .created, "\(answer.text)")
            #expect(await ledger.signIns.last?.grant?.refreshToken?.isEmpty == false)
            let again = try await world.signIn(try await body(nonce: nonce, verifier: verifier))
            #expect(again.json?["code"] == "nonce_unknown")
        }
    }

    @Test("needs a nonce of the server even without a code") func ownNonce() async throws {
        try await withServer { world, _ in
            var body = try await body(nonce: "the page's own")
            #expect(try await world.signIn(body).json?["code"] == "nonce_unknown")
            body["nonce"] = nil
            #expect(try await world.signIn(body).json?["code"] == "nonce_required")
        }
    }

    @Test(
        "is refused if a member is missing or wrong",
        arguments: [
            ("redirectUri", nil, "redirect_uri_required"),
            ("redirectUri", "https://evil.example.com/", "redirect_uri_not_allowed"),
            ("redirectUri", "https://juice.example.com:8443/", "redirect_uri_not_allowed"),
            ("redirectUri", "https://juice.example.com.evil.example/", "redirect_uri_not_allowed"),
            ("redirectUri", "http://localhost/auth/apple/callback", "redirect_uri_not_allowed"),
            ("redirectUri", "http://juice.example.com/auth/apple/callback", "redirect_uri_invalid"),
            ("redirectUri", "https://juice.example.com@evil.example/", "redirect_uri_invalid"),
            ("redirectUri", "https://juice.example.com\\@evil.example/", "redirect_uri_invalid"),
            ("redirectUri", "https://juice.example.com/#x", "redirect_uri_invalid"),
            ("redirectUri", "/auth/apple/callback", "redirect_uri_invalid"),
            ("redirectUri", "", "redirect_uri_invalid"),
            ("redirectUri", String(repeating: "x", count: 2049), "field_too_long"),
            // Allowed here, and not the one that Apple got.
            ("redirectUri", "https://juice.example.com/other", "apple_refused_grant"),
            ("codeVerifier", "short", "code_verifier_invalid"),
            ("codeVerifier", String(repeating: "é", count: 43), "code_verifier_invalid"),
            ("codeVerifier", String(repeating: "v", count: 129), "field_too_long"),
            ("codeVerifier", String(repeating: "w", count: 43), "apple_refused_grant"),
            ("codeVerifier", nil, "apple_refused_grant"),
            ("nonce", "another", "token_nonce_mismatch"),
        ] as [(String, String?, String)]
    )
    func refused(member: String, value: String?, code: String) async throws {
        try await withServer { world, nonce in
            var body = try await body(nonce: nonce)
            body[member] = value.map { .string($0) }
            #expect(try await world.signIn(body).json?["code"]?.stringValue == code)
        }
        #expect(await ledger.signIns.isEmpty)
    }

    @Test("differs from one of an app, which has no redirect URI") func bundleID() async throws {
        try await withServer { world, nonce in
            let credential = try await world.apple.credentials(nonce: nonce)
            var body = HelloWorld.request(credential, nonce: nonce)
            body["redirectUri"] = .string(HelloWorld.redirectURI)
            #expect(try await world.signIn(body).json?["code"] == "redirect_uri_unexpected")
            body["redirectUri"] = nil
            #expect(try await world.signIn(body).status == .created)
        }
    }

    @Test("is refused where only apps sign in") func appsOnly() async throws {
        var body = try await body(nonce: "n-1")
        body["redirectUri"] = nil
        #expect(try await world.signIn(body).json?["code"] == "token_audience_mismatch")
    }
}
