/// What tells that a request belongs to a flow.
enum FlowKey: Hashable {
    /// The name of a transaction, a code, or a token: only Apple gives them out.
    case secret(String)
    /// The number of a notification's delivery.
    case delivery(Int)
}
