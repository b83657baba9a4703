import AppleIdentity
import Foundation
import OpenAPIDescription

/// One field of an object: its name, and how its value is read and written.
struct SchemaField<Object>: Sendable {
    typealias Path<Value> = WritableKeyPath<Object, Value> & Sendable

    /// The field's name and values; several for a value with several notations.
    let described: [JSONSchema.Field]
    var names: [String] { described.map(\.name) }
    let read: @Sendable (FieldReader, inout Object) throws(ControlRefusal) -> Void
    let write: @Sendable (Object, inout [JSONObject.Member]) -> Void

    static func required<Value>(
        _ name: String,
        _ path: any Path<Value>,
        _ form: ValueForm<Value>
    ) -> SchemaField {
        SchemaField(
            described: [.required(name, form.schema)],
            read: { reader, object throws(ControlRefusal) in
                object[keyPath: path] = try reader.require(name, form.read(reader, name))
            },
            write: { $1.add(name, form.write($0[keyPath: path])) }
        )
    }

    /// A field that is nil when it is missing.
    static func optional<Value>(
        _ name: String,
        _ path: any Path<Value?>,
        _ form: ValueForm<Value>
    ) -> SchemaField {
        SchemaField(
            described: [.optional(name, form.schema.orNull)],
            read: { reader, object throws(ControlRefusal) in
                object[keyPath: path] = try form.read(reader, name)
            },
            write: { $1.add(name, $0[keyPath: path].map(form.write)) }
        )
    }

    /// A field with a default, which stays when the field is missing.
    static func usual<Value>(
        _ name: String,
        _ path: any Path<Value>,
        _ form: ValueForm<Value>,
        isWritten: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) -> SchemaField {
        SchemaField(
            described: [.optional(name, form.schema.orNull)],
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

    /// Bytes, written as a string if they are UTF-8, else in base64 with the suffix `_base64`.
    static func bytes(_ name: String, _ path: any Path<Data>) -> SchemaField {
        SchemaField(
            names: [name, name + "_base64"],
            read: { reader, object throws(ControlRefusal) in
                object[keyPath: path] = try reader.bytes(name)
            },
            write: { $1.add(name, bytes: $0[keyPath: path]) }
        )
    }

    static func part<Part>(_ path: any Path<Part>, _ schema: ObjectSchema<Part>) -> SchemaField {
        SchemaField(
            described: schema.fields.flatMap(\.described),
            read: { reader, object throws(ControlRefusal) in
                for field in schema.fields { try field.read(reader, &object[keyPath: path]) }
            },
            write: { object, members in
                for field in schema.fields { field.write(object[keyPath: path], &members) }
            }
        )
    }
}

extension SchemaField {
    /// A field that only a state has, and that no document describes.
    init(
        names: [String],
        read: @escaping @Sendable (FieldReader, inout Object) throws(ControlRefusal) -> Void,
        write: @escaping @Sendable (Object, inout [JSONObject.Member]) -> Void
    ) {
        self.init(described: names.map { .optional($0, .anything) }, read: read, write: write)
    }
}
