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

/// A request to Apple's port and its answer, as cheaply as they can be kept.
///
/// Bodies are read when somebody looks, and then without their secrets.
struct FlowRequest {
    /// The longest query or body that is kept, in bytes.
    static let maximumBodyByteCount = 16 * 1024

    /// The parameters that came with a request.
    enum Parameters {
        /// A form or query, still encoded.
        case encoded(Data)
        /// Those of the sheet that are no secret: a password is not kept even for a moment.
        case plain([FlowField])
        /// None that can be shown: the form was too long.
        case tooLong(byteCount: Int)

        var byteCount: Int {
            switch self {
            case .encoded(let data): data.count
            case .plain(let fields):
                fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            case .tooLong: 0
            }
        }
    }

    let method: String
    let path: String
    let parameters: Parameters
    /// nil when the connection was closed without an answer.
    let status: Int?
    /// The answer's body where it is no page.
    let answer: Data?
    let remark: Remark
    /// What the sheet asked in answer.
    var prompt: SheetPage.Prompt?

    var byteCount: Int {
        method.utf8.count + path.utf8.count + parameters.byteCount + (answer?.count ?? 0)
            + remark.byteCount
    }
}
