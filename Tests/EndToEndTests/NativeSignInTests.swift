import AppleIdentity
import Foundation
import TestSupport
import Testing

/// An app that sends the credential from its device to the accounts server.
@Suite("Native sign-in over HTTP", .serialized, TemporaryFolder.lending) struct NativeSignInTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test("The session opens an account with the name") func signIn() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            var app = HTTPCaller(base: siwa.serverForPrograms)
            let nonce = try await app.require("POST", "/api/nonces")["nonce"]?.stringValue
            let device = try await ControlPort(siwa)
                .credentials(for: "noah@example.com", givenName: "Noah", nonce: nonce)
            let receipt = try await app.signIn(device, nonce: nonce)
            let account = try #require(receipt["account"]?.objectValue)
            #expect(account["name"] == "Noah Ng")
            #expect(account["email"] == "noah@example.com")
            #expect(account["emailIsPrivateRelay"] == false)
            #expect(try await app.require("GET", "/api/account")["id"] == account["id"])
            #expect(try await app.send("DELETE", "/api/sessions/current").status == 204)
            #expect(try await app.send("GET", "/api/account").status == 401)
        }
    }

    @Test("A forged token is refused with a stable code")
    func forged() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            let device = try await ControlPort(siwa).credentials(for: "noah@example.com")
            var request = try HTTPCaller.request(from: device)
            let token = try #require(request["identityToken"]?.stringValue)
            request["identityToken"] = .string(String(token.dropLast(8)) + "AAAAAAAA")
            let app = HTTPCaller(base: siwa.serverForPrograms)
            let answer = try await app.send("POST", "/api/sessions/apple", request)
            #expect(answer.status == 401)
            #expect(answer.object["code"] == "token_signature_invalid")
        }
    }

    @Test("Control-C stops the demo with exit code 0") func interrupt() async throws {
        let code = try await SiwaProcess.with(data: folder) { try await $0.program.stop() }
        #expect(code == 0)
    }
}
