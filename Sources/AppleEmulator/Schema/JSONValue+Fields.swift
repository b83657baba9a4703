import AppleIdentity
import Foundation

extension JSONValue {
    /// Reads every entry of a list of objects; what is wrong says in which.
    ///
    /// Entries with the late field refer to others of the list, and are read after them.
    func entries<Entry>(
        named name: String,
        lateField: String? = nil,
        _ read: (JSONObject) throws(ControlRefusal) -> Entry
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
                    try ControlRefusal.within("\(name)[\(index)]") { () throws(ControlRefusal) in
                        try read(object)
                    }
                )
            }
        }
        return entries
    }
}

extension ControlRefusal {
    static func twice(_ field: String) -> ControlRefusal { .wrong(field, "is there twice") }

    /// Reads a part of something larger; what is wrong says in which.
    static func within<Value>(
        _ place: @autoclosure () -> String,
        _ read: () throws(ControlRefusal) -> Value
    ) throws(ControlRefusal) -> Value {
        do throws(ControlRefusal) {
            return try read()
        } catch {
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

    /// Adds bytes: as a text when they are one, else in base64 under a name that says so.
    mutating func add(_ name: String, bytes: Data) {
        if let text = String(validating: bytes, as: UTF8.self) {
            add(name, .string(text))
        } else {
            add(name + "_base64", ValueForm.base64.write(bytes))
        }
    }
}
