import Accounts
import AccountsSQLite
import GRDB
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import Testing

/// Runs a flow with one failing call of the database, and repeats it when the database works again.
struct StoreWalk: Sendable {
    let flow: StoreFlow

    /// Runs the flow without a fault.
    ///
    /// - Returns: the calls of the database.
    func record() async throws -> [FailingDatabase.Call] {
        try await FaultWorld.with { world in
            let steps = try await flow.prepare(world)
            world.failing.watch(nil)
            let answer = try await steps.act(nil)
            let calls = world.failing.mend().calls
            if let answer { #expect(answer.isDone(steps), "\(flow.name): \(answer.told)") }
            try await steps.check()
            try await world.checkWholeness(flow.name)
            return calls
        }
    }

    /// Runs the flow with a fault, then again without.
    func walk(into fault: StoreFault) async throws {
        let place = "\(flow.name), \(fault)"
        try await FaultWorld.with { world in
            let steps = try await flow.prepare(world)
            world.failing.watch(fault)
            let first = try await steps.act(nil)
            #expect(world.failing.mend().hasStruck, "\(place): the call was not made")
            if let first {
                #expect(first.isDone(steps) || first.isUnavailable, "\(place): \(first.told)")
            }
            if first?.isDone(steps) != true {
                let again = try await steps.act(first)
                if let again {
                    // Only after an unknown outcome may the first attempt have been enough.
                    let mayBeDone = fault.kind == .doneAndGone
                    #expect(
                        again.isDone(steps, orBefore: mayBeDone),
                        "\(place): again \(again.told)"
                    )
                }
            }
            try await steps.check()
            try await world.checkWholeness(place)
        }
    }
}

extension TestResponse {
    fileprivate func isDone(_ steps: StoreFlow.Steps, orBefore: Bool = false) -> Bool {
        if let code, orBefore, steps.doneCodes.contains(code) { return true }
        return steps.code == code && (code != nil || status.code < 400)
    }

    /// The only allowed error of a failing store: the same request may succeed later.
    fileprivate var isUnavailable: Bool {
        status == .serviceUnavailable && code == "store_unavailable"
    }

    fileprivate var told: String { "\(status.code) \(code ?? "-")" }
}

extension FaultWorld {
    /// Checks the invariants that apply after every failure.
    func checkWholeness(_ place: String) async throws {
        await maintenance.lookAfter()
        let faults = try await server.store.queue.read { database in
            try Self.rules.filter { try Int.fetchOne(database, sql: $0.sql) != 0 }.map(\.name)
        }
        #expect(faults == [], "\(place)")
    }

    /// Conditions that no row may meet, with a statement that counts such rows.
    private static let rules: [(name: String, sql: String)] = [
        (
            "an account that nothing opens",
            """
            SELECT count(*) FROM accounts
            WHERE id NOT IN (SELECT account_id FROM apple_identities)
                AND id NOT IN (SELECT account_id FROM passwords)
            """
        ),
        (
            "a password without a username, or the other way round",
            """
            SELECT count(*) FROM accounts
            WHERE (username IS NULL) = (id IN (SELECT account_id FROM passwords))
            """
        ),
        (
            "a session without an account",
            "SELECT count(*) FROM sessions WHERE account_id NOT IN (SELECT id FROM accounts)"
        ),
        (
            "a refresh token that is kept and to be revoked",
            """
            SELECT count(*) FROM outbox JOIN apple_refresh_tokens
                ON json_extract(outbox.payload, '$.id') = apple_refresh_tokens.id
            WHERE outbox.kind = 'revocation'
            """
        ),
        (
            "a name that waits for a person who has it",
            """
            SELECT count(*) FROM pending_names JOIN apple_identities USING (issuer, subject)
            JOIN accounts ON accounts.id = apple_identities.account_id WHERE accounts.name IS NOT NULL
            """
        ),
    ]
}
