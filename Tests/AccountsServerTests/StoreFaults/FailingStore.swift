import Accounts
import AccountsSQLite
import Synchronization

/// A store that fails at a given call, and records all calls; a real store does the work.
///
/// It caches no session, like a store that several processes share: each one is looked up.
final class FailingStore: AccountStore {
    typealias Failure = AccountStoreError

    private struct State {
        var calls: [StoreMethod] = []
        var fault: StoreFault?
        var hasStruck = false
        var isGone = false
    }

    let store: any AccountStore
    private let state = Mutex(State())

    init(_ store: any AccountStore) {
        self.store = store
    }

    var identifierOrder: IdentifierOrder { store.identifierOrder }
    var load: StoreLoad { store.load }

    /// Records calls from here on; one of them fails.
    func watch(_ fault: StoreFault?) {
        state.withLock { $0 = State(fault: fault) }
    }

    /// Lets all calls succeed again.
    ///
    /// - Returns: the recorded calls, and whether one has failed.
    func mend() -> (calls: [StoreMethod], hasStruck: Bool) {
        state.withLock { state in
            defer { state = State() }
            return (state.calls, state.hasStruck)
        }
    }

    /// Makes a call, unless it must fail.
    func call<Answer>(
        _ method: StoreMethod,
        _ work: @autoclosure () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        switch fault(at: method) {
        case nil: return try await work()
        case .unavailable: throw AccountStoreError(.unavailable, hint: "set to be unavailable")
        case .undoneUnknown: throw Self.answerLost
        case .doneUnknown, .doneAndGone:
            _ = try await work()
            throw Self.answerLost
        }
    }

    private static let answerLost = AccountStoreError(
        .outcomeUnknown,
        hint: "set to lose its response"
    )

    private func fault(at method: StoreMethod) -> StoreFault.Kind? {
        state.withLock { state in
            state.calls.append(method)
            if state.isGone { return .unavailable }
            guard let fault = state.fault, fault.method == method, !state.hasStruck,
                fault.number == state.calls.count(where: { $0 == method })
            else { return nil }
            state.hasStruck = true
            state.isGone = fault.kind == .doneAndGone
            return fault.kind
        }
    }
}
