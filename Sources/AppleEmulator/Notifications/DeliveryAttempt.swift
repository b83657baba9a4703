import AppleIdentity
import Foundation

/// One attempt to deliver a notification, and the receiver's answer.
struct DeliveryAttempt {
    /// How much of an answer's body is remembered, in bytes.
    static let maximumBodyByteCount = 1_024
    /// How much of an error is remembered, in characters.
    private static let maximumProblemCharacterCount = 256

    var time: Date
    var reply: DeliveryReply

    init(time: Date, reply: DeliveryReply) {
        self.time = time
        self.reply =
            switch reply {
            case .answer(let status, let body):
                .answer(status: status, body: Data(body.prefix(Self.maximumBodyByteCount)))
            case .failure(let problem):
                .failure(String(problem.prefix(Self.maximumProblemCharacterCount)))
            }
    }

    /// Apple counts a notification as received when the answer is 200, no other status.
    ///
    /// Source: [Apple's reply to a report](https://developer.apple.com/forums/thread/811848)
    var isReceived: Bool {
        if case .answer(status: 200, _) = reply { true } else { false }
    }

    var object: JSONObject {
        var object: JSONObject = ["time": .string(time.formatted(.iso8601))]
        switch reply {
        case .answer(let status, let body):
            object["status"] = .integer(status)
            let text = String(decoding: body, as: UTF8.self)
            object["body"] = .string(Redaction.redacted(text))
            object["error"] = problem(of: status).map { .string($0) }
        case .failure(let problem):
            object["error"] = .string(Redaction.redacted(problem))
        }
        return object
    }

    /// Why an answer does not count as received.
    private func problem(of status: Int) -> String? {
        switch status {
        case 200: nil
        case 201..<300: "Apple counts 200 as received, no other status"
        case 300..<400: "redirects are not followed"
        default: "the server did not take it"
        }
    }
}
