import AppleIdentity
import Foundation

/// How a value of a field is read and written.
struct ValueForm<Value: SendableMetatype>: Sendable {
    /// Reads the value of a field; nil when it is left out.
    let read: @Sendable (FieldReader, String) throws(ControlRefusal) -> Value?
    let write: @Sendable (Value) -> JSONValue

    init(
        _ read: @escaping @Sendable (FieldReader, String) throws(ControlRefusal) -> Value?,
        _ write: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.read = read
        self.write = write
    }

    /// A form that a method of the reader reads.
    init(
        of method: @escaping @Sendable (FieldReader) -> (String) throws(ControlRefusal) -> Value?,
        _ write: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.init(
            { reader, name throws(ControlRefusal) in try method(reader)(name) },
            write
        )
    }

    /// The same form for values that a rule allows; an emulator's own state is trusted.
    func checked(
        _ problem: String,
        _ isAllowed: @escaping @Sendable (Value) -> Bool
    ) -> ValueForm {
        refusing { reader, value in
            reader.isTrusted || isAllowed(value) ? nil : problem
        }
    }

    /// The same form for values in which nothing is wrong.
    func refusing(
        _ problem: @escaping @Sendable (FieldReader, Value) -> String?
    ) -> ValueForm {
        let read = read
        return ValueForm(
            { reader, name throws(ControlRefusal) in
                guard let value = try read(reader, name) else { return nil }
                if let problem = problem(reader, value) { throw .wrong(name, problem) }
                return value
            },
            write
        )
    }
}

extension ValueForm<String> {
    static var text: ValueForm { text() }

    static func text(
        maximumByteCount: Int = FieldReader.maximumTextByteCount
    ) -> ValueForm {
        ValueForm(
            { reader, name throws(ControlRefusal) in
                try reader.optionalText(name, maximumByteCount: maximumByteCount)
            },
            { .string($0) }
        )
    }
}

extension ValueForm where Value: RawRepresentable<String> & Sendable {
    /// A text with a type of its own.
    static var identifier: ValueForm { word("is not known here") }

    fileprivate static func word(_ problem: String) -> ValueForm {
        ValueForm(
            { reader, name throws(ControlRefusal) in
                guard let text = try reader.optionalText(name) else { return nil }
                guard let value = Value(rawValue: text) else { throw .wrong(name, problem) }
                return value
            },
            { .string($0.rawValue) }
        )
    }
}

extension ValueForm where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of a few words.
    static var choice: ValueForm {
        word("must be one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
    }
}

extension ValueForm<Int> {
    /// A number that counts things, or is one of theirs.
    static var count: ValueForm { integer(in: 0...FieldReader.maximumCount) }

    static func integer(in range: ClosedRange<Int>) -> ValueForm {
        ValueForm(
            { reader, name throws(ControlRefusal) in try reader.optionalInteger(name, in: range) },
            { .integer($0) }
        )
    }
}

extension ValueForm<Bool> {
    static var boolean: ValueForm {
        ValueForm(of: FieldReader.optionalBoolean, { .boolean($0) })
    }
}

extension ValueForm<[String]> {
    static var texts: ValueForm {
        ValueForm(of: FieldReader.optionalTexts, { .array($0.map { .string($0) }) })
    }
}

extension ValueForm<JSONObject> {
    static var members: ValueForm {
        ValueForm(of: FieldReader.optionalObject, { .object($0) })
    }
}

extension ValueForm<Data> {
    static var base64: ValueForm {
        ValueForm(
            { reader, name throws(ControlRefusal) in
                guard let text = try reader.optionalText(name) else { return nil }
                guard let data = Data(base64Encoded: text), !data.isEmpty else {
                    throw .wrong(name, "must be bytes in base64")
                }
                return data
            },
            { .string($0.base64EncodedString()) }
        )
    }
}

extension ValueForm<UInt64> {
    /// A text, since numbers of 64 bits are not read alike everywhere.
    static var largeNumber: ValueForm {
        ValueForm(of: FieldReader.optionalLargeNumber, { .string(String($0)) })
    }
}

extension ValueForm<Date> {
    static var time: ValueForm {
        ValueForm(of: FieldReader.optionalTime, { .string(StateTime.text($0)) })
    }
}

extension ValueForm<[Date]> {
    static var times: ValueForm {
        ValueForm(of: FieldReader.optionalTimes, { .array($0.map { .string(StateTime.text($0)) }) })
    }
}

extension ValueForm<MailAddress> {
    static var mailAddress: ValueForm {
        ValueForm(of: FieldReader.optionalMailAddress, { .string($0.text) })
    }
}

extension ValueForm<PersonID> {
    /// The number of a person who may be gone.
    static var anybody: ValueForm {
        ValueForm(of: FieldReader.optionalPersonID, { .integer($0.number) })
    }

    /// The number of a person who is there.
    static var person: ValueForm {
        anybody.refusing { reader, id in
            reader.references.map { $0.people[id] != nil } != false
                ? nil : "names nobody: \(id.number) is the id of none of people"
        }
    }
}

extension ValueForm<ClientID> {
    /// An app or Services ID that is registered.
    static var client: ValueForm {
        identifier.naming("app or Services ID") { $0.client($1) != nil }
    }

    /// An app that is registered.
    static var app: ValueForm { identifier.naming("app") { $0.apps[$1] != nil } }
}

extension ValueForm<TeamID> {
    /// A team that is registered.
    static var team: ValueForm { identifier.naming("team") { $0.teams[$1] != nil } }
}

extension ValueForm where Value: TextIdentifier {
    /// The same form for what a state has registered already.
    fileprivate func naming(
        _ kind: String,
        _ isThere: @escaping @Sendable (ClientRegistry, Value) -> Bool
    ) -> ValueForm {
        refusing { reader, value in
            reader.references.map { isThere($0.registry, value) } != false
                ? nil : "names no registered \(kind): \(value)"
        }
    }
}

extension ValueForm {
    /// An object that another schema describes.
    static func object(_ schema: Schema<Value>) -> ValueForm {
        ValueForm(
            { reader, name throws(ControlRefusal) in
                guard let object = try reader.optionalObject(name) else { return nil }
                do throws(ControlRefusal) {
                    return try schema.read(object, reader.references)
                } catch {
                    throw error.within(name)
                }
            },
            { .object(schema.write($0)) }
        )
    }

    /// A list of objects that another schema describes.
    static func list<Entry>(of schema: Schema<Entry>) -> ValueForm where Value == [Entry] {
        ValueForm(
            { reader, name throws(ControlRefusal) in
                try reader.value(name)?.entries(named: name) { object throws(ControlRefusal) in
                    try schema.read(object, reader.references)
                }
            },
            { .array($0.map { .object(schema.write($0)) }) }
        )
    }
}
