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

    /// How much it weighs, in bytes.
    var byteCount: Int {
        switch self {
        case .secret(let text): text.utf8.count
        case .delivery: 0
        }
    }
}

/// A name and a value that may be shown.
package struct FlowField: Hashable, Sendable {
    package let name: String
    package let value: String
}

/// What Apple gave the browser for the redirect address; Apple does not see it arrive.
struct FlowHandover {
    let redirectURI: String
    let mode: ResponseMode
    let fields: [AuthorizationResponse.Field]

    /// How much it weighs, in bytes.
    var byteCount: Int {
        fields.reduce(redirectURI.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
