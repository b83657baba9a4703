/// The clients a token is meant for: one text, or several.
///
/// Source: [RFC 7519, section 4.1.3](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3)
public struct Audience: Hashable, Sendable {
    /// The clients named, at least one in Apple's tokens.
    public let clients: [ClientID]

    /// Makes an audience.
    public init(_ clients: [ClientID]) {
        self.clients = clients
    }

    /// Reads a text or a list of texts; nil when it is something else.
    package init?(_ value: JSONValue) {
        if let one = value.stringValue {
            clients = [ClientID(rawValue: one)]
        } else if let several = value.textsValue {
            clients = several.map(ClientID.init(rawValue:))
        } else {
            return nil
        }
    }
}
