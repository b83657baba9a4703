import OpenAPIDescription

/// The bodies of operations of the control API, as JSON Schema of the forms that read them.
package enum ControlBody {
    package static func registration(of kind: SeedKind) -> JSONSchema {
        switch kind {
        case .team: SeedTeam.schema.json
        case .key: SeedKey.schema.json
        case .app: SeedApp.schema.json
        case .service: SeedService.schema.json
        case .person: SeedPerson.schema.json
        case .mailSource: SeedMailSource.schema.json
        }
    }

    package static let appChange = SeedApp.schema.changes(of: SeedApp.changeableNames)
    package static let serviceChange = SeedService.schema.changes(of: SeedService.changeableNames)
    package static let personChange = SeedPerson.schema.changes(of: SeedPerson.changeableNames)
    package static let credentials = NativeRequest.schema.json
    package static let decision = QueuedDecision.schema.json
    package static let notification = NotificationOrder.schema.json
    package static let notificationSettings = NotificationSettings.schema.json
    package static let fault = Fault.schema.json
    package static let switches = schema(of: EmulatorSwitches.fields)
    static let switchesOfRequest = schema(
        of: EmulatorSwitches.fields.filter { $0.scope == .everywhere }
    )

    private static func schema(of switches: [SwitchField]) -> JSONSchema {
        .object(
            switches.flatMap { row in
                row.field.described.map {
                    .optional($0.name, $0.schema.described("\(row.about) Values: \(row.values)."))
                }
            },
            isClosed: true
        )
    }

    /// The limit of the clock, in seconds from the machine's time.
    package static let maximumOffsetSeconds = EmulatorClock.maximumOffsetSeconds
    package static let statusesWithoutBody = Fault.statusesWithoutBody.sorted()
    package static let state = JSONSchema.object([
        .required("format", .word([StateDocument.format])),
        .required("version", .integer(in: StateDocument.version...StateDocument.version)),
    ])
    /// A string of a field without other rules.
    package static let text = FieldReader.schema()
    /// The text of a reply to a mail.
    package static let longText = ValueForm<String>.longText.schema
}
