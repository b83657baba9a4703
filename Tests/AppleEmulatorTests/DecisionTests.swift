import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

// Fidelity: registration-17, request-14, request-16, request-25, response-1, response-2
// Fidelity: response-3, response-6, response-7, response-8, response-9, response-14
// Fidelity: response-15, claim-15
@Suite("Decisions given beforehand") final class DecisionTests: BoxSuite {
    @Test("Continue returns the form; the user field is sent once") func formPost() async throws {
        try await box.decide(["email": "share", "name": ["given_name": "Mia", "family_name": "Q"]])
        let first = await box.authorize()
        #expect(first.hiddenPairs.map(\.name) == ["state", "code", "id_token", "user"])
        #expect(
            first.hiddenFields["user"]
                == #"{"email":"maya@example.com","name":{"firstName":"Mia","lastName":"Q"}}"#
        )
        try await box.decide()
        #expect(await box.authorize().hiddenPairs.map(\.name) == ["state", "code", "id_token"])
    }

    @Test("Only requested data is in the user field") func scopes() async throws {
        let fields = try await box.signInOnTheWeb(["scope": "name"])
        #expect(fields["user"] == #"{"name":{"firstName":"Maya","lastName":"Lindgren"}}"#)
        #expect(!TokenText(fields["id_token"]).payload.contains("email"))
    }

    @Test("With response_type code, state and code arrive") func codeAlone() async throws {
        try await box.decide()
        let reply = await box.authorize(["response_type": "code", "scope": nil])
        #expect(reply.hiddenPairs.map(\.name) == ["state", "code"])
    }

    @Test("Query and fragment are redirects") func redirects() async throws {
        let box = try await Box(redirectURIs: ["https://juice.example.com/back?a=1"])
        let changes: [String: String?] = [
            "redirect_uri": "https://juice.example.com/back?a=1", "response_type": "code",
            "scope": nil, "response_mode": "query", "state": "a b&c",
        ]
        try await box.decide()
        let query = await box.authorize(changes)
        #expect(query.status == 302)
        #expect(query.location?.queryItems?.map(\.name) == ["a", "state", "code"])
        #expect(query.location?.queryItems?[1].value == "a b&c")
        try await box.decide()
        let fragment = await box.authorize(
            changes.merging(["response_mode": "fragment", "response_type": "code id_token"]) { $1 }
        )
        #expect(fragment.location?.fragment?.contains("id_token=") == true)
        try await box.decide(["decision": "cancel"])
        let cancelled = await box.authorize(changes)
        #expect(cancelled.location?.queryItems?.last?.value == "user_cancelled_authorize")
    }

    @Test("Decisions queue, and a refused request uses none up") func queue() async throws {
        try await box.decide(["decision": "cancel"])
        try await box.decide()
        _ = await box.authorize(["response_type": "id_token"])
        #expect(await box.authorize().hiddenFields["error"] == "user_cancelled_authorize")
        #expect(await box.authorize().hiddenFields["code"] != nil)
        #expect(await box.authorize().hiddenFields["transaction"] != nil)
    }

    @Test("POST is understood as well, and redirects by 303") func post() async throws {
        try await box.decide()
        var fields = Box.authorizeFields
        fields["response_type"] = "code"
        fields["response_mode"] = "query"
        fields["scope"] = nil
        #expect(await box.post("/auth/authorize", fields).status == 303)
    }

    @Test("A wrong decision is refused by name") func wrong() async {
        await box.expectRefused([
            (["person": "nobody@example.com"], "person"), (["decision": "maybe"], "decision"),
            (["email": "both"], "email"),
        ]) { try await box.decide($0) }
        await box.expectRefused([(["nmae": "x"], "nmae")], kind: .unknownField) {
            try await box.decide($0)
        }
    }
}
