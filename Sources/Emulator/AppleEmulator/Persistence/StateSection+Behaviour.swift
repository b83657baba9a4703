import Foundation

extension StateSection {
    /// Signed-in browsers and queued decisions.
    static let browsers: [StateSection] = [
        .table(
            "browser_sessions",
            key: "session",
            AppleAccountSession.schema,
            \.authorizations.sessions
        ),
        .objects("authorizations_next") {
            $0.authorizations.decisions.map(\.object)
        } _: {
            try $1.authorizations.add(QueuedDecision($0, people: $1.people, registry: $1.registry))
        },
    ]

    /// Settings that change the emulator's behaviour.
    static let behaviour: [StateSection] = [
        .settings("switches", { $0.switches.object }) { try $1.switches.change($0) },
        .list("faults", Fault.keptSchema, \.faults.faults) { _ = try $1.faults.add($0) },
        .settings("notification_settings", { $0.notificationSettings.object }) {
            try $1.notificationSettings.change($0)
        },
    ]
}

extension AppleAccountSession {
    fileprivate static let schema = ObjectSchema(
        AppleAccountSession(
            current: AuthenticatedPerson(personID: .unknown, authenticatedAt: .distantPast)
        ),
        .required(
            "people",
            \.people,
            .list(of: AuthenticatedPerson.schema).refusing {
                (1...maximumPersonCount).contains($1.count)
                    ? nil : "must have 1 to \(maximumPersonCount) entries"
            }
        )
    )
}

extension AuthenticatedPerson {
    fileprivate static let schema = ObjectSchema(
        AuthenticatedPerson(personID: .unknown, authenticatedAt: .distantPast),
        .required("person_id", \.personID, .person),
        .required("authenticated_at", \.authenticatedAt, .time)
    )
}
