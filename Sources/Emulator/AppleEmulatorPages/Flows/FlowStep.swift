import AppleEmulator
import AppleIdentity
import Foundation

/// One step of a sign-in: an arrow between two lanes, and its details.
struct FlowStep {
    enum Kind: String { case request, handover, device, notification, attempt }

    /// The parties of a sign-in, from left to right.
    enum Lane: Int {
        /// The browser, or the app on a device.
        case client
        case server
        case apple

        func name(in kind: Flow.Kind) -> String {
            switch self {
            case .client: kind == .native ? "app" : "browser"
            case .server: "server"
            case .apple: "apple"
            }
        }
    }

    let event: FlowSnapshot.Event
    let kind: Kind
    let from: Lane
    let to: Lane
    /// The action, in a few words.
    let title: String
    /// The request line: a method, and a path or a URL.
    var wire: String?
    /// The response in a few words; nil if none is known.
    var answer: String?
    /// Whether Apple does not see the step, which is inferred from what Apple sees.
    var isInferred = false
    /// A fix, or a note.
    var hint: String?

    func object(in flowKind: Flow.Kind) -> JSONObject {
        var object: JSONObject = [
            "number": .integer(event.number), "time": .string(event.time.formatted(.iso8601)),
            "kind": .string(kind.rawValue), "from": .string(from.name(in: flowKind)),
            "to": .string(to.name(in: flowKind)), "title": .string(title),
        ]
        object["wire"] = wire.map { .string($0) }
        object["status"] = event.status.map { .integer($0) }
        object["answer"] = answer.map { .string($0) }
        object["refused"] = .boolean(event.isRefused)
        object["seen_by_apple"] = .boolean(!isInferred)
        object["client_id"] = event.remark.clientID.map { .string($0) }
        object["error"] = event.remark.error.map { .string($0) }
        object["reason"] = event.remark.reason.map { .string($0) }
        object["hint"] = hint.map { .string($0) }
        object["parameters"] = Self.object(event.parameters)
        object["answer_fields"] = Self.object(event.answerFields)
        let tokens = event.tokens
        object["tokens"] = tokens.isEmpty ? nil : .array(tokens.map { .object($0.object) })
        return object
    }

    private static func object(_ fields: [FlowField]) -> JSONValue? {
        guard !fields.isEmpty else { return nil }
        return .object(JSONObject(fields.map { .init(name: $0.name, value: .string($0.value)) }))
    }
}

extension FlowToken {
    var signatureText: String {
        switch signatureByteCount {
        case 0: "none"
        case let count?: "\(count) bytes, not shown"
        case nil: "not shown"
        }
    }

    fileprivate var object: JSONObject {
        [
            "name": .string(name), "header": Self.value(of: header),
            "claims": Self.value(of: claims), "signature": .string(signatureText),
        ]
    }

    private static func value(of text: String) -> JSONValue {
        (try? JSONValue(parsing: Data(text.utf8))) ?? .string(text)
    }
}
