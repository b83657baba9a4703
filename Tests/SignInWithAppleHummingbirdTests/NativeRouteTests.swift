import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

@Suite("Signing in from an app", HelloWorld.lending) struct NativeRouteTests {
    private let world: HelloWorld
    init() throws { world = try HelloWorld.lending.value }

    @Test("An app gets a token that opens its session") func wholeWay() async throws {
        let credential = try await world.apple.credentials(nonce: "n-1")
        let answer = try await world.signIn([
            "identityToken": .string(credential.identityToken),
            "authorizationCode": .string(credential.authorizationCode),
            "nonce": "n-1",
            "fullName": ["givenName": "Maya", "familyName": .null],
        ])
        #expect(answer.status == .created, "\(answer.text)")
        let token = try #require(answer.json?["token"]?.stringValue)
        let hello = try await world.client.execute(
            uri: "/hello",
            method: .get,
            headers: [.authorization: "Bearer \(token)"]
        )
        #expect(hello.text == "Hello, Maya")
    }

    @Test("A sign-in cannot be used twice, nor without its code") func secondUse() async throws {
        let credential = try await world.apple.credentials()
        var request: JSONObject = ["identityToken": .string(credential.identityToken)]
        #expect(try await world.signIn(request).json?["code"] == "code_required")
        request["authorizationCode"] = .string(credential.authorizationCode)
        #expect(try await world.signIn(request).status == .created)
        let again = try await world.signIn(request)
        #expect(again.status == .unauthorized)
        #expect(again.json?["code"] == "apple_refused_grant")
    }

    @Test("Parts of different sign-ins are rejected") func mismatches() async throws {
        let maya = try await world.apple.credentials(nonce: "n-1")
        let noah = try await world.apple.credentials(for: "noah@example.com")
        let token = JSONValue.string(maya.identityToken)
        let code = JSONValue.string(maya.authorizationCode)
        let refused: [(JSONObject, String)] = [
            (["identityToken": token, "authorizationCode": code], "token_nonce_mismatch"),
            (
                [
                    "identityToken": token, "nonce": "n-1",
                    "authorizationCode": .string(noah.authorizationCode),
                ],
                "token_code_hash_mismatch"
            ),
            (["authorizationCode": code], "field_missing"),
            (["identityToken": 7], "field_invalid"),
            (
                [
                    "identityToken": token, "authorizationCode": code,
                    "fullname": ["givenName": "Maya"],
                ],
                "field_unknown"
            ),
            (["identityToken": token, "fullName": ["givenname": "Maya"]], "field_unknown"),
            (
                JSONObject([
                    .init(name: "identityToken", value: token),
                    .init(name: "identityToken", value: token),
                ]),
                "json_unreadable"
            ),
            (
                [
                    "identityToken": token, "authorizationCode": code,
                    "fullName": ["givenName": .string(String(repeating: "a", count: 201))],
                ],
                "name_too_long"
            ),
        ]
        for (request, code) in refused {
            #expect(try await world.signIn(request).json?["code"]?.stringValue == code)
        }
    }

    @Test(
        "The credential object of a bridge, posted as it is, is refused with the members to send",
        arguments: [
            // expo-apple-authentication
            #""realUserStatus":1,"state":null,"email":null,"user":"u""#,
            // @invertase/react-native-apple-authentication
            #""user":"u","realUserStatus":1,"authorizedScopes":[],"nonce":"n","state":"s","email":null"#,
        ]
    )
    func wholeCredential(others: String) async throws {
        let credential = try await world.apple.credentials()
        let name = ["givenName", "middleName", "namePrefix", "nameSuffix", "nickname"]
            .map { "\"\($0)\":null" }.joined(separator: ",")
        var body = try JSONObject(parsing: Data("{\(others)}".utf8))
        body["fullName"] = .object(
            try JSONObject(parsing: Data("{\(name),\"familyName\":\"L\"}".utf8))
        )
        body["identityToken"] = .string(credential.identityToken)
        body["authorizationCode"] = .string(credential.authorizationCode)
        let refused = try await world.signIn(body)
        #expect(refused.status == .badRequest)
        #expect(refused.json?["code"] == "field_unknown")
        #expect(refused.json?["resumeToken"] == nil)
        let members = "send only identityToken, authorizationCode, nonce and fullName."
        #expect(refused.json?["detail"]?.stringValue?.hasSuffix(members) == true, "\(refused.text)")
    }
}
