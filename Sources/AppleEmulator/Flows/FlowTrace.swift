import AppleIdentity

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
