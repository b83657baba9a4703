import AppleIdentity
import Testing

@testable import AppleEmulator

/// A part that is added must be kept too: write and read it in `Persistence`, then name it here.
@Suite("No part of the state is forgotten") struct StateCompletenessTests {
    private func parts(of value: Any) -> Set<String> {
        Set(Mirror(reflecting: value).children.compactMap(\.label))
    }

    @Test("Of the whole") func whole() async throws {
        let state = await (try await Box()).apple.currentState
        let kept: Set = [
            "clock", "signingKeys", "registry", "people", "authorizations", "grants", "transfers",
            "faults", "switches", "refreshes", "notificationSettings", "deliveries",
            "mail",
        ]
        // What the program is started with, what is open for a moment, and what is only looked at.
        let left: Set = [
            "configuration", "seededSwitches", "verifiedSecrets", "requestTime",
            "requestedSwitches", "decision", "flows", "log",
        ]
        #expect(parts(of: state) == kept.union(left))
    }

    @Test("Of people, and of what they agreed to") func people() async throws {
        let box = try await Box()
        _ = try await box.credentials(["email": "hide"])
        let state = await box.apple.currentState
        let person = try #require(state.people.person(email: Box.maya))
        #expect(
            parts(of: person) == [
                "id", "account", "organizationID", "identities", "consents", "formerGroups",
                "groupsWithoutForwarding", "forwardingAddress", "transferredGroups",
                "identityLabel",
            ]
        )
        let consent = try #require(person.consents.values.first)
        #expect(
            parts(of: consent) == [
                "clientID", "email", "sharedEmail", "sharedName", "grantedAt", "usedAt",
            ]
        )
    }

    @Test("Of grants") func grants() async throws {
        let box = try await Box()
        let form = try await box.signInOnTheWeb()
        let state = await box.apple.currentState
        let code = try #require(state.grants.codes[form["code"] ?? ""])
        #expect(
            parts(of: code) == [
                "grant", "redirectURI", "codeChallenge", "issuedAt", "isUsed", "tokens",
            ]
        )
        #expect(
            parts(of: code.grant) == [
                "personID", "clientID", "group", "teamID", "nonce", "authenticatedAt", "switches",
            ]
        )
    }
}
