import AppleIdentity
import Foundation

extension FieldReader {
    func optionalTime(_ name: String) throws(ControlRefusal) -> Date? {
        guard let text = try optionalText(name) else { return nil }
        guard let time = StateTime.time(text) else {
            throw .wrong(name, "must be a time such as 2026-01-31T12:00:00.250Z")
        }
        return time
    }

    func time(_ name: String) throws(ControlRefusal) -> Date {
        try require(name, optionalTime(name))
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(ControlRefusal) -> Int {
        try require(name, optionalInteger(name, in: range))
    }

    /// A number that counts up; it is zero when it is left out.
    ///
    /// RFC 8259, section 6: whole numbers are interoperable below 2^53; from there nobody counts on.
    /// https://www.rfc-editor.org/rfc/rfc8259#section-6
    func counter(_ name: String) throws(ControlRefusal) -> Int {
        try optionalInteger(name, in: 0...Self.maximumCount) ?? 0
    }

    private static let maximumCount = 1 << 53

    func number(_ name: String) throws(ControlRefusal) -> Double {
        switch value(name) {
        case .integer(let value): return Double(value)
        case .number(let value): return value
        case nil: throw .wrong(name, "is missing")
        default: throw .wrong(name, "must be a number")
        }
    }

    /// A whole number without a sign, which is written as a text because it may have 64 bits.
    func largeNumber(_ name: String) throws(ControlRefusal) -> UInt64 {
        guard let number = UInt64(try text(name)) else {
            throw .wrong(name, "must be a whole number in quotes")
        }
        return number
    }

    /// Bytes that are written as a text, or in base64 under a name of their own when they are none.
    func bytes(_ name: String) throws(ControlRefusal) -> Data {
        if let encoded = value(name + "_base64")?.stringValue {
            guard let data = Data(base64Encoded: encoded) else {
                throw .wrong(name + "_base64", "is not base64")
            }
            return data
        }
        guard let text = try require(name, value(name)).stringValue else {
            throw .wrong(name, "must be a text")
        }
        return Data(text.utf8)
    }

    /// The longest text that somebody else chose, in bytes.
    private static let maximumOpaqueByteCount = 64 * 1024

    /// A text that somebody else chose, whatever is in it.
    func opaque(_ name: String) throws(ControlRefusal) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue, text.utf8.count <= Self.maximumOpaqueByteCount else {
            throw .wrong(name, "must be a text of at most \(Self.maximumOpaqueByteCount) bytes")
        }
        return text
    }

    func mailAddress(_ name: String) throws(ControlRefusal) -> MailAddress {
        try require(name, optionalMailAddress(name))
    }

    func optionalMailAddress(_ name: String) throws(ControlRefusal) -> MailAddress? {
        guard let text = try optionalText(name, maximumByteCount: 2 * MailAddress.maximumByteCount)
        else {
            return nil
        }
        guard let address = MailAddress(text) else {
            throw .wrong(name, "must be an e-mail address")
        }
        return address
    }

    /// A number of a person who may be gone.
    func personID() throws(ControlRefusal) -> PersonID {
        PersonID(number: try integer("person_id", in: 1...Int.max))
    }

    /// The number of a person who is there.
    func personID(in people: PeopleDirectory) throws(ControlRefusal) -> PersonID {
        let id = try personID()
        guard people[id] != nil else {
            throw .wrong("person_id", "names nobody: \(id.number) is the id of none of people")
        }
        return id
    }

    func client(_ name: String, in registry: ClientRegistry) throws(ControlRefusal) -> ClientID {
        let clientID = ClientID(try text(name))
        guard registry.client(clientID) != nil else {
            throw .wrong(name, "names no registered app or Services ID: \(clientID)")
        }
        return clientID
    }

    func primaryApp(_ name: String, in registry: ClientRegistry) throws(ControlRefusal) -> ClientID
    {
        let clientID = ClientID(try text(name))
        guard registry.apps[clientID] != nil else {
            throw .wrong(name, "names no registered app: \(clientID)")
        }
        return clientID
    }

    func team(_ name: String, in registry: ClientRegistry) throws(ControlRefusal) -> TeamID {
        let teamID = TeamID(try text(name))
        guard registry.teams[teamID] != nil else {
            throw .wrong(name, "names no registered team: \(teamID)")
        }
        return teamID
    }

    func require<Value>(_ name: String, _ value: Value?) throws(ControlRefusal) -> Value {
        guard let value else { throw .wrong(name, "is missing") }
        return value
    }
}

extension JSONObject {
    /// Sets bytes: as a text when they are one, else in base64 under a name that says so.
    mutating func set(_ name: String, bytes: Data) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self[name] = .string(text)
        } else {
            self[name + "_base64"] = .string(bytes.base64EncodedString())
        }
    }

    /// Takes members away, and answers them as an object.
    mutating func extract(_ names: Set<String>) -> JSONObject {
        let extracted = members.filter { names.contains($0.name) }
        self = JSONObject(members.filter { !names.contains($0.name) })
        return JSONObject(extracted)
    }

    /// The same members, and others behind them.
    func adding(_ others: JSONObject) -> JSONObject { JSONObject(members + others.members) }
}

extension JSONValue {
    static func time(_ time: Date) -> JSONValue { .string(StateTime.text(time)) }
    static func person(_ id: PersonID) -> JSONValue { .integer(id.number) }
}
