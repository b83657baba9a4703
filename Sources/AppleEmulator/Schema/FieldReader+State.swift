import AppleIdentity
import Foundation

/// What entries of a state may refer to: all of that was read before them.
struct StateReferences: Sendable {
    let registry: ClientRegistry
    let people: PeopleDirectory

    init(_ state: EmulatorState) {
        registry = state.registry
        people = state.people
    }
}

extension FieldReader {
    /// The highest number that is counted to.
    ///
    /// RFC 8259, section 6: beyond 2^53 not everybody reads the same whole number.
    /// https://www.rfc-editor.org/rfc/rfc8259#section-6
    static let maximumCount = 1 << 53

    func optionalTime(_ name: String) throws(ControlRefusal) -> Date? {
        guard let text = try optionalText(name) else { return nil }
        guard let time = StateTime.time(text) else {
            throw .wrong(name, "must be a time such as 2026-01-31T12:00:00.250Z")
        }
        return time
    }

    func optionalTimes(_ name: String) throws(ControlRefusal) -> [Date]? {
        guard let value = value(name) else { return nil }
        let values = value.arrayValue ?? [.null]
        let times = values.compactMap { $0.stringValue.flatMap(StateTime.time) }
        guard times.count == values.count else { throw .wrong(name, "must be a list of times") }
        return times
    }

    /// A whole number without a sign, which is written as a text because it may have 64 bits.
    func optionalLargeNumber(_ name: String) throws(ControlRefusal) -> UInt64? {
        guard let text = try optionalText(name) else { return nil }
        guard let number = UInt64(text) else {
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

    func optionalMailAddress(_ name: String) throws(ControlRefusal) -> MailAddress? {
        guard let text = try optionalText(name) else { return nil }
        guard let address = MailAddress(text) else {
            throw .wrong(name, "must be an e-mail address")
        }
        return address
    }

    /// The number of a person who may be gone.
    func optionalPersonID(_ name: String) throws(ControlRefusal) -> PersonID? {
        try optionalInteger(name, in: 1...Self.maximumCount).map { PersonID(number: $0) }
    }

    func require<Value>(_ name: String, _ value: Value?) throws(ControlRefusal) -> Value {
        guard let value else { throw .wrong(name, "is missing") }
        return value
    }
}

extension JSONValue {
    /// Reads every entry of a list of objects; what is wrong says in which.
    ///
    /// - Parameter lateField: what entries have that refer to others of the list, and so are read later.
    func entries<Entry>(
        named name: String,
        lateField: String? = nil,
        _ read: (JSONObject) throws(ControlRefusal) -> Entry
    ) throws(ControlRefusal) -> [Entry] {
        guard let values = arrayValue else { throw .wrong(name, "must be a list of objects") }
        var entries: [Entry] = []
        for late in [false, true] {
            for (index, value) in values.enumerated() {
                let place = "\(name)[\(index)]"
                guard let object = value.objectValue else { throw .wrong(place, "must be an object") }
                guard (lateField.flatMap { object[$0] } != nil) == late else { continue }
                do throws(ControlRefusal) {
                    entries.append(try read(object))
                } catch {
                    throw error.within(place)
                }
            }
        }
        return entries
    }
}

extension ControlRefusal {
    static func twice(_ field: String) -> ControlRefusal { .wrong(field, "is there twice") }

    /// The same refusal, of a part of something larger.
    func within(_ place: String) -> ControlRefusal {
        ControlRefusal(
            kind: kind,
            field: place + (field.map { "." + $0 } ?? ""),
            message: "in \(place): \(message)"
        )
    }
}
