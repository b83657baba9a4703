import AppleIdentity
import OpenAPIDescription

/// The single description of an object, by which each field is read and written.
struct ObjectSchema<Object>: Sendable {
    private(set) var fields: [SchemaField<Object>]
    private var names: [String]
    /// An object before any field is read.
    let blank: @Sendable () -> Object
    /// The rules for several fields together; not applied to an emulator's own state.
    private let check: @Sendable (Object) throws(ControlRefusal) -> Void

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

    /// The objects that are read, as JSON Schema; null counts as missing.
    var json: JSONSchema { .object(fields.flatMap(\.described), isClosed: true) }

    /// The objects that change some fields, as JSON Schema; null restores a default.
    func changes(of names: [String]) -> JSONSchema {
        let changed = fields.flatMap(\.described).filter { names.contains($0.name) }
        return .object(changed.map { .optional($0.name, $0.schema) }, isClosed: true)
    }

    func read(
        _ object: JSONObject,
        _ references: StateReferences? = nil
    ) throws(ControlRefusal) -> Object {
        var result = blank()
        try change(&result, by: object, references)
        return result
    }

    /// Changes the given fields of an object, or none if one is invalid.
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

    /// The same schema with more fields at the end.
    func adding(_ others: SchemaField<Object>...) -> ObjectSchema {
        var schema = self
        schema.fields += others
        schema.names += others.flatMap(\.names)
        return schema
    }
}

protocol SchemaObject: Sendable { static var schema: ObjectSchema<Self> { get } }

extension SchemaObject {
    /// Reads the object from its form in a seed and in the control API.
    init(_ object: JSONObject) throws(ControlRefusal) { self = try Self.schema.read(object) }

    var object: JSONObject { Self.schema.write(self) }
}
