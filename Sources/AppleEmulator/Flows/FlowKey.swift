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
