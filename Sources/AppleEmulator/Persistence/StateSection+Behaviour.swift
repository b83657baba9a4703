import Foundation

extension StateSection {
    /// Signed-in browsers and queued decisions.
    static let browsers: [StateSection] = [
        .table(
            "browser_sessions",
            key: "session",
            BrowserSession.schema,
            \.authorizations.sessions
        ),
        .objects("authorizations_next") {
            $0.authorizations.decisions.map(\.object)
        } _: {
            try $1.authorizations.add(Decision($0, people: $1.people))
        },
    ]

    /// Settings that change the emulator's behaviour.
    static let behaviour: [StateSection] = [
        .settings("switches", { $0.switches.object }) { try $1.switches.change($0) },
        .chaos,
        .list("faults", Fault.keptSchema, \.faults.faults) { _ = try $1.faults.add($0) },
        .settings("notification_settings", { $0.notificationSettings.object }) {
            try $1.notificationSettings.change($0)
        },
    ]

    /// Continues the random faults of the same seed; another seed begins its own.
    private static var chaos: StateSection {
        settings("chaos", { $0.chaos.map(Chaos.schema.write) }) { object, state in
            let kept = try Chaos.schema.read(object, StateReferences(state))
            if kept.seed == state.chaos?.seed { state.chaos = kept }
        }
    }
}

extension BrowserSession {
    fileprivate static let schema = Schema(
        BrowserSession(current: SignedInPerson(personID: .unknown, authenticatedAt: .distantPast)),
        .required(
            "people",
            \.people,
            .list(of: SignedInPerson.schema).refusing {
                (1...maximumPersonCount).contains($1.count)
                    ? nil : "must have 1 to \(maximumPersonCount) entries"
            }
        )
    )
}

extension SignedInPerson {
    fileprivate static let schema = Schema(
        SignedInPerson(personID: .unknown, authenticatedAt: .distantPast),
        .required("person_id", \.personID, .person),
        .required("authenticated_at", \.authenticatedAt, .time)
    )
}

extension Chaos {
    private struct EndpointCount {
        var endpoint = ""
        var count: UInt64 = 0

        static let schema = Schema(
            EndpointCount(),
            .required("endpoint", \.endpoint, .text),
            .required("count", \.count, .largeNumber)
        )
    }

    fileprivate static let schema = Schema(
        Chaos(seed: 0),
        .required("seed", \.seed, .largeNumber),
        .usual("counts", \.sortedCounts, .list(of: EndpointCount.schema))
    )

    private var sortedCounts: [EndpointCount] {
        get {
            counts.sorted { $0.key < $1.key }.map {
                EndpointCount(endpoint: $0.key, count: $0.value)
            }
        }
        set {
            counts = [:]
            for entry in newValue { counts[entry.endpoint] = entry.count }
        }
    }
}
