import Accounts
import AppleEmulator
import AppleEmulatorTesting
import HTTPTypes
import Testing

@Suite("Every call of the store fails in turn", .timeLimit(.minutes(5)))
struct StoreFaultTests {
    @Test("and nothing is lost, half stored, or wrongly reported as done", arguments: StoreFlow.all)
    func everyCall(of flow: StoreFlow) async throws {
        let calls = try await StoreRecordings.shared.calls(of: flow)
        #expect(!calls.isEmpty)
        for fault in StoreFault.all(of: calls) { try await StoreWalk(flow: flow).walk(into: fault) }
    }

    @Test("and no method of the store is missing")
    func everyMethod() async throws {
        #expect(
            try StoreMethod.declaredNames().sorted()
                == StoreMethod.allCases.map(\.functionName).sorted()
        )
        let flows = StoreFlow.all
        #expect(Set(flows.map(\.name)).count == flows.count)
        var missing = Set(StoreMethod.allCases)
        for flow in flows { missing.subtract(try await StoreRecordings.shared.calls(of: flow)) }
        #expect(missing.map(\.rawValue).sorted() == [])
    }

    @Test(
        "and the end of consent that a check at Apple reports is stored a minute later",
        arguments: [StoreMethod.claimValidations, .applyTokenEnd].flatMap { method in
            method.faults.map { StoreFault(method: method, number: 1, kind: $0) }
        }
    )
    func untoldEnd(fault: StoreFault) async throws {
        try await FaultWorld.with { world in
            let token = try await world.server.token()
            world.apple.time.advance(bySeconds: FaultWorld.day)
            try await world.stopUsing()
            world.failing.watch(fault)
            await world.validation.validateDue()
            #expect(world.failing.mend().hasStruck)
            world.apple.time.advance(bySeconds: 60)
            await world.validation.validateDue()
            let answer = try await world.server.get("/api/account", token)
            #expect(answer.code == "session_invalid")
        }
    }
}

/// The calls of each flow without a fault, found once for all tests.
private actor StoreRecordings {
    static let shared = StoreRecordings()

    private var tasks: [String: Task<[StoreMethod], any Error>] = [:]

    func calls(of flow: StoreFlow) async throws -> [StoreMethod] {
        let task = tasks[flow.name] ?? Task { try await StoreWalk(flow: flow).record() }
        tasks[flow.name] = task
        return try await task.value
    }
}
