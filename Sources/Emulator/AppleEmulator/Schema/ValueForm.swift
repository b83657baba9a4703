import AppleIdentity
import Foundation
import OpenAPIDescription

/// How a value of a field is read and written.
struct ValueForm<Value: SendableMetatype>: Sendable {
    /// Reads the value of a field; nil if the field is missing.
    let read: @Sendable (FieldReader, String) throws(ControlRefusal) -> Value?
    let write: @Sendable (Value) -> JSONValue
    /// The values that are read, as far as a schema can describe them.
    let schema: JSONSchema

    init(
        _ schema: JSONSchema = .anything,
        reading read: @escaping @Sendable (FieldReader, String) throws(ControlRefusal) -> Value?,
        _ write: @escaping @Sendable (Value) -> JSONValue
    ) {
        (self.schema, self.read, self.write) = (schema, read, write)
    }

    /// A form that reads the value without other fields or references.
    init(
        _ problem: String,
        as schema: JSONSchema = .anything,
        _ parse: @escaping @Sendable (JSONValue) -> Value?,
        _ write: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.init(
            schema,
            reading: { reader, name throws(ControlRefusal) in
                guard let value = reader.value(name) else { return nil }
                guard let parsed = parse(value) else { throw .wrong(name, problem) }
                return parsed
            },
            write
        )
    }

    /// The same form with an additional check, which the schema describes if it can.
    func refusing(
        _ schema: JSONSchema? = nil,
        _ problem: @escaping @Sendable (FieldReader, Value) -> String?
    ) -> ValueForm {
        let read = read
        return ValueForm(
            schema ?? self.schema,
            reading: { reader, name throws(ControlRefusal) in
                guard let value = try read(reader, name) else { return nil }
                if let problem = problem(reader, value) { throw .wrong(name, problem) }
                return value
            },
            write
        )
    }

    /// The same form with a rule that does not apply to an emulator's own state.
    func checked(
        _ problem: String,
        _ schema: JSONSchema? = nil,
        _ isAllowed: @escaping @Sendable (Value) -> Bool
    ) -> ValueForm {
        refusing(schema) { $0.isTrusted || isAllowed($1) ? nil : problem }
    }
}

extension ValueForm<Bool> {
    static let boolean = ValueForm("must be true or false", as: .flag(), \.booleanValue) {
        .boolean($0)
    }
}

extension ValueForm<Double> {
    static let number = ValueForm("must be a number", as: .number, \.numberValue) { .number($0) }
}

extension ValueForm<JSONObject> {
    static let members = ValueForm("must be an object", as: .members, \.objectValue) { .object($0) }
}

extension ValueForm<UInt64> {
    /// A string, because not every JSON parser reads 64-bit numbers exactly.
    static let largeNumber = ValueForm(
        "must be a whole number in quotes",
        { $0.stringValue.flatMap { UInt64($0) } },
        { .string(String($0)) }
    )
}

extension ValueForm<Date> {
    static let time = ValueForm(
        "must be a time such as 2026-01-31T12:00:00.250Z",
        { $0.stringValue.flatMap(StateTime.time) },
        { .string(StateTime.text($0)) }
    )
}

extension ValueForm<[Date]> {
    static let times = ValueForm(
        "must be a list of times",
        { value in
            let times = value.arrayValue?.compactMap { $0.stringValue.flatMap(StateTime.time) }
            return times?.count == value.arrayValue?.count ? times : nil
        },
        { .array($0.map { .string(StateTime.text($0)) }) }
    )
}

extension ValueForm<Data> {
    static let base64 = ValueForm(
        "must be bytes in base64",
        { $0.stringValue.flatMap { Data(base64Encoded: $0) } },
        { .string($0.base64EncodedString()) }
    )
}

extension ValueForm<MailAddress> {
    static let mailAddress = ValueForm(
        "must be an email address",
        { $0.stringValue.flatMap { MailAddress($0) } },
        { .string($0.text) }
    )
}

extension ValueForm<Int> {
    /// The highest count.
    ///
    /// RFC 8259, section 6: parsers may disagree on whole numbers beyond 2^53.
    /// https://www.rfc-editor.org/rfc/rfc8259#section-6
    private static let maximumCount = 1 << 53

    static let count = integer(in: 0...maximumCount)

