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

    @Test("A decision for a client waits for that client's request") func oneClient() async throws {
        let other = "com.example.juice.other"
        _ = try await box.apple.add(
            .service,
            [
                "client_id": .string(other), "primary_client_id": .string(Box.app),
                "return_urls": [.string(Box.callback)],
            ]
        )
        try await box.decide(["decision": "cancel", "client_id": .string(other)])
        #expect(await box.authorize().sheet != nil)
        #expect(await box.apple.decisions().map { $0["client_id"] } == [.string(other)])
        let cancelled = await box.authorize(["client_id": other])
        #expect(cancelled.hiddenFields["error"] == "user_cancelled_authorize")
        await box.expectRefusal(.wrongField) {
            try await $0.decideNext(for: Box.maya, clientID: "com.example.none")
        }
        try await box.decide(["client_id": .string(other)])
        try await box.decide()
        await box.apple.clearDecisions(for: other)
        #expect(await box.apple.decisions().count == 1)
        await box.apple.clearDecisions(for: nil)
        try await box.decide(["client_id": .string(other)])
        try await box.apple.removeService(other)
        #expect(await box.apple.decisions().isEmpty)
    }

    @Test("A request may have its own decision, which uses none of the queue")
    func ownDecision() async throws {
        try await box.decide(["decision": "cancel"])
        let fields = await box.authorize(["siwa_person": Box.maya, "siwa_email": "hide"])
            .hiddenFields
        #expect(fields["user"]?.contains("@privaterelay.appleid.com") == true)
        let own = await box.authorize(["siwa_person": Box.maya, "siwa_decision": "cancel"])
        #expect(own.hiddenFields["error"] == "user_cancelled_authorize")
        #expect(await box.apple.decisions().count == 1)
        for (name, value) in [
            ("siwa_person", "nobody@example.com"), ("siwa_decision", "maybe"),
            ("siwa_email", "hide"),
        ] {
            let refused = await box.authorize([name: value])
            #expect(refused.failure?.hint.contains("siwa_person") == true, "\(name)")
        }
        let strict = try await Box(configuration: EmulatorConfiguration(isStrict: true))
        #expect(await strict.authorize(["siwa_person": Box.maya]).failure != nil)
    }

    @Test("A full queue refuses another decision, and names the limit") func full() async throws {
        for _ in 1...1_000 { try await box.decide() }
        do {
            try await box.decide()
            Issue.record("1001 decisions are queued")
        } catch let refusal as ControlRefusal {
            #expect(refusal.kind == .conflict && refusal.message.contains("1000"))
        }
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
