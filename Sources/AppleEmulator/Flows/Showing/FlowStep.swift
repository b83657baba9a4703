import AppleIdentity
import Foundation

/// One step of a sign-in as it is told: an arrow between two lanes, and what lies behind it.
package struct FlowStep: Sendable {
    /// What kind of step it is.
    package enum Kind: String, Sendable {
        case request, handover, device, notification, attempt
    }

    package let number: Int
    package let time: Date
    package let kind: Kind
    package let from: FlowLane
    package let to: FlowLane
    /// What happens, in a few words.
    package var title: String
    /// What goes over the wire: a method, and a path or an address.
    package var wire: String?
    /// The answer in a few words; nil where none is told.
    package var answer: String?
    package var status: Int?
    package var isRefused = false
    /// Whether Apple does not see it: it follows from what Apple sees.
    package var isInferred = false
    package var remark = Remark()
    package var parameters: [FlowField] = []
    package var answerFields: [FlowField] = []
    package var tokens: [FlowToken] = []

    init(number: Int, time: Date, kind: Kind, from: FlowLane, to: FlowLane, title: String) {
        self.number = number
        self.time = time
        self.kind = kind
        self.from = from
        self.to = to
        self.title = title
    }

    func object(in flowKind: Flow.Kind) -> JSONObject {
        var object: JSONObject = [
            "number": .integer(number),
            "time": .string(time.formatted(.iso8601)),
            "kind": .string(kind.rawValue),
            "from": .string(from.name(in: flowKind)),
            "to": .string(to.name(in: flowKind)),
            "title": .string(title),
        ]
        object["wire"] = wire.map { .string($0) }
        object["status"] = status.map { .integer($0) }
        object["answer"] = answer.map { .string($0) }
        object["refused"] = .boolean(isRefused)
        object["seen_by_apple"] = .boolean(!isInferred)
        object["client_id"] = remark.clientID.map { .string($0) }
        object["error"] = remark.error.map { .string($0) }
        object["reason"] = remark.reason.map { .string($0) }
        object["hint"] = remark.hint.map { .string($0) }
        object["parameters"] = Self.object(parameters)
        object["answer_fields"] = Self.object(answerFields)
        object["tokens"] =
            tokens.isEmpty ? nil : .array(tokens.map { .object($0.object) })
        return object
    }

    private static func object(_ fields: [FlowField]) -> JSONValue? {
        guard !fields.isEmpty else { return nil }
        return .object(
            JSONObject(fields.map { .init(name: $0.name, value: .string($0.value)) })
        )
    }
}