    static func integer(in range: ClosedRange<Int>) -> ValueForm {
        ValueForm(
            "must be a whole number from \(range.lowerBound) to \(range.upperBound)",
            as: .integer(in: range),
            { $0.integerValue.flatMap { range.contains($0) ? $0 : nil } },
            { .integer($0) }
        )
    }
}

extension ValueForm<String> {
    static let text = text()

    static func text(
        maximumCount: Int = FieldReader.maximumTextCount,
        format: String? = nil
    ) -> ValueForm {
        ValueForm(
            FieldReader.schema(maximumCount: maximumCount, format: format),
            reading: { reader, name throws(ControlRefusal) in
                try reader.optionalText(name, maximumCount: maximumCount)
            },
            { .string($0) }
        )
    }
}

extension ValueForm<[String]> {
    static let texts = ValueForm(
        "must be a list of strings",
        as: .list(of: FieldReader.schema(), maximumCount: FieldReader.maximumListCount),
        { value in
            let texts = value.arrayValue?.compactMap(\.stringValue)
            return texts?.count == value.arrayValue?.count ? texts : nil
        },
        { .array($0.map { .string($0) }) }
    )
    .checked("has more than \(FieldReader.maximumListCount) entries") {
        $0.count <= FieldReader.maximumListCount
    }
    .checked("must be a list of strings") { !$0.contains("") }
    .checked("has an entry longer than \(FieldReader.maximumTextCount) characters") {
        $0.allSatisfy { $0.unicodeScalars.count <= FieldReader.maximumTextCount }
    }
    .checked("has control characters") { !$0.contains(where: \.hasControlCharacter) }
}

extension ValueForm where Value: RawRepresentable<String> & Sendable {
    static var identifier: ValueForm { word("is unknown", FieldReader.schema()) }

    fileprivate static func word(_ problem: String, _ schema: JSONSchema) -> ValueForm {
        ValueForm(
            schema,
            reading: { reader, name throws(ControlRefusal) in
                guard let text = try reader.optionalText(name) else { return nil }
                guard let value = Value(rawValue: text) else { throw .wrong(name, problem) }
                return value
            },
            { .string($0.rawValue) }
        )
    }
}

extension ValueForm where Value: RawRepresentable<String> & CaseIterable & Sendable {
    static var choice: ValueForm {
        let words = Value.allCases.map(\.rawValue)
        return word("must be one of " + words.joined(separator: ", "), .word(words))
    }
}

extension ValueForm<PersonID> {
    /// The ID of a person, who may be deleted.
    static let anybody = ValueForm(
        "must be the ID of a person, a whole number",
        { $0.integerValue.flatMap { $0 > 0 ? PersonID(number: $0) : nil } },
        { .integer($0.number) }
    )

    static let person = anybody.refusing { reader, id in
        reader.references?.people[id] == nil
            ? "is \(id.number), which is not the ID of a person in this state" : nil
    }
}

extension ValueForm<ClientID> {
    static let client = identifier.naming("app or Services ID") { $0.client($1) != nil }
    static let app = identifier.naming("app") { $0.apps[$1] != nil }
}

extension ValueForm<TeamID> { static let team = identifier.naming("team") { $0.teams[$1] != nil } }

extension ValueForm where Value: TextIdentifier {
    /// The same form for objects that the state has registered.
    fileprivate func naming(
        _ kind: String,
        _ isThere: @escaping @Sendable (ClientRegistry, Value) -> Bool
    ) -> ValueForm {
        refusing { reader, value in
            reader.references.map { isThere($0.registry, value) } == true
                ? nil : "is \(value), which is not a registered \(kind)"
        }
    }
}

extension ValueForm {
    static func object(_ schema: ObjectSchema<Value>) -> ValueForm {
        ValueForm(
            schema.json,
            reading: { reader, name throws(ControlRefusal) in
                guard let object = try reader.read(name, .members) else { return nil }
                return try ControlRefusal.within(name) {
                    try schema.read(object, reader.references)
                }
            },
            { .object(schema.write($0)) }
        )
    }

    static func list<Entry>(of schema: ObjectSchema<Entry>) -> ValueForm where Value == [Entry] {
        ValueForm(
            reading: { reader, name throws(ControlRefusal) in
                try reader.value(name)?.entries(named: name) {
                    try schema.read($0, reader.references)
                }
            },
            { .array($0.map { .object(schema.write($0)) }) }
        )
    }
}
