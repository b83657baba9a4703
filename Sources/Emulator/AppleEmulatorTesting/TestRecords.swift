import AppleIdentity

/// A request that the emulator of a test has received.
public struct TestRequest: Hashable, Sendable {
    /// Why the emulator refused a request.
    public struct Refusal: Hashable, Sendable {
        /// The error, such as `invalid_client`; `fault` for ``TestApple/fail(_:status:body:times:clientID:)``.
        public let error: String
        /// The reason, which Apple does not tell.
        public let reason: String?
        /// What to change.
        public let hint: String?
    }

    /// The method, such as `POST`.
    public let method: String
    /// The path without the query, such as `/auth/token`.
    public let path: String
    /// The client that the request names.
    public let clientID: ClientID?
    /// The status of the response; nil if a fault closed the connection.
    public let status: Int?
    /// The refusal; nil if the emulator accepted the request.
    public let refusal: Refusal?

    init(_ entry: JSONObject) {
        method = entry["method"]?.stringValue ?? ""
        path = entry["path"]?.stringValue ?? ""
        clientID = entry["client_id"]?.stringValue.map { ClientID($0) }
        status = entry["status"]?.integerValue
        refusal = entry["error"]?.stringValue.map {
            Refusal(
                error: $0,
                reason: entry["reason"]?.stringValue,
                hint: entry["hint"]?.stringValue
            )
        }
    }
}

/// A mail that the private email relay of a test has delivered.
public struct TestMail: Hashable, Sendable {
    /// The sender, as in the field `From`.
    public let sender: String
    /// The address of the user to which it was delivered.
    public let recipient: String
    /// The relay address to which it was sent; nil if it was sent to the user's own address.
    public let relayAddress: String?
    /// The subject.
    public let subject: String
    /// The text; nil if the mail has none.
    public let text: String?

    init(_ mail: JSONObject) {
        sender = mail["from"]?.stringValue ?? ""
        recipient = mail["delivered_to"]?.stringValue ?? ""
        relayAddress = mail["relay_email"]?.stringValue
        subject = mail["subject"]?.stringValue ?? ""
        text = mail["text"]?.stringValue
    }
}
