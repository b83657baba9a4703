import AppleEmulatorPages
import AppleIdentity
import Foundation
import Testing

@testable import AppleEmulator

@Suite("The limits of stored flows") final class FlowLimitTests: BoxSuite {
    @Test("The flows without news go first, and what led to them is forgotten")
    func flowCount() async throws {
        let fields = try await box.signInOnTheWeb()
        let code = try #require(fields["code"])
        let old = try await box.lastFlow()["id"]
        for _ in 1..<FlowStore.maximumFlowCount { _ = await box.authorize(["client_id": "x"]) }
        #expect(await box.apple.flows().count == FlowStore.maximumFlowCount)
        _ = try await box.exchange(code)
        _ = await box.authorize(["client_id": "x"])
        #expect(await box.apple.flows().first?["id"] == old)
        for _ in 0..<FlowStore.maximumFlowCount { _ = await box.authorize(["client_id": "x"]) }
        #expect(await box.apple.flows().count == FlowStore.maximumFlowCount)
        #expect(await box.apple.flows().contains { $0["id"] == old } == false)
        _ = try await box.exchange(code)
        #expect(await box.apple.flows().last?["kind"] == "unlinked")
        await #expect(throws: ControlRefusal.self) {
            try await box.apple.flow(id: old?.stringValue ?? "")
        }
    }

    @Test("A long flow keeps its beginning and its end") func eventCount() async throws {
        let tokens = try await box.tokens()
        let refresh = try #require(tokens["refresh_token"])
        for _ in 0..<Flow.maximumEventCount { _ = try await box.refresh(refresh) }
        _ = try await box.refresh(refresh, ["client_secret": "wrong"])
        #expect(await box.apple.flows().count == 1)
        let flow = try await box.lastFlow()
        #expect(flow.steps.count == Flow.maximumEventCount)
        #expect(flow["forgotten_steps"]?.integerValue == 4)
        #expect(flow.story.first == "browser > apple: requests authorization")
        #expect(flow.lastStep["refused"] == true)
    }

    @Test(
        "Flows keep no more than their limit, whichever field is long",
        arguments: ["code", "client_id", "grant_type", "redirect_uri"]
    )
    func byteCount(field: String) async throws {
        let long = String(repeating: "a", count: AppleEmulator.maximumBodyByteCount - 200)
        var fields = ["grant_type": "authorization_code", "client_id": Box.web, "code": "c"]
        for number in 0..<FlowStore.maximumFlowCount {
            fields[field] = "\(number)" + long
            _ = await box.post("/auth/token", fields)
        }
        let flows = await box.apple.currentState.flows
        #expect(Self.byteCount(of: flows) <= FlowStore.maximumByteCount)
    }

    @Test("The limit leaves room for ordinary flows, and what is over it goes, oldest first")
    func room() async throws {
        let filler = String(repeating: "a", count: FlowRequest.maximumBodyByteCount - 200)
        for number in 0..<1_000 {
            let fields = ["grant_type": "x", "code": "code-\(number / 10)", "filler": filler]
            _ = await box.post("/auth/token", fields)
        }
        let flows = await box.apple.currentState.flows
        let byteCount = Self.byteCount(of: flows)
        #expect(byteCount <= FlowStore.maximumByteCount)
        #expect(byteCount > FlowStore.maximumByteCount * 3 / 4)
        #expect(flows.all.last?.number == 100)
    }

    /// The bytes of all strings and data below a value, independent of its own count.
    private static func byteCount(of value: Any) -> Int {
        switch value {
        case let text as String: text.utf8.count
        case let data as Data: data.count
        default: Mirror(reflecting: value).children.reduce(0) { $0 + byteCount(of: $1.value) }
        }
    }

    @Test("A form that is too long is shown by its length") func longForm() async throws {
        let value = String(repeating: "a", count: FlowRequest.maximumBodyByteCount)
        _ = await box.post("/auth/token", ["grant_type": value])
        let parameters = try await box.lastFlow().lastStep["parameters"]?.objectValue
        #expect(parameters?["form"]?.stringValue?.contains("too long to store") == true)
    }

    @Test("A reset removes all flows") func reset() async throws {
        _ = try await box.signInOnTheWeb()
        try await box.apple.reset()
        #expect(await box.apple.flows().isEmpty)
    }

    @Test(
        "Only the identifier of a flow names one",
        arguments: ["", "x", "00000000000g", "+00000000000", "0000000000000", "00000000000"]
    )
    func wrongIdentifier(text: String) { #expect(FlowID(text) == nil) }

    @Test("An identifier reads as it is written") func identifier() {
        for _ in 0..<100 {
            let id = FlowID.random()
            #expect(FlowID(id.text) == id)
        }
    }
}
