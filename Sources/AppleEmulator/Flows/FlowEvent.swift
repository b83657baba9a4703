import AppleIdentity
import Foundation

/// One thing that happened in a flow.
struct FlowEvent {
    enum Content {
        /// A request to Apple's port.
        case request(FlowRequest)
        /// What the browser takes to the redirect address.
        case handover(FlowHandover)
        /// What a device handed to an app.
        case device(request: JSONObject, credential: JSONObject)
        /// A notification that was made, and why it is not sent.
        case notification(number: Int, SignedNotification, problem: String?)
        /// An attempt to deliver one.
        case attempt(number: Int, url: String, DeliveryAttempt)
    }

    /// What an event weighs besides its texts, in bytes.
    private static let frameByteCount = 512

    /// Its place among all events.
    let number: Int
    let time: Date
    let content: Content

    /// How much it weighs, in bytes.
    var byteCount: Int { Self.frameByteCount + contentByteCount }

    private var contentByteCount: Int {
        switch content {
        case .request(let request): request.byteCount
        case .handover(let handover): handover.byteCount
        case .device(let request, let credential):
            request.text.utf8.count + credential.text.utf8.count
        case .notification(_, let notification, let problem):
            // Its claims are kept beside the body that has them signed.
            2 * notification.body.count + (problem?.utf8.count ?? 0)
        case .attempt(_, let url, let attempt): url.utf8.count + attempt.byteCount
        }
    }
}

extension DeliveryAttempt {
    fileprivate var byteCount: Int {
        switch reply {
        case .answer(_, let body): body.count
        case .failure(let problem): problem.utf8.count
        }
    }
}
