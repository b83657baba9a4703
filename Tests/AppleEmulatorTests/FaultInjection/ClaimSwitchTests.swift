import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

// Fidelity: claim-8, claim-17, claim-19, claim-22, claim-23, user-11, user-12, user-13
@Suite("Switches of the identity token") struct ClaimSwitchTests {
    private static func claims(
        _ switches: JSONObject,
        managed: Bool = false,
        decision: JSONObject = [:]
    ) async throws -> JSONObject {
        let box = try await Box {
            $0.switches = switches
            $0.people[0].isManaged = managed
        }
        let fields = try await box.signInOnTheWeb(decision: decision)
        return TokenText(fields["id_token"]).claims
    }

    @Test("Truth values are texts, as until 2024") func texts() async throws {
        let claims = try await Self.claims(["boolean_claims": "text"], decision: ["email": "hide"])
        #expect(claims["email_verified"] == "true")
        #expect(claims["is_private_email"] == "true")
        #expect(claims["nonce_supported"] == true)
    }

    @Test("A shared address is marked as not private") func notPrivate() async throws {
        let claims = try await Self.claims(["private_email_claim": "always"])
        #expect(claims["is_private_email"] == false)
        let text = try await Self.claims([
            "private_email_claim": "always", "boolean_claims": "text",
        ])
        #expect(text["is_private_email"] == "false")
    }

    @Test("A relay address is not marked as private, as in tokens of 2024 and 2025")
    func untoldPrivate() async throws {
        let claims = try await Self.claims(
            ["private_email_claim": "missing"],
            decision: ["email": "hide"]
        )
        #expect(claims["email"]?.stringValue?.hasSuffix("@privaterelay.appleid.com") == true)
        #expect(claims["email_verified"] == true)
        #expect(claims["is_private_email"] == nil)
    }

    @Test("The email is missing or empty, for all accounts or only for managed ones")
    func email() async throws {
        let missing = try await Self.claims(["email_claim": "missing"])
        #expect(missing["email"] == nil && missing["email_verified"] == nil)
        #expect(try await Self.claims(["email_claim": "empty"])["email"] == "")
        for value in ["missing", "empty"] as [JSONValue] {
            let switches: JSONObject = ["managed_email_claim": value]
            #expect(try await Self.claims(switches)["email"] == "maya@example.com")
            let managed = try await Self.claims(switches, managed: true)
            #expect(managed["email"] == (value == "empty" ? "" : nil))
        }
    }

    @Test(
        "A new relay address has the switch's domain, is private, and accepts mail",
        arguments: ["icloud.com", "private.icloud.com"]
    )
    func relayDomain(_ domain: String) async throws {
        let box = try await Box { $0.switches = ["relay_domain": .string(domain)] }
        try await box.addSource(["domain": "juice.example.com"])
        let address = try await box.relayAddress()
        let name = try #require(address.split(separator: "@").first)
        #expect(name.wholeMatch(of: /[a-z0-9]{10}/) != nil && address == "\(name)@\(domain)")
        #expect(try await box.deviceToken().claims["is_private_email"] == true)
        #expect(await box.mail(to: [address]).hasPrefix("250"))
        #expect(try await box.mailList("messages").count == 1)
        try await box.apple.setForwarding(Box.maya, clientID: ClientID(Box.app), enabled: false)
        #expect(await box.mail(to: [address]).hasPrefix("550 5.7.1 Relay not permitted"))
        _ = try await box.apple.changeSwitches(["relay_domain": "privaterelay.appleid.com"])
        #expect(try await box.deviceToken().claims["email"] == .string(address))
    }

    @Test("An address keeps its domain when new ones get another, also after a restart")
    func mixedRelayDomains() async throws {
        let first = try await Box { $0.addOtherTeam(app: "com.example.other") }
        let old = try await first.relayAddress()
        _ = try await first.apple.changeSwitches(["relay_domain": "private.icloud.com"])
        let second = try await first.restarted()
        #expect(try await second.deviceToken().claims["email"] == .string(old))
        let other = try await second.credentials([
            "client_id": "com.example.other", "email": "hide",
        ])
        #expect(other["email"]?.stringValue?.hasSuffix("@private.icloud.com") == true)
    }

    @Test("A system that knows no nonce says so and returns none") func nonce() async throws {
        let claims = try await Self.claims(["nonce_supported": false])
        #expect(claims["nonce_supported"] == false)
        #expect(claims["nonce"] == nil)
    }

    @Test("Life, issuer and clock of a token are other ones") func times() async throws {
        let box = try await Box {
            $0.switches = [
                "identity_token_seconds": 600, "clock_skew_seconds": 90,
                "issuer": "https://account.apple.com",
            ]
        }
        let claims = TokenText(try await box.signInOnTheWeb()["id_token"]).claims
        #expect(claims["iss"] == "https://account.apple.com")
        #expect(claims["iat"] == .integer(box.now + 90))
        #expect(claims["auth_time"] == .integer(box.now + 90))
        #expect(claims["exp"] == .integer(box.now + 690))
        let discovery = await box.send(.get, "/.well-known/openid-configuration")
        #expect(discovery["issuer"] == "https://account.apple.com")
    }
}
