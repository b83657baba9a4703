import AppleIdentity
import Foundation

/// A section of the state: its name in a document, and how it is written and read.
struct StateSection: Sendable {
    let name: String
    let write: @Sendable (EmulatorState) -> JSONValue?
    let read: @Sendable (JSONValue, inout EmulatorState) throws -> Void

    typealias Path<Value> = WritableKeyPath<EmulatorState, Value> & Sendable

    /// All sections, in an order in which each refers only to earlier ones.
    static let all: [StateSection] =
        registrations + people + grants + transfers + browsers + behaviour + notifications + mail

    /// The sections of an export that the data folder does not keep.
    static let exportedOnly: Set<String> = [
        "browser_sessions", "faults", "mail", "sent_mail", "mail_bounces", "mail_aliases",
        "mail_counts",
    ]

    static func value<Value>(
        _ name: String,
        _ path: any Path<Value>,
        _ form: ValueForm<Value>
    ) -> StateSection {
        StateSection(
            name: name,
            write: { form.write($0[keyPath: path]) },
            read: { value, state in
                let reader = try FieldReader(
                    [name: value],
                    known: [name],
                    references: StateReferences(state)
                )
                if let value = try form.read(reader, name) { state[keyPath: path] = value }
            }
        )
    }

    /// Settings, in their form in the control API.
    static func settings(
        _ name: String,
        _ write: @escaping @Sendable (EmulatorState) -> JSONObject?,
        _ change: @escaping @Sendable (JSONObject, inout EmulatorState) throws -> Void
    ) -> StateSection {
        StateSection(
            name: name,
            write: { write($0).map { .object($0) } },
            read: { value, state in
                guard let object = value.objectValue else {
                    throw ControlRefusal.wrong(name, "must be an object")
                }
                try ControlRefusal.within(name) { try change(object, &state) }
            }
        )
    }

    /// A list whose entries have their form in the control API.
    static func objects(
        _ name: String,
        lateField: String? = nil,
        _ write: @escaping @Sendable (EmulatorState) -> [JSONObject],
        _ restore: @escaping @Sendable (JSONObject, inout EmulatorState) throws -> Void
    ) -> StateSection {
        StateSection(
            name: name,
            write: { .array(write($0).map { .object($0) }) },
            read: { value, state in
                _ = try value.entries(named: name, lateField: lateField) { try restore($0, &state) }
            }
        )
    }

    /// A list whose entries have a schema.
    ///
    /// Entries with the late field refer to others of the list.
    static func list<Entry>(
        _ name: String,
        _ schema: ObjectSchema<Entry>,
        lateField: String? = nil,
        _ entries: any KeyPath<EmulatorState, [Entry]> & Sendable,
        _ restore: @escaping @Sendable (Entry, inout EmulatorState) throws -> Void
    ) -> StateSection {
        objects(name, lateField: lateField) {
            $0[keyPath: entries].map(schema.write)
        } _: { object, state in
            // The references are released before the change, which otherwise would copy the state.
            let entry = try schema.read(object, StateReferences(state))
            try restore(entry, &state)
        }
    }

    /// A table whose values have a schema, each with its key in the table.
    static func table<Value>(
        _ name: String,
        key: String,
        _ schema: ObjectSchema<Value>,
        _ path: any Path<BoundedTable<Value>>
    ) -> StateSection {
        let named = ObjectSchema(
            TableEntry(key: "", value: schema.blank()),
            .required(key, \.key, .text),
            .part(\.value, schema)
        )
        return objects(name) { state in
            state[keyPath: path].entries.map {
                named.write(TableEntry(key: $0.key, value: $0.value))
            }
        } _: { object, state in
            let entry = try named.read(object, StateReferences(state))
            guard state[keyPath: path][entry.key] == nil else { throw ControlRefusal.twice(key) }
            state[keyPath: path].insert(entry.value, for: entry.key)
        }
    }
}

private struct TableEntry<Value: Sendable>: Sendable {
    var key: String
    var value: Value
}

/// Times in a document: ISO 8601 in UTC, with milliseconds.
enum StateTime {
    /// The string of a time, which is stable when it is parsed and formatted again.
    static func text(_ time: Date) -> String {
        // A time just below a millisecond by binary rounding counts as that millisecond.
        let milliseconds = Int((time.timeIntervalSince1970 * 1_000 + 0.001).rounded(.down))
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let whole = rest < 0 ? seconds - 1 : seconds
        let text = Date(timeIntervalSince1970: TimeInterval(whole)).formatted(.iso8601)
        guard rest != 0 else { return text }
        let digits = String(1_000 + (rest < 0 ? rest + 1_000 : rest)).dropFirst()
        return text.dropLast() + "." + digits + "Z"
    }

    /// The time of a string; nil if it is invalid.
    static func time(_ text: String) -> Date? {
        // Years have four digits, and digits beyond milliseconds are invalid.
        guard text.dropFirst(4).first == "-", text.utf8.count <= 24 else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return try? Date(text, strategy: .iso8601) }
        guard let whole = try? Date(parts[0] + "Z", strategy: .iso8601), parts[1].count == 4,
            parts[1].hasSuffix("Z"), let milliseconds = UInt(parts[1].dropLast())
        else { return nil }
        return whole.addingTimeInterval(TimeInterval(milliseconds) / 1_000)
    }
}

extension StateSection {
    /// The clock, the signing keys and the registrations.
    static let registrations: [StateSection] = [
        .settings("clock", { ["offset_seconds": .number($0.clock.offset)] }) { object, state in
            let name = "offset_seconds"
            let offset = try ValueForm.number.read(FieldReader(object, known: [name]), name)
            try state.clock.move(to: offset ?? 0, field: name)
        },
        .list("signing_keys", KeptSigningKey.schema, \.signingKeys.stored) {
            try $1.signingKeys.restore($0)
        },
        .list("teams", SeedTeam.schema, \.registry.teams.sortedValues) {
            try $1.registry.restore($0)
        },
        .list("apps", SeedApp.schema, lateField: "primary_client_id", \.registry.apps.sortedValues)
        { try $1.registry.restore($0) },
        .list("services", SeedService.schema, \.registry.services.sortedValues) {
            try $1.registry.restore($0)
        },
        .list("keys", SeedKey.keptSchema, \.registry.keys.sortedValues) {
            try $1.registry.restore($0)
        },
        .list("mail_sources", SeedMailSource.schema, \.mail.sources.all) {
            _ = try $1.mail.sources.add($0, teams: $1.registry.teams)
        },
    ]
}

extension Dictionary where Key: TextIdentifier {
    var sortedValues: [Value] { sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }
}
