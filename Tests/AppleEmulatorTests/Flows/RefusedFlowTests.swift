import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import HTTPTypes
import Testing

@Suite("Flows with refusals") final class RefusedFlowTests: BoxSuite {
    @Test(
        "An authorize request that is refused is a flow of its own",
        arguments: [
            (["client_id": "com.example.unknown"], "is not registered"),
            (["redirect_uri": "https://juice.example.com/other"], "is not registered for"),
            (["response_mode": "query"], "a response_mode other than form_post"),
        ]
    )
    func authorize(changes: [String: String], reason: String) async throws {
        _ = await box.authorize(changes.mapValues { $0 })
        _ = await box.authorize()
        #expect(await box.flowStates() == ["refused", "open"])
        let id = await box.apple.flows()[0]["id"]?.stringValue ?? ""
        let step = try await box.apple.flow(id: id).lastStep
        #expect(step["refused"] == true)
        #expect(step["reason"]?.stringValue?.contains(reason) == true)
        #expect(step["hint"]?.stringValue?.isEmpty == false)
    }

    @Test("A refusal with a known code joins the flow that gave the code out")
    func knownCode() async throws {
        let fields = try await box.signInOnTheWeb([
            "code_challenge": Self.challenge, "code_challenge_method": "S256",
        ])
        let code = try #require(fields["code"])
        _ = try await box.exchange(code, ["client_secret": "x.y.z"])
        _ = try await box.exchange(code, ["redirect_uri": "https://juice.example.com/other"])
        _ = try await box.exchange(code, ["code_verifier": "not-the-one"])
        _ = try await box.exchange(code, ["client_id": Box.app])
        _ = try await box.exchange(code, ["code_verifier": Self.verifier])
        _ = try await box.exchange(code, ["code_verifier": Self.verifier])
        #expect(await box.apple.flows().count == 1)
        let flow = try await box.lastFlow()
        let refused = flow.steps.dropFirst(2).map { $0["refused"]?.booleanValue }
        #expect(refused == [true, true, true, true, false, true])
        #expect(flow["state"] == "signed_in")
        #expect(flow["refusals"] == 5)
        let reasons = flow.steps.compactMap { $0["reason"]?.stringValue }
        #expect(reasons[1].contains("redirect_uri"))
        #expect(reasons[2] == "code_verifier does not match the code_challenge")
        #expect(reasons[4] == "the code was exchanged before")
    }

    /// Source: [RFC 7636, appendix B](https://www.rfc-editor.org/rfc/rfc7636#appendix-B).
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test("An expired code joins its flow with its lifetime") func expired() async throws {
        let fields = try await box.signInOnTheWeb()
        try await box.advance(bySeconds: 300)
        _ = try await box.exchange(try #require(fields["code"]))
        #expect(await box.flowStates() == ["refused"])
        let step = try await box.lastFlow().lastStep
        #expect(step["reason"] == "the code is older than 300 seconds")
        #expect(
            step["hint"]
                == "exchange it immediately; Apple may refuse requests without a User-Agent field"
        )
    }

    @Test("A code with a fault's response still finds its flow") func fault() async throws {
        let fields = try await box.signInOnTheWeb()
        _ = try await box.apple.addFault(
            ["endpoint": "token", "status": 503, "body": "<b>busy</b>", "count": 1]
        )
        _ = try await box.exchange(try #require(fields["code"]))
        let flow = try await box.lastFlow()
        #expect(await box.apple.flows().count == 1)
        #expect(flow.lastStep["status"] == 503)
        #expect(flow.lastStep["answer_fields"]?.objectValue?["body"] == "<b>busy</b>")
        _ = try await box.apple.addFault(["endpoint": "token", "drop": true, "count": 1])
        _ = try await box.exchange(try #require(fields["code"]))
        let dropped = try await box.lastFlow().lastStep
        #expect(dropped["status"] == nil)
        #expect(dropped["refused"] == true)
    }

    @Test("What names no known sign-in is unlinked, and the same unknown code joins it")
    func unlinked() async throws {
        _ = try await box.signInOnTheWeb()
        _ = try await box.exchange("c0ffee-unknown")
        _ = try await box.exchange("c0ffee-unknown")
        _ = try await box.refresh("r0ffee-unknown")
        _ = await box.post("/auth/token", [:])
        _ = await box.post("/auth/authorize/sheet", ["transaction": "gone", "action": "continue"])
        _ = await box.send(.get, "/auth/token?code=c0ffee")
        let kinds = await box.apple.flows().map { $0["kind"]?.stringValue }
        #expect(kinds == ["web", "unlinked", "unlinked", "unlinked", "unlinked", "unlinked"])
        let counts = await box.apple.flows().map { $0["step_count"]?.integerValue }
        #expect(counts[1] == 2)
    }

    @Test("Two sheets open side by side stay apart") func sideBySide() async throws {
        let first = await box.authorize()
        let second = await box.authorize()
        _ = await box.step(second, "cancel")
        _ = await box.signIn(first)
        #expect(await box.flowStates() == ["open", "cancelled"])
    }
}
