/// The clients a token is meant for: one text, or several.
///
/// Source: [RFC 7519, section 4.1.3](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3)
public struct Audience: Hashable, Sendable, Codable {
    /// The clients named, at least one when decoded from Apple's tokens.
    public let clients: [ClientID]

    /// Makes an audience.
    public init(_ clients: [ClientID]) {
        self.clients = clients
    }

    /// Decodes a text or a list of texts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let one = try? container.decode(String.self) {
            clients = [ClientID(one)]
        } else {
            clients = try container.decode([String].self).map { ClientID($0) }
        }
    }

    /// Encodes one client as a text, several as a list.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if clients.count == 1 {
            try container.encode(clients[0])
        } else {
            try container.encode(clients)
        }
    }
}
