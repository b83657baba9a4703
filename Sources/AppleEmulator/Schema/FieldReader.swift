import AppleIdentity

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

    func optionalNumber(_ name: String) throws(ControlRefusal) -> Double? {
        guard let value = value(name) else { return nil }
        guard let number = value.doubleValue else { throw .wrong(name, "must be a number") }
        return number
    }

    func texts(_ name: String) throws(ControlRefusal) -> [String] {
        try optionalTexts(name) ?? []
    }

    func optionalTexts(_ name: String) throws(ControlRefusal) -> [String]? {
        guard let value = value(name) else { return nil }
        let values = value.arrayValue ?? [.null]
        let texts = values.compactMap(\.stringValue)
        guard texts.count == values.count else { throw .wrong(name, "must be a list of texts") }
        if isTrusted { return texts }
        guard texts.count <= Self.maximumListCount else {
            throw .wrong(name, "has more than \(Self.maximumListCount) entries")
        }
        for text in texts {
            guard !text.isEmpty else { throw .wrong(name, "must be a list of texts") }
            guard text.utf8.count <= Self.maximumTextByteCount else {
                throw .wrong(name, "has an entry longer than \(Self.maximumTextByteCount) bytes")
            }
            guard !Self.hasControlCharacter(text) else {
                throw .wrong(name, "has control characters")
            }
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

extension JSONValue {
    /// The number when this is one, with or without a fraction.
    var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}
