import AppleIdentity
import HTTPTypes

/// What came of a sign-in that the console's tour played.
package enum TourOutcome: Hashable, Sendable {
    /// Apple gave out tokens.
    case signedIn
    /// Apple did not: the error that it answered, nil where it answered none, and what happened in words.
    case refused(error: String?, words: String)

    init(_ answer: EmulatorAnswer, reason: String?) {
        guard answer.isDropped || answer.response.status != .ok else {
            self = .signedIn
            return
        }
        let object = try? JSONObject(parsing: answer.body)
        let error = answer.isDropped ? nil : object?["error"]?.stringValue
        let answered =
            answer.isDropped ? "no answer" : error ?? "status \(answer.response.status.code)"
        self = .refused(
            error: error,
            words: [answered, reason].compactMap(\.self).joined(separator: ", ")
        )
    }
}
