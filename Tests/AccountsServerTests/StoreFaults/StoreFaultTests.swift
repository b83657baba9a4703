import Accounts
import AppleEmulator
import AppleEmulatorTesting
import HTTPTypes
import Testing

@Suite("Every call of the database fails in turn", .timeLimit(.minutes(5)))
struct StoreFaultTests {
    @Test("and nothing is lost, half stored, or wrongly reported as done", arguments: StoreFlow.all)
    func everyCall(of flow: StoreFlow) async throws {
        let calls = try await StoreRecordings.shared.calls(of: flow)
        #expect(!calls.isEmpty)
        for fault in StoreFault.all(of: calls) { try await StoreWalk(flow: flow).walk(into: fault) }
    }

    @Test("and the end of consent that a check at Apple reports is stored a minute later")
    func untoldEnd() async throws {
        let calls = try await endOfConsent(with: nil)
        #expect(Set(calls).isSuperset(of: [.run, .decide]))
        for fault in StoreFault.all(of: calls) { _ = try await endOfConsent(with: fault) }
    }

    private func endOfConsent(with fault: StoreFault?) async throws -> [FailingDatabase.Call] {
        try await FaultWorld.with { world in
            let token = try await world.server.token()
            world.apple.time.advance(bySeconds: FaultWorld.day)
            try await world.stopUsing()
            world.failing.watch(fault)
            await world.validation.validateDue()
            let (calls, hasStruck) = world.failing.mend()
            #expect(hasStruck == (fault != nil), "\(fault?.description ?? "no fault")")
            world.apple.time.advance(bySeconds: 60)
            await world.validation.validateDue()
            let answer = try await world.server.get("/api/account", token)
            #expect(answer.code == "session_invalid", "\(fault?.description ?? "no fault")")
            return calls
        }
    }
}

/// The calls of each flow without a fault, found once for all tests.
private actor StoreRecordings {
    static let shared = StoreRecordings()

    private var tasks: [String: Task<[FailingDatabase.Call], any Error>] = [:]

    func calls(of flow: StoreFlow) async throws -> [FailingDatabase.Call] {
        let task = tasks[flow.name] ?? Task { try await StoreWalk(flow: flow).record() }
        tasks[flow.name] = task
        return try await task.value
    }
}
