import AppleIdentity

/// What the request log says about an answer besides its status.
package struct Remark: Hashable, Sendable {
    package var clientID: String?
    package var error: String?
    package var reason: String?
    package var hint: String?

    package init(
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

    /// The same with every text changed.
    func map(_ change: (String) -> String) -> Remark {
        Remark(
            clientID: clientID.map(change),
            error: error.map(change),
            reason: reason.map(change),
            hint: hint.map(change)
        )
    }

    /// How much its texts weigh, in bytes.
    var byteCount: Int {
        [clientID, error, reason, hint].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }

    /// Adds a hint behind those that are there.
    mutating func add(hint: String) {
        self.hint = [self.hint, hint].compactMap(\.self).joined(separator: "; ")
    }

    init(_ refusal: OAuthRefusal, clientID: String?) {
        self.clientID = clientID
        error = refusal.code.rawValue
        reason = refusal.reason
        hint = refusal.hint
    }
}
