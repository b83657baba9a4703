import AppleIdentity
import Foundation

/// One field of an object: its name, how its value is read, and how it is written.
struct SchemaField<Object>: Sendable {
    typealias Path<Value> = WritableKeyPath<Object, Value> & Sendable

    /// The field's name; several for a value that can be written in several ways.
    let names: [String]
    let read: @Sendable (FieldReader, inout Object) throws(ControlRefusal) -> Void
    let write: @Sendable (Object, inout [JSONObject.Member]) -> Void

    /// A field that has to be there.
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

    /// The fields of an object that is a part of this one.
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
