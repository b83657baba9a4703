import AppleIdentity

extension StateSection {
    /// The clock, Apple's keys, and what developers registered.
    static let registrations: [StateSection] = [
        .settings("clock", { ["offset_seconds": .number($0.clock.offset)] }) {
            object,
            state throws(ControlRefusal) in
            let name = "offset_seconds"
            let offset = try ValueForm.number.read(FieldReader(object, known: [name]), name)
            try state.clock.move(to: offset ?? 0, field: name)
        },
        .list("signing_keys", KeptSigningKey.schema, \.signingKeys.kept) {
            key,
            state throws(ControlRefusal) in
            try state.signingKeys.restore(key)
        },
        .list("teams", SeedTeam.schema, \.registry.teams.sortedValues) {
            team,
            state throws(ControlRefusal) in
            try state.registry.restore(team)
        },
        .list("apps", SeedApp.schema, lateField: "primary_client_id", \.registry.apps.sortedValues)
        {
            app,
            state throws(ControlRefusal) in
            try state.registry.restore(app)
        },
        .list("services", SeedService.schema, \.registry.services.sortedValues) {
            service,
            state throws(ControlRefusal) in
            try state.registry.restore(service)
        },
        .list("keys", SeedKey.keptSchema, \.registry.keys.sortedValues) {
            key,
            state throws(ControlRefusal) in
            try state.registry.restore(key)
        },
        .list("mail_sources", SeedMailSource.schema, \.mail.sources.all) {
            source,
            state throws(ControlRefusal) in
            _ = try state.mail.sources.add(source, teams: state.registry.teams)
        },
    ]
}

extension Dictionary where Key: TextIdentifier {
    /// The values in the order of their names.
    var sortedValues: [Value] { sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }
}
