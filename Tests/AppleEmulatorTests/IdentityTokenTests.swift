import AppleEmulator
import Foundation
import HTTPTypes
import SignedTokens
import Testing

// Fidelity: request-17, request-18, response-11, response-12, device-7, device-9, device-10
// Fidelity: claim-1, claim-2, claim-3, claim-4, claim-5, claim-6, claim-7, claim-11, claim-12
// Fidelity: claim-13, claim-14, claim-15, claim-18, claim-20, claim-21, claim-24, claim-28
// Fidelity: claim-29, claim-30, claim-31, claim-32, claim-33, claim-34, claim-35, claim-36
// Fidelity: user-1, user-2, user-3, user-4, user-10, keys-5, keys-14, keys-18
@Suite("Identity tokens") final class IdentityTokenTests: BoxSuite {
    private static let hybrid =
        "iss aud exp iat sub nonce c_hash email email_verified is_private_email auth_time nonce_supported"

    @Test("The claims stand in Apple's order on every way") func order() async throws {
        let fields = try await box.signInOnTheWeb(decision: ["email": "hide"])
        let web = TokenText(fields["id_token"])
        #expect(web.names == Self.hybrid)
        let answer = try await box.exchange(fields["code"] ?? "")
        let exchanged = TokenText(answer["id_token"])
        #expect(exchanged.names == Self.hybrid.replacing("c_hash", with: "at_hash"))
        let again = try await box.refresh(answer["refresh_token"])
        let refreshed = TokenText(again["id_token"])
        #expect(
            refreshed.names == "iss aud exp iat sub at_hash email email_verified is_private_email"
        )
        #expect(web.header.wholeMatch(of: /\{"kid":"\w{10}","alg":"RS256"\}/) != nil)
    }

    @Test("Types and values are Apple's") func values() async throws {
        let fields = try await box.signInOnTheWeb(decision: ["email": "hide"])
        let payload = TokenText(fields["id_token"]).payload
        let form =
            #"\{"iss":"https://appleid.apple.com","aud":"com.example.juice.web","#
            + #""exp":\#(box.now + 86_400),"iat":\#(box.now),"#
            + #""sub":"\d{6}\.[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}\.([01]\d|2[0-3])[0-5]\d","#
            + #""nonce":"n-1","c_hash":"\#(HalfHash.make(of: fields["code"] ?? ""))","#
            + #""email":"[a-z0-9]{10}@privaterelay.appleid.com","email_verified":true,"#
            + #""is_private_email":true,"auth_time":\#(box.now),"nonce_supported":true\}"#
        #expect(payload.wholeMatch(of: try Regex(form)) != nil, "\(payload)")
        let answer = try await box.exchange(fields["code"] ?? "")
        let claims = TokenText(answer["id_token"]).claims
        let accessToken = answer["access_token"] ?? ""
        #expect(claims["at_hash"] == .string(HalfHash.make(of: accessToken)))
    }

    @Test("A shared address has no is_private_email") func shared() async throws {
        let token = TokenText(try await box.signInOnTheWeb()["id_token"])
        #expect(token.names == Self.hybrid.replacing(" is_private_email", with: ""))
        #expect(token.claims["email"] == "maya@example.com")
    }

    @Test("Without a nonce and the email scope both are missing; granted data stays")
    func scopes() async throws {
        let bare = try await box.signInOnTheWeb(["scope": nil, "nonce": nil])
        #expect(
            TokenText(bare["id_token"]).names
                == "iss aud exp iat sub c_hash auth_time nonce_supported"
        )
        let other = try await Box()
        _ = try await other.signInOnTheWeb()
        let later = try await other.signInOnTheWeb(["scope": nil])
        #expect(TokenText(later["id_token"]).claims["email"] == "maya@example.com")
    }

    @Test("A device's first token has the real user status") func native() async throws {
        let token = try await box.deviceToken(["nonce": "raw", "email": "hide"])
        #expect(token.names == Self.hybrid + " real_user_status")
        #expect(token.claims["real_user_status"] == 2)
        #expect(token.claims["aud"] == .string(Box.app))
        #expect(try await box.deviceToken(["nonce": "raw"]).names == Self.hybrid)
        let third = try await box.deviceToken()
        #expect(third.names == Self.hybrid.replacing(" nonce ", with: " "))
    }

    @Test("A device can be unsure of the person, or too old to say", arguments: [0, 1, 2])
    func realUserStatus(_ status: Int) async throws {
        let credential = try await box.credentials(["real_user_status": .integer(status)])
        let token = TokenText(credential["identity_token"]?.stringValue)
        #expect(token.claims["real_user_status"] == .integer(status))
        #expect(credential["real_user_status"] == .integer(status))
    }

    @Test("A managed account has an organization and an address that is not verified")
    func managed() async throws {
        let box = try await Box { $0.people[0].isManaged = true }
        let token = TokenText(try await box.signInOnTheWeb(["nonce": nil])["id_token"])
        #expect(
            token.names
                == "iss aud exp iat sub c_hash email email_verified org_id auth_time nonce_supported"
        )
        #expect(token.claims["email_verified"] == false)
        let form = /000\d{3}\.[\w-]{40}\.[\w-]{4}/
        #expect(token.claims["sub"]?.stringValue?.wholeMatch(of: form) != nil)
    }

    @Test("Without the email scope a refreshed token has no email either")
    func refreshedWithoutAddress() async throws {
        let code = try await box.signInOnTheWeb(["scope": "name"])["code"] ?? ""
        let refreshToken = try await box.exchange(code)["refresh_token"] ?? ""
        let token = TokenText(try await box.refresh(refreshToken)["id_token"])
        #expect(token.names == "iss aud exp iat sub at_hash")
    }

    @Test("A hidden email address is the same in the token and next to it")
    func hiddenAddress() async throws {
        let fields = try await box.signInOnTheWeb(decision: ["email": "hide"])
        let address = TokenText(fields["id_token"]).claims["email"]?.stringValue
        #expect(fields["user"]?.contains("\"email\":\"\(address ?? "?")\"") == true)
    }

    @Test("A nonce comes back verbatim on every way, also one sent before")
    func nonce() async throws {
        let nonce = "Ünï+/= \"~\""
        for _ in 1...2 {
            let fields = try await box.signInOnTheWeb(["nonce": nonce])
            let code = try await box.exchange(fields["code"] ?? "")
            let device = try await box.credentials(["nonce": .string(nonce)])
            for token in [
                fields["id_token"], code["id_token"], device["identity_token"]?.stringValue,
            ] {
                #expect(TokenText(token).claims["nonce"] == .string(nonce))
            }
        }
    }

    @Test("Any published key signs") func keys() async throws {
        let set = try JSONWebKeySet(json: await box.send(.get, "/auth/keys").answer.body)
        let published = set.verificationKeys()
        var used: Set<String> = []
        for _ in 1...40 {
            let text = try await box.credentials()["identity_token"]?.stringValue ?? ""
            let token = try UnverifiedToken(text)
            let keyID = try #require(token.header.keyID)
            _ = try token.verified(with: try #require(published[keyID]))
            used.insert(keyID)
        }
        #expect(used.count > 1)
    }

    @Test("A token lives as long as configured") func lifetime() async throws {
        let box = try await Box(configuration: EmulatorConfiguration(identityTokenSeconds: 600))
        let token = TokenText(try await box.signInOnTheWeb()["id_token"])
        #expect(token.claims["exp"] == .integer(box.now + 600))
    }

    @Test("The issuer is configured apart from the address") func issuer() async throws {
        let box = try await Box(configuration: EmulatorConfiguration(issuer: "http://localhost:1"))
        let token = TokenText(try await box.signInOnTheWeb()["id_token"])
        #expect(token.claims["iss"] == "http://localhost:1")
        let notification = try await box.notify()["claims"]?.objectValue
        #expect(notification?["iss"] == "http://localhost:1")
    }
}
