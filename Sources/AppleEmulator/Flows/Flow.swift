import AppleIdentity
import Foundation

/// A sign-in and all that came of it, from the first request to the last notification.
package struct Flow {
    package enum Kind: String, Sendable {
        /// A browser at `/auth/authorize`.
        case web
        /// An app on a device.
        case native
        /// A request that names no sign-in Apple remembers.
        case unlinked
    }

    /// How many events of a flow are kept; the beginning and the end are.
    static let maximumEventCount = 120
    /// How many events at the beginning are kept in any case.
    package static let firstEventCount = 20
    /// How many codes, tokens and deliveries lead to it; those not used for long go first.
    static let maximumKeyCount = 64

    let id: FlowID
    /// Its place among all flows, from 1 on.
    let number: Int
    let kind: Kind
    let startedAt: Date
    /// The client that it began with.
    var clientID: String? {
        didSet { byteCount += (clientID?.utf8.count ?? 0) - (oldValue?.utf8.count ?? 0) }
    }
    var person: FlowPerson?
    /// The address of who signs in.
    var email: String?
    private(set) var events: [FlowEvent] = []
    private(set) var forgottenEventCount = 0
    private(set) var keys: [FlowKey] = []
    /// How much its events, its keys and its client weigh, in bytes.
    private(set) var byteCount = 0

    mutating func add(_ event: FlowEvent) {
        events.append(event)
        byteCount += event.byteCount
        guard events.count > Self.maximumEventCount else { return }
        forgottenEventCount += 1
        byteCount -= events.remove(at: Self.firstEventCount).byteCount
    }

    /// Adds a key, or moves one behind the others.
    ///
    /// - Returns: the key that had to go.
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

/// The name of a flow: random, so that what outlives a restart never joins somebody else's flow.
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
        /// A notification that was made, and why it is not sent.
        case notification(number: Int, SignedNotification, problem: String?)
        case attempt(number: Int, url: String, DeliveryAttempt)
    }

    /// What an event weighs besides its texts, in bytes.
    private static let frameByteCount = 512

    let number: Int
    let time: Date
    let content: Content

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
    static let maximumBodyByteCount = 16 * 1024

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
