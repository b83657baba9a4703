import AppleIdentity
import HTTPTypes
import SignedTokens
import Testing

@testable import AppleEmulator

// Fidelity: registration-18, registration-19, registration-20, registration-21, request-22
// Fidelity: exchange-19, keys-1, keys-2, keys-3, keys-9, keys-11, keys-12, keys-15, keys-16
// Fidelity: keys-17, keys-18
@Suite("Keys and discovery") final class DocumentTests: BoxSuite {
    @Test("HEAD returns the length of the GET response", arguments: ["/auth/keys", "/nothing"])
    func head(path: String) async throws {
        let get = await box.send(.get, path)
        let head = await box.send(.head, path)
        #expect(head.status == get.status && head.text.isEmpty)
        #expect(head.header("Content-Length") == "\(get.answer.body.count)")
        let post = await box.send(.post, "/auth/keys")
        #expect(post.status == 405 && post.header("Allow") == "GET")
    }

    @Test("Discovery is Apple's document, member by member") func discovery() async throws {
        let reply = await box.send(.get, "/.well-known/openid-configuration")
        let expected =
            #"{"issuer":"https://appleid.apple.com","#
            + #""authorization_endpoint":"https://appleid.apple.com/auth/authorize","#
            + #""token_endpoint":"https://appleid.apple.com/auth/token","#
            + #""revocation_endpoint":"https://appleid.apple.com/auth/revoke","#
            + #""jwks_uri":"https://appleid.apple.com/auth/keys","#
            + #""response_types_supported":["code"],"#
            + #""response_modes_supported":["query","fragment","form_post"],"#
            + #""subject_types_supported":["pairwise"],"#
            + #""id_token_signing_alg_values_supported":["RS256"],"#
            + #""scopes_supported":["openid","email","name"],"#
            + #""token_endpoint_auth_methods_supported":["client_secret_post"],"#
            + #""claims_supported":["aud","email","email_verified","exp","iat","is_private_email","iss","#
            + #""nonce","nonce_supported","real_user_status","sub","transfer_sub"]}"#
        #expect(reply.status == 200)
        #expect(reply.text == expected)
    }

    @Test("Endpoints are where the request came to; the issuer stays") func address() async throws {
        let reply = await box.send(
            .get,
            "/.well-known/openid-configuration",
            scheme: "http",
            authority: "appleid.localhost:8081"
        )
        #expect(reply["issuer"] == "https://appleid.apple.com")
        #expect(reply["token_endpoint"] == "http://appleid.localhost:8081/auth/token")
    }

    @Test("Three RSA keys are published, with Apple's members in Apple's order")
    func keys() async throws {
        let reply = await box.send(.get, "/auth/keys")
        let form =
            /\{"kty":"RSA","kid":"[A-Za-z0-9]{10}","use":"sig","alg":"RS256","n":"[\w-]{342}","e":"AQAB"\}/
        #expect(reply.text.matches(of: form).count == 3)
        #expect(try JSONWebKeySet(json: reply.answer.body).verificationKeys().count == 3)
    }

    @Test("After a rotation other keys are published and sign") func rotation() async throws {
        let box = try await Box(configuration: EmulatorConfiguration(signingKeyCount: 1))
        let before = await box.send(.get, "/auth/keys")
        _ = try await box.apple.rotateSigningKeys([:])
        let after = await box.send(.get, "/auth/keys")
        let old = try JSONWebKeySet(json: before.answer.body).verificationKeys()
        let new = try JSONWebKeySet(json: after.answer.body).verificationKeys()
        #expect(Set(old.keys).isDisjoint(with: new.keys))
        let token = try await box.credentials()["identity_token"]?.stringValue ?? ""
        let unverified = try UnverifiedToken(token)
        let key = try #require(new[unverified.header.keyID ?? ""])
        _ = try unverified.verified(with: key)
    }

    @Test(
        "Other paths are not there",
        arguments: [
            "/auth/userinfo", "/auth/introspect", "/auth/logout", "/auth/oauth2/v2/authorize",
            "/auth/oauth2/v2/token", "/auth/oauth2/v2/revoke", "/auth/oauth2/v2/keys",
        ]
    )
    func notFound(path: String) async throws {
        #expect(await box.send(.get, path).status == 404)
        #expect(await box.send(.post, path).status == 404)
    }

    @Test("The documents may be kept for five minutes, and are not for scripts of other sites")
    func caching() async throws {
        for path in ["/auth/keys", "/.well-known/openid-configuration"] {
            let reply = await box.send(.get, path, headers: [.origin: "https://juice.example.com"])
            #expect(reply.header("Content-Type") == "application/json;charset=UTF-8")
            #expect(reply.header("Cache-Control") == "public, max-age=300")
            #expect(reply.header("Access-Control-Allow-Origin") == nil)
        }
    }

    @Test func retainedKeysAreBounded() throws {
        let key = try EmulatorSigningKey(nameLength: 10)
        var ring = SigningKeyRing([key])
        for _ in 0...SigningKeyRing.maximumRetainedCount { ring.rotate(to: [key], keepsOld: true) }
        #expect(ring.retained.count == SigningKeyRing.maximumRetainedCount)
        ring.rotate(to: [key], keepsOld: false)
        #expect(ring.retained.isEmpty)
    }

    @Test("A rotation and a change of the switch at the same time leave as many keys as it says")
    func rotationWhileSwitched() async throws {
        let configuration = EmulatorConfiguration(signingKeyCount: 2)
        let apple = try await AppleEmulator(configuration: configuration)
        for count in [3, 1, 4] {
            async let rotation = apple.rotateSigningKeys([:])
            async let change = apple.changeSwitches(["signing_key_count": .integer(count)])
            _ = try await (rotation, change)
            #expect(await apple.currentState.signingKeys.current.count == count)
        }
        async let rotation = apple.rotateSigningKeys([:])
        async let reset = apple.resetSwitches()
        _ = try await (rotation, reset)
        #expect(await apple.currentState.signingKeys.current.count == 2)
    }
}
