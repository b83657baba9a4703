import AppleIdentity
import Foundation

/// A sign-in with everything that follows, from the first request to the last notification.
package struct Flow {
    package enum Kind: String, Sendable {
        /// A browser at `/auth/authorize`.
        case web
        /// An app on a device.
        case native
        /// A request without a known sign-in.
        case unlinked
    }

    /// The maximum number of stored events of a flow: its first and its last ones.
    static let maximumEventCount = 120
    /// The number of first events that are always stored.
    package static let firstEventCount = 20
    /// The maximum number of codes, tokens and deliveries; the least recently used go first.
    static let maximumKeyCount = 64

    let id: FlowID
    /// The number of the flow, beginning with 1.
    let number: Int
    let kind: Kind
    let startedAt: Date
    /// The first client in the flow.
    var clientID: String? {
        didSet { byteCount += (clientID?.utf8.count ?? 0) - (oldValue?.utf8.count ?? 0) }
    }
    var person: FlowPerson?
    var email: String?
    private(set) var events: [FlowEvent] = []
    private(set) var forgottenEventCount = 0
    private(set) var keys: [FlowKey] = []
    /// The size of its events, its keys and its client, in bytes.
    private(set) var byteCount = 0

    mutating func add(_ event: FlowEvent) {
        events.append(event)
        byteCount += event.byteCount
        guard events.count > Self.maximumEventCount else { return }
        forgottenEventCount += 1
        byteCount -= events.remove(at: Self.firstEventCount).byteCount
    }

    /// Adds a key, or makes it the most recently used.
    ///
    /// - Returns: the key that was removed for it.
    mutating func add(_ key: FlowKey) -> FlowKey? {
        if let index = keys.lastIndex(of: key) {
            keys.remove(at: index)
        } else {
            byteCount += key.byteCount
        }
        keys.append(key)
        guard keys.count > Self.maximumKeyCount else { return nil }
        let old = keys.removeFirst()
        byteCount -= old.byteCount
        return old
    }
}

/// The random ID of a flow, which is not repeated after a restart.
package struct FlowID: Hashable, Sendable {
    private static let digitCount = 12

    private let number: UInt64

    static func random() -> FlowID {
        FlowID(number: UInt64.random(in: 0..<(1 << (4 * UInt64(digitCount)))))
    }

    private init(number: UInt64) { self.number = number }

    init?(_ text: String) {
        guard text.utf8.count == Self.digitCount, let number = UInt64(text, radix: 16),
            FlowID(number: number).text == text
        else { return nil }
        self.number = number
    }

    package var text: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: Self.digitCount - digits.count) + digits
    }
}

struct FlowPerson: Hashable {
    let personID: PersonID
    let group: ClientID
}

struct FlowEvent {
    enum Content {
        case request(FlowRequest)
        case handover(FlowHandover)
        case device(request: JSONObject, credential: JSONObject)
        /// A new notification, and the reason if it is not sent.
        case notification(number: Int, SignedNotification, problem: String?)
        case attempt(number: Int, url: String, DeliveryAttempt)
    }

    /// The estimated size of an event without its strings, in bytes.
    private static let frameByteCount = 512

    let number: Int
    let time: Date
    let content: Content

    var byteCount: Int { Self.frameByteCount + contentByteCount }

    var issuesCode: Bool {
        switch content {
        case .handover(let handover): handover.fields.contains { $0.name == "code" }
        case .device: true
        case .request, .notification, .attempt: false
        }
    }

    private var contentByteCount: Int {
        switch content {
        case .request(let request): request.byteCount
        case .handover(let handover): handover.byteCount
        case .device(let request, let credential):
            request.text.utf8.count + credential.text.utf8.count
        case .notification(_, let notification, let problem):
            // The claims are stored twice: decoded, and in the signed body.
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

/// A request and its response, stored without decoding.
///
/// Bodies are decoded and redacted only when a flow is shown.
struct FlowRequest {
    static let maximumBodyByteCount = 16 * 1024

    enum Parameters {
        case encoded(Data)
        /// The parameters of the sheet without secrets; a password is never stored.
        case plain([FlowField])
        /// None, because the form was too long.
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
    /// The status; nil if the connection was closed without a response.
    let status: Int?
    /// The response body, unless it is a page.
    let answer: Data?
    let remark: Remark
    /// The question of the sheet in the response.
    var prompt: SheetPage.Prompt?

    var byteCount: Int {
        method.utf8.count + path.utf8.count + parameters.byteCount + (answer?.count ?? 0)
            + remark.byteCount
    }
}
