import AppleIdentity
import Foundation
import TestSupport
import Testing

/// An app that got a credential from its device and brings it to the accounts server.
@Suite("Native sign-in over HTTP", .serialized, TemporaryFolder.lending) struct NativeSignInTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test("The account has the name told once, and the session opens it") func signIn() async throws
    {
        try await SiwaProcess.with(data: folder) { siwa in
            let app = HTTPCaller(base: siwa.serverForPrograms)
            let nonce = try await app.require("POST", "/api/nonces")["nonce"]?.stringValue
            let device = try await ControlPort(siwa)
                .credentials(for: "noah@example.com", givenName: "Noah", nonce: nonce)
            let receipt = try await app.require(
                "POST",
                "/api/sessions/apple",
                try Self.request(from: device, nonce: nonce)
            )
            let account = try #require(receipt["account"]?.objectValue)
            #expect(account["name"] == "Noah Ng")
            #expect(account["email"] == "noah@example.com")
            #expect(account["emailIsPrivateRelay"] == false)
            let token = try #require(receipt["token"]?.stringValue)
            let session = HTTPCaller(base: siwa.serverForPrograms, token: token)
            #expect(try await session.require("GET", "/api/account")["id"] == account["id"])
            try await expectEnd(of: session)
        }
    }

    @Test("A token of somebody else's making is refused with a stable code")
    func forged() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            let device = try await ControlPort(siwa).credentials(for: "noah@example.com")
            var request = try Self.request(from: device, nonce: nil)
            let token = try #require(request["identityToken"]?.stringValue)
            request["identityToken"] = .string(String(token.dropLast(8)) + "AAAAAAAA")
            let app = HTTPCaller(base: siwa.serverForPrograms)
            let answer = try await app.send("POST", "/api/sessions/apple", request)
            #expect(answer.status == 401)
            #expect(answer.object["code"] == "token_signature_invalid")
        }
    }

    @Test("Control-C ends the demo in peace") func interrupt() async throws {
        let code = try await SiwaProcess.with(data: folder) { try await $0.program.stop() }
        #expect(code == 0)
    }

    /// The request an app makes of what its device handed it.
    static func request(from device: JSONObject, nonce: String?) throws -> JSONObject {
        var request = JSONObject()
        request["identityToken"] = .string(try #require(device["identity_token"]?.stringValue))
        request["authorizationCode"] = .string(
            try #require(device["authorization_code"]?.stringValue)
        )
        request["nonce"] = nonce.map { .string($0) }
        if let name = device["full_name"]?.objectValue {
            var fullName = JSONObject()
            fullName["givenName"] = name["given_name"]
            fullName["familyName"] = name["family_name"]
            request["fullName"] = .object(fullName)
        }
        return request
    }

    private func expectEnd(of session: HTTPCaller) async throws {
        let answer = try await session.send("DELETE", "/api/sessions/current")
        #expect(answer.status == 204)
        #expect(try await session.send("GET", "/api/account").status == 401)
    }
}
