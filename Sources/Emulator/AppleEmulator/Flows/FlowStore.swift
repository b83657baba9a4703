import AppleIdentity
import Foundation

/// The last flows, found by their transactions, codes, tokens and deliveries.
struct FlowStore {
    /// The maximum number of flows; the least recently changed are removed first.
    static let maximumFlowCount = 200
    static let maximumByteCount = 8 * 1024 * 1024

    private var flowsByID: [FlowID: Flow] = [:]
    /// The flows' IDs, the most recently changed last.
    private var order: [FlowID] = []
    private var idsByKey: [FlowKey: FlowID] = [:]
    private var latestIDs: [FlowPerson: FlowID] = [:]
    private(set) var byteCount = 0
    private var lastFlowNumber = 0
    private var lastEventNumber = 0
    /// The trace of the current request; nil between requests.
    private var trace: FlowTrace?

    var all: [Flow] { flowsByID.values.sorted { $0.number < $1.number } }

    subscript(id: FlowID) -> Flow? { flowsByID[id] }

    // MARK: The current request

    mutating func beginRequest() { trace = FlowTrace(number: nextEventNumber()) }

    /// Notes a transaction, code or token in the request.
    mutating func use(_ secret: String) {
        guard let key = FlowKey(secret: secret) else { return }
        trace?.usedKey = key
    }

    /// Notes a transaction, code or token issued for the request.
    mutating func make(_ secret: String) { trace?.madeKeys.append(.secret(secret)) }

    mutating func note(_ person: FlowPerson, email: String) {
        trace?.person = person
        trace?.email = email
    }

    mutating func note(_ handover: FlowHandover) { trace?.handover = handover }

    mutating func leaveOut() { trace?.isElsewhere = true }

    mutating func endRequest() -> FlowTrace? {
        defer { trace = nil }
        return trace.flatMap { $0.isElsewhere ? nil : $0 }
    }

    // MARK: Recording

    /// Adds a request to its flow, or begins a flow with it, and returns the flow's ID.
    @discardableResult
    mutating func record(
        _ content: FlowEvent.Content,
        _ trace: FlowTrace,
        beginning kind: Flow.Kind,
        clientID: String?,
        at time: Date
    ) -> FlowID {
        let id = trace.usedKey.flatMap { idsByKey[$0] } ?? begin(kind, at: time)
        add(FlowEvent(number: trace.number, time: time, content: content), to: id)
        if let handover = trace.handover { add(.handover(handover), to: id, at: time) }
        for key in [trace.usedKey].compactMap(\.self) + trace.madeKeys { lead(key, to: id) }
        name(clientID, id)
        if let person = trace.person {
            flowsByID[id]?.person = person
            flowsByID[id]?.email = trace.email
            latestIDs[person] = id
        }
        makeRoom()
        return id
    }

    /// Adds notifications to the flow of the current request, or to the person's latest.
    ///
    /// Without a stored flow of the person they are not added.
    mutating func record(_ deliveries: [Delivery], about person: FlowPerson, at time: Date) {
        let id = trace?.usedKey.flatMap { idsByKey[$0] } ?? latestIDs[person]
        guard let id else { return }
        for delivery in deliveries {
            let content = FlowEvent.Content.notification(
                number: delivery.number,
                delivery.notification,
                problem: delivery.state.reason
            )
            add(content, to: id, at: time)
            lead(.delivery(delivery.number), to: id)
        }
        makeRoom()
    }

    mutating func recordAttempt(of delivery: Delivery) {
        guard let id = idsByKey[.delivery(delivery.number)], let attempt = delivery.attempts.last
        else { return }
        let url = delivery.url ?? ""
        add(.attempt(number: delivery.number, url: url, attempt), to: id, at: attempt.time)
        makeRoom()
    }

    private mutating func begin(_ kind: Flow.Kind, at time: Date) -> FlowID {
        let id = FlowID.random()
        lastFlowNumber += 1
        flowsByID[id] = Flow(id: id, number: lastFlowNumber, kind: kind, startedAt: time)
        order.append(id)
        return id
    }

    /// Sets the client of a flow, if it has none.
    private mutating func name(_ clientID: String?, _ id: FlowID) {
        guard flowsByID[id]?.clientID == nil else { return }
        change(id) { $0.clientID = clientID }
    }

    private mutating func add(_ content: FlowEvent.Content, to id: FlowID, at time: Date) {
        add(FlowEvent(number: nextEventNumber(), time: time, content: content), to: id)
    }

    private mutating func add(_ event: FlowEvent, to id: FlowID) {
        change(id) { $0.add(event) }
        guard order.last != id, let index = order.lastIndex(of: id) else { return }
        order.remove(at: index)
        order.append(id)
    }

    private mutating func lead(_ key: FlowKey, to id: FlowID) {
        idsByKey[key] = id
        var old: FlowKey?
        change(id) { old = $0.add(key) }
        if let old { idsByKey[old] = nil }
    }

    /// Changes a flow and updates the total size.
    private mutating func change(_ id: FlowID, _ change: (inout Flow) -> Void) {
        guard var flow = flowsByID.removeValue(forKey: id) else { return }
        byteCount -= flow.byteCount
        change(&flow)
        byteCount += flow.byteCount
        flowsByID[id] = flow
    }

    private mutating func makeRoom() {
        while order.count > Self.maximumFlowCount || byteCount > Self.maximumByteCount,
            !order.isEmpty
        {
            guard let flow = flowsByID.removeValue(forKey: order.removeFirst()) else { continue }
            byteCount -= flow.byteCount
            for key in flow.keys where idsByKey[key] == flow.id { idsByKey[key] = nil }
            if let person = flow.person, latestIDs[person] == flow.id { latestIDs[person] = nil }
        }
    }

    private mutating func nextEventNumber() -> Int {
        lastEventNumber += 1
        return lastEventNumber
    }
}

/// The facts about the current request by which its flow is found.
struct FlowTrace {
    /// The event number of the request; its consequences have higher ones.
    let number: Int
    /// The transaction, code or token in the request.
    var usedKey: FlowKey?
    /// The transactions, codes and tokens issued for it.
    var madeKeys: [FlowKey] = []
    var person: FlowPerson?
    var email: String?
    var handover: FlowHandover?
    /// Whether the request does not belong to a sign-in.
    var isElsewhere = false
}

/// A value that connects a request to a flow.
enum FlowKey: Hashable {
    /// A transaction, a code or a token, which only Apple issues.
    case secret(String)
    case delivery(Int)

    /// The maximum size in bytes; Apple's longest, a refresh token, is far shorter.
    private static let maximumByteCount = 1_024

    /// Creates the key of a transaction, code or token; nil if its size is impossible.
    init?(secret: String) {
        guard !secret.isEmpty, secret.utf8.count <= Self.maximumByteCount else { return nil }
        self = .secret(secret)
    }

    var byteCount: Int {
        switch self {
        case .secret(let text): text.utf8.count
        case .delivery: 0
        }
    }
}

package struct FlowField: Hashable, Sendable {
    package let name: String
    package let value: String
}

/// The response for the redirect URI, given to the browser; Apple does not see its delivery.
struct FlowHandover {
    let redirectURI: String
    let mode: ResponseMode
    let fields: [AuthorizationResponse.Field]

    var byteCount: Int {
        fields.reduce(redirectURI.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
