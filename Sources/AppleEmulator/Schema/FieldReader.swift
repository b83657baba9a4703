import AppleIdentity
import Foundation

/// Reads the fields of an object that came from outside, and refuses what it does not know.
struct FieldReader {
    /// The longest text in a field, unless said otherwise, in bytes.
    static let maximumTextByteCount = 512
    /// The longest list in a field.
    static let maximumListCount = 200

    private let object: JSONObject
    /// What an entry of a state may refer to; nil for what somebody wrote by hand.
    let references: StateReferences?

    /// Whether an emulator wrote the object as a part of its state.
    ///
    /// What lives on may break a rule for newcomers, and has to be taken back all the same: form and
    /// references count there, and nothing else does.
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
                throw ControlRefusal(
                    kind: .unknownField,
                    field: shown,
                    message:
                        "\(shown) is not a field here; known are \(names.joined(separator: ", "))"
                )
            }
            guard seen.insert(name).inserted else { throw .wrong(shown, "is there twice") }
        }
    }

    /// The field's value; `null` counts as missing.
    func value(_ name: String) -> JSONValue? {
        let value = object[name]
        return value == .null ? nil : value
    }

    func optionalText(
        _ name: String,
        maximumByteCount: Int = FieldReader.maximumTextByteCount
    ) throws(ControlRefusal) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue else {
            throw .wrong(name, "must be a text, in quotes when it looks like a number")
        }
        if isTrusted { return text }
        guard !text.isEmpty else { throw .wrong(name, "is empty") }
        guard text.utf8.count <= maximumByteCount else {
            throw .wrong(name, "is longer than \(maximumByteCount) bytes")
        }
        guard !text.hasControlCharacter || name.hasSuffix("_pem") else {
            throw .wrong(name, "has control characters")
        }
        return text
    }

    func text(
        _ name: String,
        maximumByteCount: Int = FieldReader.maximumTextByteCount
    ) throws(ControlRefusal) -> String {
        try require(name, optionalText(name, maximumByteCount: maximumByteCount))
    }

    func boolean(_ name: String, default standard: Bool) throws(ControlRefusal) -> Bool {
        try ValueForm.boolean.read(self, name) ?? standard
    }

    func optionalInteger(
        _ name: String,
        in range: ClosedRange<Int>
    ) throws(ControlRefusal) -> Int? {
        try ValueForm.integer(in: range).read(self, name)
    }

    func texts(_ name: String) throws(ControlRefusal) -> [String] {
        try ValueForm.texts.read(self, name) ?? []
    }

    func optionalObject(_ name: String) throws(ControlRefusal) -> JSONObject? {
        try ValueForm.members.read(self, name)
    }

    /// A name as the control port spells it: `{given_name, family_name}`.
    func optionalPersonName(_ name: String) throws(ControlRefusal) -> PersonName? {
        guard let object = try optionalObject(name) else { return nil }
        return try Schema.personName.read(object)
    }

    /// Bytes that are written as a text, or in base64 under a name that says so.
    func bytes(_ name: String) throws(ControlRefusal) -> Data {
        if let bytes = try ValueForm.base64.read(self, name + "_base64") { return bytes }
        return Data(try text(name).utf8)
    }

    func require<Value>(_ name: String, _ value: Value?) throws(ControlRefusal) -> Value {
        guard let value else { throw .wrong(name, "is missing") }
        return value
    }
}

extension String {
    /// Whether a character of it steers a terminal or ends a line.
    var hasControlCharacter: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension Schema<PersonName> {
    /// A name as the control port and states spell it.
    static let personName = Schema(
        PersonName(),
        [
            .optional("given_name", \.givenName, .text),
            .optional("family_name", \.familyName, .text),
        ]
    )
}
