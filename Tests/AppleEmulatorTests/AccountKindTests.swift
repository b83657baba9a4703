import AppleEmulator
import AppleIdentity
import Foundation
import Testing

// Fidelity: sheet-9, sheet-21, claim-16, claim-20, claim-28
@Suite("Accounts of all kinds") struct AccountKindTests {
    private func token(_ fields: [String: String]) -> TokenText { TokenText(fields["id_token"]) }

    @Test("Accounts of a domain have one organization, unless the account sets another")
    func organization() async throws {
        let box = try await Box {
            $0.people[0].isManaged = true
            $0.people[1].isManaged = true
            $0.people.append(
                SeedPerson(
                    email: "kim@example.com",
                    isManaged: true,
                    organizationID: "de305d54-75b4-431b-adb2-eb6b9e546014"
                )
            )
        }
        func organization(of person: JSONValue) async throws -> JSONValue? {
            token(try await box.signInOnTheWeb(decision: ["person": person])).claims["org_id"]
        }
        let maya = try await organization(of: "maya@example.com")
        let noah = try await organization(of: "noah@example.com")
        let kim = try await organization(of: "kim@example.com")
        #expect(maya != nil && maya == noah)
        #expect(kim == "de305d54-75b4-431b-adb2-eb6b9e546014")
    }

    @Test("A managed account's sheet says who manages it and offers no hiding")
    func managedSheet() async throws {
        let box = try await Box { $0.people[0].isManaged = true }
        let sheet = await box.signIn(await box.authorize())
        #expect(sheet.consent?.isManaged == true)
        #expect(sheet.consent?.isEmailUnverified == true)
        let hiding = Box.consent.merging(["email_choice": "hide"]) { $1 }
        let answer = await box.step(sheet, "continue", hiding)
        #expect(answer.hiddenFields["user"]?.contains("maya@example.com") == true)
    }

    @Test("An account without an email address shares none, and its token has none")
    func noEmail() async throws {
        let box = try await Box {
            $0.people[0].isManaged = true
            $0.people[0].hasEmail = false
        }
        let sheet = await box.signIn(await box.authorize())
        #expect(sheet.consent?.asksEmail == false)
        #expect(sheet.consent?.lacksEmail == true)
        let answer = await box.step(sheet, "continue", ["given_name": "M", "family_name": ""])
        #expect(answer.hiddenFields["user"] == #"{"name":{"firstName":"M","lastName":""}}"#)
        #expect(
            token(answer.hiddenFields).names
                == "iss aud exp iat sub nonce c_hash org_id auth_time nonce_supported"
        )
        let entry = await box.apple.requests().last?.text ?? ""
        #expect(entry.contains("the account has no email address"))
        #expect(try await box.credentials()["email"] == nil)
    }

    @Test("Whether an address is verified is in the token", arguments: [true, false])
    func verified(_ isVerified: Bool) async throws {
        let box = try await Box { $0.people[0].isEmailVerified = isVerified }
        let claims = token(try await box.signInOnTheWeb()).claims
        #expect(claims["email_verified"] == .boolean(isVerified))
        let hidden = token(
            try await box.signInOnTheWeb(decision: ["person": "noah@example.com", "email": "hide"])
        ).claims
        #expect(hidden["email_verified"] == true)
    }

    @Test("The control port takes what it says, and refuses what does not fit together")
    func fields() async throws {
        let box = try await Box()
        let made = try await box.apple.add(
            .person,
            [
                "email": "kim@school.example.com", "managed": true, "has_email": false,
                "email_verified": true, "organization_id": "o-1", "two_factor": false,
            ]
        ).object
        #expect(made["organization_id"] == "o-1")
        #expect(made["has_email"] == false)
        #expect(made["email_verified"] == true)
        await box.expectRefused([
            (["organization_id": "o-1"], "organization_id"),
            (["managed": true, "organization_id": 1], "organization_id"),
            (["has_email": false, "other_emails": ["b@example.com"]], "other_emails"),
            (["has_email": "no"], "has_email"), (["email_verified": 1], "email_verified"),
        ]) {
            try await box.apple.add(.person, (["email": "a@example.com"] as JSONObject).merging($0))
        }
    }

    @Test("A Services ID without a name of its own has the name of the primary app")
    func primaryName() async throws {
        let box = try await Box {
            $0.services.append(
                SeedService(
                    clientID: "com.example.juice.shop",
                    primaryClientID: ClientID(Box.app),
                    returnURLs: [Box.callback]
                )
            )
        }
        let page = await box.authorize(["client_id": "com.example.juice.shop"])
        #expect(page.sheet?.appName == "Juice")
    }
}
