import AppleIdentity

/// What the request log says about an answer besides its status.
struct Remark: Hashable {
    var clientID: String?
    var error: String?
    var reason: String?
    var hint: String?

    init(
        clientID: String? = nil,
        error: String? = nil,
        reason: String? = nil,
        hint: String? = nil
    ) {
        self.clientID = clientID
        self.error = error
        self.reason = reason
        self.hint = hint
    }

    init(_ refusal: OAuthRefusal, clientID: String?) {
        self.clientID = clientID
        error = refusal.code.rawValue
        reason = refusal.reason
        hint = refusal.hint
    }
}
