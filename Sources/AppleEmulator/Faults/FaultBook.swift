import AppleIdentity
import Foundation
import HTTPTypes

/// What shall go wrong at Apple's endpoints, and how often.
struct FaultBook {
    /// How many faults may wait.
    static let faultCountMax = 100
    /// The longest wait before an answer, in milliseconds.
    static let delayMillisecondsMax = 600_000
    /// The longest body of a broken answer, in bytes.
    static let bodyByteCountMax = 1_024 * 1_024

    private static let endpoints = [
        "authorize": ApplePath.authorize, "token": ApplePath.token, "revoke": ApplePath.revoke,
        "usermigrationinfo": ApplePath.userMigrationInformation,
        "keys": ApplePath.keys, "discovery": ApplePath.discovery,
    ]

    private var faults: [Fault] = []

    var objects: [JSONObject] { faults.map(\.object) }

    mutating func clear() { faults = [] }

    mutating func add(_ object: JSONObject) throws(ControlRefusal) -> JSONObject {
        let fields = try FieldReader(
            object,
            known: ["endpoint", "status", "delay_ms", "body", "drop", "count"]
        )
        let endpoint = try fields.text("endpoint")
        let path = Self.endpoints[endpoint] ?? endpoint
        guard Self.endpoints.values.contains(path) else {
            let known = Self.endpoints.keys.sorted().joined(separator: ", ")
            throw .wrong("endpoint", "must be one of \(known), or its path")
        }
        guard faults.count < Self.faultCountMax else {
            throw .wrong("count", "can't wait: there are \(Self.faultCountMax) faults already")
        }
        let fault = Fault(
            path: path,
            status: try fields.optionalInteger("status", in: 200...599),
            delayMilliseconds: try fields.optionalInteger(
                "delay_ms",
                in: 0...Self.delayMillisecondsMax
            ),
            body: try Self.body(fields),
            isDropping: try fields.boolean("drop", default: false),
            remainingCount: try fields.optionalInteger("count", in: 1...1_000_000) ?? 1
        )
        guard fault.doesSomething else {
            throw .wrong(
                "status",
                "is missing, and so are delay_ms, body and drop: it breaks nothing"
            )
        }
        faults.append(fault)
        return fault.object
    }

    /// The fault that the next request to a path meets; each is used up in its turn.
    mutating func take(path: String) -> Fault? {
        guard let index = faults.firstIndex(where: { $0.path == path }) else { return nil }
        let fault = faults[index]
        faults[index].remainingCount -= 1
        if faults[index].remainingCount == 0 { faults.remove(at: index) }
        return fault
    }

    /// A text is sent as it is, anything else as JSON.
    private static func body(_ fields: FieldReader) throws(ControlRefusal) -> String? {
        guard let value = fields.value("body") else { return nil }
        let body = value.stringValue ?? value.text
        guard body.utf8.count <= bodyByteCountMax else {
            throw .wrong("body", "is longer than \(bodyByteCountMax) bytes")
        }
        return body
    }
}
