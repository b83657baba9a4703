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
    var clientID: String?
    var person: FlowPerson?
    /// The address of who signs in.
    var email: String?
    private(set) var events: [FlowEvent] = []
    /// How many events are no longer kept.
    private(set) var forgottenEventCount = 0
    private(set) var keys: [FlowKey] = []

    init(id: FlowID, number: Int, kind: Kind, startedAt: Date) {
        self.id = id
        self.number = number
        self.kind = kind
        self.startedAt = startedAt
    }

    /// Adds an event.
    ///
    /// - Returns: by how many bytes the flow weighs more.
    mutating func add(_ event: FlowEvent) -> Int {
        events.append(event)
        guard events.count > Self.maximumEventCount else { return event.byteCount }
        forgottenEventCount += 1
        return event.byteCount - events.remove(at: Self.firstEventCount).byteCount
    }

    /// Adds a key, or moves one behind the others.
    ///
    /// - Returns: the key that had to go.
    mutating func add(_ key: FlowKey) -> FlowKey? {
        if let index = keys.lastIndex(of: key) { keys.remove(at: index) }
        keys.append(key)
        return keys.count > Self.maximumKeyCount ? keys.removeFirst() : nil
    }

    var byteCount: Int { events.reduce(0) { $0 + $1.byteCount } }
}
