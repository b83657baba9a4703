import AppleIdentity

/// Reads the fields of an object that came from outside, and refuses what it does not know.
struct FieldReader {
    /// The longest text in a field, unless said otherwise, in bytes.
    static let maximumTextByteCount = 512
    /// The longest list in a field.
    static let maximumListCount = 200

    private let object: JSONObject

    init(_ object: JSONObject, known names: [String]) throws(ControlRefusal) {
        self.object = object
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
        guard !text.isEmpty else { throw .wrong(name, "is empty") }
        guard text.utf8.count <= maximumByteCount else {
            throw .wrong(name, "is longer than \(maximumByteCount) bytes")
        }
        guard !Self.hasControlCharacter(text) || name.hasSuffix("_pem") else {
            throw .wrong(name, "has control characters")
        }
        return text
    }

    func text(
        _ name: String,
        maximumByteCount: Int = FieldReader.maximumTextByteCount
    ) throws(ControlRefusal) -> String {
        guard let text = try optionalText(name, maximumByteCount: maximumByteCount) else {
            throw .wrong(name, "is missing")
        }
        return text
    }

    func boolean(_ name: String, default standard: Bool) throws(ControlRefusal) -> Bool {
        try optionalBoolean(name) ?? standard
    }

    func optionalBoolean(_ name: String) throws(ControlRefusal) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let boolean = value.booleanValue else { throw .wrong(name, "must be true or false") }
        return boolean
    }

    func optionalInteger(
        _ name: String,
        in range: ClosedRange<Int>
    ) throws(ControlRefusal) -> Int? {
        guard let value = value(name) else { return nil }
        guard let integer = value.integerValue, range.contains(integer) else {
            throw .wrong(
                name,
                "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return integer
    }

    func texts(_ name: String) throws(ControlRefusal) -> [String] {
        guard let value = value(name) else { return [] }
        guard let values = value.arrayValue else { throw .wrong(name, "must be a list of texts") }
        guard values.count <= Self.maximumListCount else {
            throw .wrong(name, "has more than \(Self.maximumListCount) entries")
        }
        var texts: [String] = []
        for value in values {
            guard let text = value.stringValue, !text.isEmpty else {
                throw .wrong(name, "must be a list of texts")
            }
            guard text.utf8.count <= FieldReader.maximumTextByteCount else {
                throw .wrong(
                    name,
                    "has an entry longer than \(FieldReader.maximumTextByteCount) bytes"
                )
            }
            guard !Self.hasControlCharacter(text) else {
                throw .wrong(name, "has control characters")
            }
            texts.append(text)
        }
        return texts
    }

    private static func hasControlCharacter(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    func optionalObject(_ name: String) throws(ControlRefusal) -> JSONObject? {
        guard let value = value(name) else { return nil }
        guard let object = value.objectValue else { throw .wrong(name, "must be an object") }
        return object
    }

    /// A name as the control port spells it: `{given_name, family_name}`.
    func optionalPersonName(_ name: String) throws(ControlRefusal) -> PersonName? {
        guard let object = try optionalObject(name) else { return nil }
        let fields = try FieldReader(object, known: ["given_name", "family_name"])
        return PersonName(
            givenName: try fields.optionalText("given_name"),
            familyName: try fields.optionalText("family_name")
        )
    }
}
