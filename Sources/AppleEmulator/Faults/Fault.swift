import AppleIdentity
import Foundation
import HTTPTypes

/// One way to break an endpoint.
struct Fault {
    let path: String
    let status: Int?
    let delayMilliseconds: Int?
    let body: String?
    let isDropping: Bool
    var remainingCount: Int

    var doesSomething: Bool {
        status != nil || delayMilliseconds != nil || body != nil || isDropping
    }

    /// How long to wait before the answer.
    var delay: Duration? { delayMilliseconds.map { .milliseconds($0) } }

    /// The answer instead of Apple's own; nil when the fault only delays that one.
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

    var object: JSONObject {
        var object: JSONObject = ["endpoint": .string(path)]
        object["status"] = status.map { .integer($0) }
        object["delay_ms"] = delayMilliseconds.map { .integer($0) }
        object["body"] = body.map { .string($0) }
        object["drop"] = .boolean(isDropping)
        object["count"] = .integer(remainingCount)
        return object
    }
}
