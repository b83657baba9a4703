import AppleIdentity
import Foundation

/// A sign-in and all that came of it, from the first request to the last notification.
package struct Flow {
    /// What began it.
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
    /// How many events are no longer kept.
    private(set) var forgottenEventCount = 0
    private(set) var keys: [FlowKey] = []
    /// How much its events, its keys and its client weigh, in bytes.
    private(set) var byteCount = 0

    init(id: FlowID, number: Int, kind: Kind, startedAt: Date) {
        self.id = id
        self.number = number
        self.kind = kind
        self.startedAt = startedAt
    }

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
    /// How many hexadecimal digits it has.
    private static let digitCount = 12

    private let number: UInt64

    static func random() -> FlowID {
        FlowID(number: UInt64.random(in: 0..<(1 << (4 * UInt64(digitCount)))))
    }

    private init(number: UInt64) {
        self.number = number
    }

    /// Reads the text of an identifier; nil when it is none.
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

/// Who signs in, and to which app group.
struct FlowPerson: Hashable {
    let personID: PersonID
    let group: ClientID
}
