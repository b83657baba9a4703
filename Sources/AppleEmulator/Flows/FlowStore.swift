import AppleIdentity
import Foundation

/// The last flows, and what leads to them: transactions, codes, tokens, deliveries.
struct FlowStore {
    /// How many flows are remembered; those without news go first.
    static let maximumFlowCount = 200
    /// How much all flows may weigh, in bytes.
    static let maximumByteCount = 8 * 1024 * 1024

    private var flowsByID: [FlowID: Flow] = [:]
    /// The flow with the latest news comes last.
    private var order: [FlowID] = []
    private var idsByKey: [FlowKey: FlowID] = [:]
    private var latestIDs: [FlowPerson: FlowID] = [:]
    private(set) var byteCount = 0
    private var lastFlowNumber = 0
    private var lastEventNumber = 0
    /// What is known of the request at hand; nil between requests.
    private var trace: FlowTrace?

    var all: [Flow] { flowsByID.values.sorted { $0.number < $1.number } }

    subscript(id: FlowID) -> Flow? { flowsByID[id] }

    // MARK: The request at hand

    mutating func beginRequest() { trace = FlowTrace(number: nextEventNumber()) }

    /// The request came with a transaction, code or token.
    mutating func use(_ secret: String) {
        guard let key = FlowKey(secret: secret) else { return }
        trace?.usedKey = key
    }

    /// Apple gives out a transaction, code or token for the request.
    mutating func make(_ secret: String) { trace?.madeKeys.append(.secret(secret)) }

    mutating func note(_ person: FlowPerson, email: String) {
        trace?.person = person
        trace?.email = email
    }

    mutating func note(_ handover: FlowHandover) { trace?.handover = handover }

    mutating func leaveOut() { trace?.isElsewhere = true }

    /// The request is over; what is known of it.
    mutating func endRequest() -> FlowTrace? {
        defer { trace = nil }
        return trace.flatMap { $0.isElsewhere ? nil : $0 }
    }

    // MARK: Recording

    /// Adds a request to the flow it belongs to, or begins one with it.
    mutating func record(
        _ content: FlowEvent.Content,
        _ trace: FlowTrace,
        beginning kind: Flow.Kind,
        clientID: String?,
        at time: Date
    ) {
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
    }

    /// Adds a notification to the flow of the request at hand, or to the person's latest.
    ///
    /// One about a person whose sign-in is not remembered belongs to none.
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

    /// The first client that a flow names is its own.
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

    /// Changes a flow, and adds what it weighs more than before to the weight of all.
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

/// What the rules note about the request at hand, so that it finds its flow.
struct FlowTrace {
    /// The place of the request among all events; what it causes comes behind it.
    let number: Int
    /// The transaction, code or token that the request came with.
    var usedKey: FlowKey?
    /// Those that were given out for it.
    var madeKeys: [FlowKey] = []
    var person: FlowPerson?
    var email: String?
    var handover: FlowHandover?
    /// Whether the request is none of a sign-in's.
    var isElsewhere = false
}

/// What tells that a request belongs to a flow.
enum FlowKey: Hashable {
    /// The name of a transaction, a code, or a token: only Apple gives them out.
    case secret(String)
    /// The number of a notification's delivery.
    case delivery(Int)

    /// The longest that Apple gives out is a refresh token, far below this, in bytes.
    private static let maximumByteCount = 1_024

    /// What a request says is a transaction, code or token; nil when it can be none.
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

/// What Apple gave the browser for the redirect address; Apple does not see it arrive.
struct FlowHandover {
    let redirectURI: String
    let mode: ResponseMode
    let fields: [AuthorizationResponse.Field]

    var byteCount: Int {
        fields.reduce(redirectURI.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
