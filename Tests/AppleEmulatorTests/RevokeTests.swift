import AppleEmulator
import AppleIdentity
import HTTPTypes
import Testing

// Fidelity: registration-18, exchange-19, grant-4, user-8, revocation-1, revocation-2
// Fidelity: revocation-3, revocation-4, revocation-5, revocation-6, revocation-7, revocation-8
// Fidelity: revocation-9, revocation-10, revocation-11, revocation-12, revocation-13
@Suite("Revocation") final class RevokeTests: BoxSuite {
    @Test(
        "Either token ends both, and the next sign-in is a first one",
        arguments: ["refresh_token", "access_token"]
    )
    func revoke(type: String) async throws {
        let tokens = try await box.tokens()
        let reply = try await box.revoke(tokens[type], ["token_type_hint": type])
        #expect(reply.status == 200 && reply.answer.body.isEmpty)
        #expect(try await box.refresh(tokens["refresh_token"])["error"] == "invalid_grant")
        #expect(try await box.state() == "revoked")
        let fields = try await box.signInOnTheWeb()
        #expect(fields["user"] != nil)
        let subject = TokenText(fields["id_token"]).claims["sub"]
        #expect(subject == TokenText(tokens["id_token"]).claims["sub"])
        // Neither of the old ones ends anything of the new sign-in any more.
        let new = try await box.exchange(fields["code"] ?? "")
        for old in ["refresh_token", "access_token"] {
            let again = try await box.revoke(tokens[old])
            #expect(again.status == 200 && again.answer.body.isEmpty)
        }
        #expect(try await box.refresh(new["refresh_token"]).status == 200)
    }

    @Test("An unknown token gets status 200 and an empty body") func garbage() async throws {
        let reply = try await box.revoke("garbage", ["client_secret": "x", "client_id": "y"])
        #expect(reply.status == 200 && reply.answer.body.isEmpty)
        #expect(await box.lastReason().contains("nothing was revoked"))
    }

    @Test("A code and an identity token get status 200, and revoke nothing")
    func otherTokens() async throws {
        let code = try await box.code()
        let ofCode = try await box.revoke(code)
        let tokens = try await box.exchange(code)
        let ofIdentityToken = try await box.revoke(tokens["id_token"])
        for reply in [ofCode, ofIdentityToken] {
            #expect(reply.status == 200 && reply.answer.body.isEmpty)
        }
        #expect(try await box.refresh(tokens["refresh_token"]).status == 200)
    }

    @Test("A device's new code is exchanged to revoke, which revokes the web's tokens too")
    func freshCode() async throws {
        let web = try await box.tokens()
        let code = try await box.credentials()["authorization_code"]?.stringValue ?? ""
        let app: [String: String?] = [
            "client_id": Box.app,
            "client_secret": try box.secret(claims: ["sub": .string(Box.app)]),
        ]
        let tokens = try await box.exchange(code, app.merging(["redirect_uri": nil]) { $1 })
        #expect(try await box.revoke(tokens["refresh_token"], app).status == 200)
        #expect(try await box.refresh(web["refresh_token"])["error"] == "invalid_grant")
    }

    @Test("An empty form is an invalid client") func empty() async throws {
        let reply = await box.post("/auth/revoke", [:])
        #expect(reply.status == 400)
        #expect(reply.text == #"{"error":"invalid_client"}"#)
        let typeless = await box.send(.post, "/auth/revoke", headers: [.contentType: ""])
        #expect(typeless.text == #"{"error":"invalid_client"}"#)
    }

    @Test(
        "A form that is not percent-encoded is an invalid client",
        arguments: ["/auth/token", "/auth/revoke"]
    )
    func notEncoded(path: String) async throws {
        let reply = await box.send(.post, path, body: "client_id=%zz")
        #expect(reply.status == 400)
        #expect(reply.text == #"{"error":"invalid_client"}"#)
    }

    @Test("One thing wrong is refused, and the tokens live on") func refusals() async throws {
        let tokens = try await box.tokens()
        let token = tokens["refresh_token"] ?? ""
        let cases: [([String: String?], String)] = [
            (["client_secret": "x"], "invalid_client"),
            (["token_type_hint": "access_token"], "invalid_request"),
            (["token_type_hint": "id_token"], "invalid_request"),
            (["token": nil], "invalid_request"),
            (
                [
                    "client_id": Box.app,
                    "client_secret": try box.secret(claims: ["sub": .string(Box.app)]),
                ], "invalid_grant"
            ),
        ]
        for (changes, error) in cases {
            let reply = try await box.revoke(token, changes)
            #expect(reply.status == 400)
            #expect(reply["error"] == error)
        }
        #expect(try await box.refresh(token).status == 200)
    }
}
