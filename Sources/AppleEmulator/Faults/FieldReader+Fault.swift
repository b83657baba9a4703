import AppleIdentity
import HTTPTypes

extension FieldReader {
    /// The fields of a fault that say what it does.
    static let faultNames = [
        "status", "delay_ms", "body", "content_type", "headers", "drop", "probability", "seed",
        "skip",
    ]
    /// How many header fields a fault sets.
    private static let maximumHeaderCount = 20
    /// Fields without which the connection could not be read any more.
    private static let framingNames = ["content-length", "transfer-encoding", "connection"]

    /// A text is sent as it is, anything else as JSON.
    func faultBody() throws(ControlRefusal) -> String? {
        guard let value = value("body") else { return nil }
        let body = value.stringValue ?? value.text
        guard body.utf8.count <= FaultStore.maximumBodyByteCount else {
            throw .wrong("body", "is longer than \(FaultStore.maximumBodyByteCount) bytes")
        }
        return body
    }

    func headerValue(_ name: String) throws(ControlRefusal) -> String? {
        guard let text = try optionalText(name) else { return nil }
        guard HTTPField.isValidValue(text) else { throw .wrong(name, "can't stand in a header") }
        return text
    }

    /// How often a fault is met: always when it is not said.
    func probability() throws(ControlRefusal) -> Double {
        let name = "probability"
        guard let value = value(name) else { return 1 }
        guard let number = value.numberValue, number > 0, number <= 1 else {
            throw .wrong(name, "must be a number above 0, at most 1")
        }
        return number
    }

    func faultHeaders() throws(ControlRefusal) -> [FaultHeader] {
        let field = "headers"
        guard let object = try optionalObject(field) else { return [] }
        guard object.members.count <= Self.maximumHeaderCount else {
            throw .wrong(field, "has more than \(Self.maximumHeaderCount) entries")
        }
        var headers: [FaultHeader] = []
        for member in object.members {
            guard let name = HTTPField.Name(member.name),
                !Self.framingNames.contains(name.canonicalName)
            else {
                throw .wrong(field, "can't have the name \"\(member.name.prefix(64))\"")
            }
            let value = member.value == .null ? nil : member.value.stringValue
            guard member.value == .null || value.map(HTTPField.isValidValue) == true else {
                throw .wrong(field, "must have texts as values, or null to take a field away")
            }
            headers.append(FaultHeader(text: member.name, name: name, value: value))
        }
        return headers
    }
}
