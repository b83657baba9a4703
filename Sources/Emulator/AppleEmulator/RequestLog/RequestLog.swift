import AppleIdentity
import Foundation
import HTTPTypes

/// The log of the last requests, without queries, bodies, secrets and tokens.
struct RequestLog {
    private static let maximumShownCharacterCount = 256

    private struct Entry {
        let number: Int
        let time: Date
        let method: String
        let path: String
        let status: Int?
        let remark: Remark
        /// The sign-in to which the request belongs.
        let flow: FlowID?
    }

    private let maximumEntryCount: Int
    private var entries: [Entry] = []
    var lastNumber = 0

    init(maximumEntryCount: Int) { self.maximumEntryCount = maximumEntryCount }

    /// Adds a request that is not HTTP and so has neither method nor path.
    mutating func addUnreadable(_ problem: String, at time: Date) {
        let remark = Remark(
            error: "bad_request",
            reason: "the request can't be read as HTTP/1.1: \(problem)",
            hint: "check the bytes that the client sends"
        )
        let answer = EmulatorAnswer(response: HTTPResponse(status: .badRequest))
        add("-", path: "-", Outcome(answer: answer, remark: remark), at: time)
    }

    mutating func add(
        _ method: String,
        path: String,
        _ outcome: Outcome,
        of flow: FlowID? = nil,
        at time: Date
    ) {
        lastNumber += 1
        // Entries are removed in batches, because removing the first one moves all others.
        if entries.count >= 2 * maximumEntryCount { entries.removeFirst(maximumEntryCount) }
        entries.append(
            Entry(
                number: lastNumber,
                time: time,
                method: String(Self.shown(method).prefix(16)),
                path: Self.shown(path),
                status: outcome.answer.isDropped ? nil : outcome.answer.response.status.code,
                remark: outcome.remark.map(Self.shown),
                flow: flow
            )
        )
    }

    var objects: [JSONObject] { objects(after: 0) }

    func objects(after number: Int) -> [JSONObject] {
        entries.suffix(maximumEntryCount).drop { $0.number <= number }.map { entry in
            var object: JSONObject = [
                "number": .integer(entry.number), "time": .string(entry.time.formatted(.iso8601)),
                "method": .string(entry.method), "path": .string(entry.path),
            ]
            let remark = entry.remark
            object["client_id"] = remark.clientID.map { .string($0) }
            object["status"] = entry.status.map { .integer($0) } ?? .null
            object["error"] = remark.error.map { .string($0) }
            object["reason"] = remark.reason.map { .string($0) }
            object["hint"] = remark.hint.map { .string($0) }
            object["flow"] = entry.flow.map { .string($0.text) }
            return object
        }
    }

    private static func shown(_ text: String) -> String {
        String(Redaction.redacted(text).prefix(maximumShownCharacterCount))
    }
}

/// The description of a response in the request log, in addition to its status.
package struct Remark: Hashable, Sendable {
    package var clientID: String?
    package var error: String?
    package var reason: String?
    package var hint: String?

    package init(
        clientID: String? = nil,
        error: String? = nil,
        reason: String? = nil,
        hint: String? = nil
    ) {
        (self.clientID, self.error, self.reason) = (clientID, error, reason)
        self.hint = hint
    }

    func map(_ change: (String) -> String) -> Remark {
        Remark(
            clientID: clientID.map(change),
            error: error.map(change),
            reason: reason.map(change),
            hint: hint.map(change)
        )
    }

    var byteCount: Int { [clientID, error, reason, hint].reduce(0) { $0 + ($1?.utf8.count ?? 0) } }

    mutating func add(hint: String) {
        self.hint = [self.hint, hint].compactMap(\.self).joined(separator: "; ")
    }

    init(_ refusal: OAuthRefusal, clientID: String?) {
        self.clientID = clientID
        error = refusal.code.rawValue
        reason = refusal.reason
        hint = refusal.hint
    }
}
