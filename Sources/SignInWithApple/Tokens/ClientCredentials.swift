import AppleIdentity

/// What a client shows of itself in a form to Apple.
struct ClientCredentials: Sendable {
    let clientID: ClientID
    let secret: String

    var fields: [(name: String, value: String)] {
        [("client_id", clientID.rawValue), ("client_secret", secret)]
    }
}
