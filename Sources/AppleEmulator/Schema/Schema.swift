import AppleIdentity
import Foundation

/// The one description of an object: each field is read and written by it, wherever the object stands.
struct Schema<Object>: Sendable {
    private(set) var fields: [SchemaField<Object>]
    private var names: [String]
    /// An object of which nothing was read yet.
    let blank: @Sendable () -> Object
    /// What the fields must be together, whoever wrote them but an emulator.
    private let check: @Sendable (Object) throws(ControlRefusal) -> Void

    /// - Parameters:
    ///   - blank: an object of which nothing was read yet.
    ///   - fields: its fields, in the order in which they are written.
    ///   - check: what they must be together; an emulator's own state is trusted.
    init(
        _ blank: @autoclosure @escaping @Sendable () -> Object,
        _ fields: SchemaField<Object>...,
        check: @escaping @Sendable (Object) throws(ControlRefusal) -> Void = { _ in }
    ) {
        self.blank = blank
        self.fields = fields
        names = fields.flatMap(\.names)
        self.check = check
    }

    func read(
        _ object: JSONObject,
        _ references: StateReferences? = nil
    ) throws(ControlRefusal) -> Object {
        var result = blank()
        try change(&result, by: object, references)
        return result
    }

    /// Changes the fields of an object that are given; nothing has changed when one is wrong.
    func change(
        _ object: inout Object,
        by members: JSONObject,
        _ references: StateReferences? = nil
    ) throws(ControlRefusal) {
        let reader = try FieldReader(members, known: names, references: references)
        var changed = object
        for field in fields { try field.read(reader, &changed) }
        if references == nil { try check(changed) }
        object = changed
    }

    func write(_ object: Object) -> JSONObject {
        var written: [JSONObject.Member] = []
        for field in fields { field.write(object, &written) }
        return JSONObject(written)
    }

    /// The same object with more fields behind its own.
    func adding(_ others: SchemaField<Object>...) -> Schema {
        var schema = self
        schema.fields += others
        schema.names += others.flatMap(\.names)
        return schema
    }
}

protocol SchemaObject: Sendable { static var schema: Schema<Self> { get } }

extension SchemaObject {
    /// Reads the object as a seed and the control port spell it.
    init(_ object: JSONObject) throws(ControlRefusal) { self = try Self.schema.read(object) }

    var object: JSONObject { Self.schema.write(self) }
}

/// One field of an object: its name, how its value is read, and how it is written.
struct SchemaField<Object>: Sendable {
    typealias Path<Value> = WritableKeyPath<Object, Value> & Sendable

    /// The field's name; several for a value that can be written in several ways.
    let names: [String]
    let read: @Sendable (FieldReader, inout Object) throws(ControlRefusal) -> Void
    let write: @Sendable (Object, inout [JSONObject.Member]) -> Void

    static func required<Value>(
        _ name: String,
        _ path: any Path<Value>,
        _ form: ValueForm<Value>
    ) -> SchemaField {
        SchemaField(
            names: [name],
            read: { reader, object throws(ControlRefusal) in
                object[keyPath: path] = try reader.require(name, form.read(reader, name))
            },
            write: { $1.add(name, form.write($0[keyPath: path])) }
        )
    }

    /// A field that stands for nothing when it is left out.
    static func optional<Value>(
        _ name: String,
        _ path: any Path<Value?>,
        _ form: ValueForm<Value>
    ) -> SchemaField {
        SchemaField(
            names: [name],
            read: { reader, object throws(ControlRefusal) in
                object[keyPath: path] = try form.read(reader, name)
            },
            write: { $1.add(name, $0[keyPath: path].map(form.write)) }
        )
    }

    /// A field that leaves the object as it is when it is left out; some values may not be written.
    static func usual<Value>(
        _ name: String,
        _ path: any Path<Value>,
        _ form: ValueForm<Value>,
        isWritten: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) -> SchemaField {
        SchemaField(
            names: [name],
            read: { reader, object throws(ControlRefusal) in
                guard let value = try form.read(reader, name) else { return }
                object[keyPath: path] = value
            },
            write: { object, members in
                let value = object[keyPath: path]
                if isWritten(value) { members.add(name, form.write(value)) }
            }
        )
    }

    /// Bytes: a text when they are one, else in base64 under a name that says so.
    static func bytes(_ name: String, _ path: any Path<Data>) -> SchemaField {
        SchemaField(
            names: [name, name + "_base64"],
            read: { reader, object throws(ControlRefusal) in
                object[keyPath: path] = try reader.bytes(name)
            },
            write: { $1.add(name, bytes: $0[keyPath: path]) }
        )
    }

    static func part<Part>(_ path: any Path<Part>, _ schema: Schema<Part>) -> SchemaField {
        SchemaField(
            names: schema.fields.flatMap(\.names),
            read: { reader, object throws(ControlRefusal) in
                for field in schema.fields { try field.read(reader, &object[keyPath: path]) }
            },
            write: { object, members in
                for field in schema.fields { field.write(object[keyPath: path], &members) }
            }
        )
    }
}
