import AppleIdentity

/// A part of the state: its name in a document, how it is told, and how it is taken up.
struct StateSection: Sendable {
    let name: String
    /// What documents of earlier versions call it.
    var formerName: String?
    let write: @Sendable (EmulatorState) -> JSONValue?
    let read: @Sendable (JSONValue, inout EmulatorState) throws(ControlRefusal) -> Void

    typealias Path<Value> = WritableKeyPath<EmulatorState, Value> & Sendable

    /// Every part, in an order in which nothing refers to what comes later.
    static let all: [StateSection] =
        registrations + people + grants + transfers + browsers + behaviour + notifications + mail

    /// A value by itself.
    static func value<Value>(
        _ name: String,
        _ path: any Path<Value>,
        _ form: ValueForm<Value>
    ) -> StateSection {
        StateSection(
            name: name,
            write: { form.write($0[keyPath: path]) },
            read: { value, state throws(ControlRefusal) in
                let reader = try FieldReader(
                    [name: value],
                    known: [name],
                    references: StateReferences(state)
                )
                if let value = try form.read(reader, name) { state[keyPath: path] = value }
            }
        )
    }

    /// Settings that are read as the control port reads them.
    static func settings(
        _ name: String,
        _ write: @escaping @Sendable (EmulatorState) -> JSONObject?,
        _ change:
            @escaping @Sendable (JSONObject, inout EmulatorState) throws(ControlRefusal)
            -> Void
    ) -> StateSection {
        StateSection(
            name: name,
            write: { write($0).map { .object($0) } },
            read: { value, state throws(ControlRefusal) in
                guard let object = value.objectValue else {
                    throw .wrong(name, "must be an object")
                }
                try ControlRefusal.within(name) { () throws(ControlRefusal) in
                    try change(object, &state)
                }
            }
        )
    }

    /// A list whose entries are read as the control port reads them.
    static func objects(
        _ name: String,
        lateField: String? = nil,
        _ write: @escaping @Sendable (EmulatorState) -> [JSONObject],
        _ restore:
            @escaping @Sendable (JSONObject, inout EmulatorState) throws(ControlRefusal)
            -> Void
    ) -> StateSection {
        StateSection(
            name: name,
            write: { .array(write($0).map { .object($0) }) },
            read: { value, state throws(ControlRefusal) in
                _ = try value.entries(named: name, lateField: lateField) {
                    object throws(ControlRefusal) in
                    try restore(object, &state)
                }
            }
        )
    }

    /// A list whose entries a schema describes: what to tell, and how an entry is taken up.
    ///
    /// Entries with the late field refer to others of the list.
    static func list<Entry>(
        _ name: String,
        _ schema: Schema<Entry>,
        lateField: String? = nil,
        _ entries: @escaping @Sendable (EmulatorState) -> [Entry],
        _ restore: @escaping @Sendable (Entry, inout EmulatorState) throws(ControlRefusal) -> Void
    ) -> StateSection {
        objects(name, lateField: lateField) {
            entries($0).map(schema.write)
        } _: { object, state throws(ControlRefusal) in
            // The references are let go before the state changes: else all of it would be copied.
            let entry = try schema.read(object, StateReferences(state))
            try restore(entry, &state)
        }
    }

    /// A table whose values a schema describes, each under the name it has in the table.
    static func table<Value>(
        _ name: String,
        key: String,
        _ schema: Schema<Value>,
        _ path: any Path<BoundedTable<Value>>
    ) -> StateSection {
        let named = Schema(
            TableEntry(key: "", value: schema.blank()),
            [.required(key, \.key, .text)] + schema.fields.map { $0.within(\.value) }
        )
        return list(name, named) { state in
            state[keyPath: path].entries.map { TableEntry(key: $0.key, value: $0.value) }
        } _: { entry, state throws(ControlRefusal) in
            guard state[keyPath: path][entry.key] == nil else { throw .twice(key) }
            state[keyPath: path].insert(entry.value, for: entry.key)
        }
    }
}

/// A value and its name in a table.
private struct TableEntry<Value: Sendable>: Sendable {
    var key: String
    var value: Value
}
