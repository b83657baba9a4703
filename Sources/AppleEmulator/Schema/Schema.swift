import AppleIdentity

/// The one description of an object: each field is read and written by it, wherever the object stands.
struct Schema<Object>: Sendable {
    let fields: [SchemaField<Object>]
    private let names: [String]
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
        self.init(blank: blank, fields: fields, check: check)
    }

    private init(
        blank: @escaping @Sendable () -> Object,
        fields: [SchemaField<Object>],
        check: @escaping @Sendable (Object) throws(ControlRefusal) -> Void
    ) {
        self.blank = blank
        self.fields = fields
        names = fields.flatMap(\.names)
        self.check = check
    }

    /// Reads an object.
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

    /// Writes an object, its fields in their order.
    func write(_ object: Object) -> JSONObject {
        var written: [JSONObject.Member] = []
        for field in fields { field.write(object, &written) }
        return JSONObject(written)
    }

    /// The same object with more fields behind its own.
    func adding(_ others: SchemaField<Object>...) -> Schema {
        Schema(blank: blank, fields: fields + others, check: check)
    }
}

/// An object that a schema describes.
protocol SchemaObject: Sendable {
    static var schema: Schema<Self> { get }
}

extension SchemaObject {
    /// Reads the object as a seed and the control port spell it.
    init(_ object: JSONObject) throws(ControlRefusal) { self = try Self.schema.read(object) }

    /// The object as it is answered and kept.
    var object: JSONObject { Self.schema.write(self) }
}
