import AppleIdentity
import Foundation
import OpenAPIDescription

/// Reads the fields of an external object, and refuses unknown ones.
struct FieldReader {
    /// The default maximum length of a string in a field, in Unicode scalars.
    static let maximumTextCount = 512
    static let maximumListCount = 200

    private let object: JSONObject
    /// The objects that an entry of a state may refer to; nil for input written by hand.
    let references: StateReferences?

    /// Whether an emulator wrote the object as a part of its state.
    ///
    /// Existing objects may break a rule for new ones and are restored all the same. Only the form
    /// and the references are checked.
    var isTrusted: Bool { references != nil }

    init(
        _ object: JSONObject,
        known names: [String],
        references: StateReferences? = nil
    ) throws(ControlRefusal) {
        self.object = object
        self.references = references
        var seen: Set<String> = []
        for name in object.names {
            let shown = String(name.prefix(64))
            guard names.contains(name) else {
                let list = names.joined(separator: ", ")
                let known = names.isEmpty ? "no fields are known" : "known fields: \(list)"
                let message = "\(shown) is not a known field; \(known)"
                throw ControlRefusal(kind: .unknownField, field: shown, message: message)
            }
            guard seen.insert(name).inserted else { throw .wrong(shown, "is repeated") }
        }
    }

    /// The field's value; `null` counts as missing.
    func value(_ name: String) -> JSONValue? {
        let value = object[name]
        return value == .null ? nil : value
    }

    /// The strings that ``optionalText(_:maximumCount:)`` reads.
    static func schema(maximumCount: Int = maximumTextCount, format: String? = nil) -> JSONSchema {
        .text(format: format, lengths: 1...maximumCount, pattern: #"^[^\x00-\x1F\x7F-\x9F]*$"#)
    }

    func optionalText(
        _ name: String,
        maximumCount: Int = FieldReader.maximumTextCount
    ) throws(ControlRefusal) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue else {
            throw .wrong(name, "must be a string; put it in quotes if it looks like a number")
        }
        if isTrusted { return text }
        guard !text.isEmpty else { throw .wrong(name, "is empty") }
        guard text.unicodeScalars.count <= maximumCount else {
            throw .wrong(name, "is longer than \(maximumCount) characters")
        }
        guard !text.hasControlCharacter || name.hasSuffix("_pem") else {
            throw .wrong(name, "has control characters")
        }
        return text
    }

    func text(
        _ name: String,
        maximumCount: Int = FieldReader.maximumTextCount
    ) throws(ControlRefusal) -> String {
        try require(name, optionalText(name, maximumCount: maximumCount))
    }

    /// The value of a field in a form; nil if the field is missing.
    func read<Value>(_ name: String, _ form: ValueForm<Value>) throws(ControlRefusal) -> Value? {
        try form.read(self, name)
    }

    /// Bytes that are written as a string, or in base64 in a field with the suffix `_base64`.
    func bytes(_ name: String) throws(ControlRefusal) -> Data {
        if let bytes = try read(name + "_base64", .base64) { return bytes }
        return Data(try text(name).utf8)
    }

    func require<Value>(_ name: String, _ value: Value?) throws(ControlRefusal) -> Value {
        guard let value else { throw .wrong(name, "is missing") }
        return value
    }
}

extension String {
    package var hasControlCharacter: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension ObjectSchema<PersonName> {
    static let personName = ObjectSchema(
        PersonName(),
        .optional("given_name", \.givenName, .text),
        .optional("family_name", \.familyName, .text)
    )
}

/// The objects that entries of a state may refer to; they are read first.
struct StateReferences: Sendable {
    var registry = ClientRegistry()
    var people = PeopleDirectory()
}

extension StateReferences {
    init(_ state: EmulatorState) { self.init(registry: state.registry, people: state.people) }
}

extension JSONValue {
    /// Reads each entry of a list of objects; an error names the entry.
    ///
    /// Entries with the late field refer to others of the list, and are read after them.
    func entries<Entry>(
        named name: String,
        lateField: String? = nil,
        _ read: (JSONObject) throws -> Entry
    ) throws(ControlRefusal) -> [Entry] {
        guard let values = arrayValue else { throw .wrong(name, "must be a list of objects") }
        var entries: [Entry] = []
        for isLate in lateField == nil ? [false] : [false, true] {
            for (index, value) in values.enumerated() {
                guard let object = value.objectValue else {
                    throw .wrong("\(name)[\(index)]", "must be an object")
                }
                guard (lateField.flatMap { object[$0] } != nil) == isLate else { continue }
                entries.append(
                    try ControlRefusal.within("\(name)[\(index)]") { try read(object) }
                )
            }
        }
        return entries
    }
}

extension ControlRefusal {
    static func twice(_ field: String) -> ControlRefusal { .wrong(field, "is repeated") }

    /// Reads a part of a larger object; an error names the part.
    static func within<Value>(
        _ place: @autoclosure () -> String,
        _ read: () throws -> Value
    ) throws(ControlRefusal) -> Value {
        do {
            return try read()
        } catch {
            let error = ControlRefusal(error)
            throw ControlRefusal(
                kind: error.kind,
                field: place() + (error.field.map { "." + $0 } ?? ""),
                message: "in \(place()): \(error.message)"
            )
        }
    }
}

extension [JSONObject.Member] {
    /// Adds a member unless it has no value.
    mutating func add(_ name: String, _ value: JSONValue?) {
        if let value { append(.init(name: name, value: value)) }
    }

    /// Adds bytes as a string if they are UTF-8, else in base64 with the suffix `_base64`.
    mutating func add(_ name: String, bytes: Data) {
        if let text = String(utf8: bytes) {
            add(name, .string(text))
        } else {
            add(name + "_base64", ValueForm.base64.write(bytes))
        }
    }
}
