import AppleIdentity
import Foundation
import HTTPTypes

/// One way to break an endpoint.
struct Fault {
    /// Statuses whose answers end with their header: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5.
    /// https://www.rfc-editor.org/rfc/rfc9110#section-15.3.5
    static let statusesWithoutBody: Set<Int> = [204, 205, 304]

    let path: String
    let status: Int?
    let delayMilliseconds: Int?
    let body: String?
    let contentType: String?
    let headerFields: [FaultHeader]
    let isDropping: Bool
    /// How often a request meets it, from 0 to 1.
    let probability: Double
    /// How many requests it lets pass first.
    var skippedCount: Int
    var remainingCount: Int
    /// Decides which requests meet it.
    var generator: SeededGenerator
    private let seed: Int

    /// Reads the members that say what it does; `seed` decides which requests meet a probability.
    init(_ fields: FieldReader, path: String) throws(ControlRefusal) {
        self.path = path
        status = try fields.optionalInteger("status", in: 200...599)
        delayMilliseconds = try fields.optionalInteger(
            "delay_ms",
            in: 0...FaultStore.maximumDelayMilliseconds
        )
        body = try fields.faultBody()
        contentType = try fields.headerValue("content_type")
        headerFields = try fields.faultHeaders()
        isDropping = try fields.boolean("drop", default: false)
        probability = try fields.probability()
        skippedCount = try fields.optionalInteger("skip", in: 0...1_000_000) ?? 0
        remainingCount = try fields.optionalInteger("count", in: 1...1_000_000) ?? 1
        seed = try fields.optionalInteger("seed", in: 0...Int.max) ?? 0
        generator = SeededGenerator(seed: UInt64(seed))
        // A client that trusts the status would take the body for the next answer.
        guard body == nil || !Self.statusesWithoutBody.contains(status ?? 200) else {
            throw .wrong("body", "can't be there with the status \(status ?? 200), which has none")
        }
        guard doesSomething else {
            throw .wrong(
                "status",
                "is missing, and so are delay_ms, body, content_type, headers and drop:"
                    + " it breaks nothing"
            )
        }
    }

    private var doesSomething: Bool {
        status != nil || delayMilliseconds != nil || body != nil || isDropping
            || contentType != nil || !headerFields.isEmpty
    }

    /// Whether the next request to its path meets it.
    mutating func isMet() -> Bool {
        guard skippedCount == 0 else {
            skippedCount -= 1
            return false
        }
        return probability >= 1 || generator.chance(probability)
    }

    /// The answer instead of Apple's own; nil when the fault leaves that one standing.
    var outcome: Outcome? {
        guard status != nil || body != nil || isDropping else { return nil }
        var response = HTTPResponse(status: HTTPResponse.Status(code: status ?? 200))
        if let body {
            let isJSON = (try? JSONValue(parsing: Data(body.utf8))) != nil
            response.headerFields[.contentType] =
                isJSON ? "application/json;charset=UTF-8" : "text/html;charset=UTF-8"
        }
        return Outcome(
            answer: EmulatorAnswer(
                response: response,
                body: Data((body ?? "").utf8),
                isDropped: isDropping
            ),
            remark: Remark(
                error: "fault",
                reason: isDropping
                    ? "a fault asked to close the connection" : "a fault asked for this answer",
                hint: "DELETE /faults on the control port ends all faults"
            )
        )
    }

    /// Changes an answer, Apple's own or the fault's: its fields, and how long it takes.
    func alter(_ answer: inout EmulatorAnswer) {
        if let delayMilliseconds { answer.delay = .milliseconds(delayMilliseconds) }
        for field in headerFields { answer.response.headerFields[field.name] = field.value }
        if let contentType { answer.response.headerFields[.contentType] = contentType }
    }

    var object: JSONObject {
        var object: JSONObject = ["endpoint": .string(path)]
        object["status"] = status.map { .integer($0) }
        object["delay_ms"] = delayMilliseconds.map { .integer($0) }
        object["body"] = body.map { .string($0) }
        object["content_type"] = contentType.map { .string($0) }
        if !headerFields.isEmpty {
            object["headers"] = .object(
                JSONObject(
                    headerFields.map {
                        .init(name: $0.text, value: $0.value.map { .string($0) } ?? .null)
                    }
                )
            )
        }
        object["drop"] = .boolean(isDropping)
        if probability < 1 {
            object["probability"] = .number(probability)
            object["seed"] = .integer(seed)
        }
        if skippedCount > 0 { object["skip"] = .integer(skippedCount) }
        object["count"] = .integer(remainingCount)
        return object
    }
}
