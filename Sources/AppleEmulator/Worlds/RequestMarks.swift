import AppleIdentity
import Foundation
import HTTPTypes
import SignedTokens

/// What in a request to Apple's port tells whose it is, though it names no world.
package struct RequestMarks: Sendable {
    /// The tags of its code and tokens.
    package let tags: [WorldTag]
    /// The sign-in that a form carries on.
    let transaction: String?
    /// The key that signed the client secret.
    let keyID: KeyID?
    /// The client.
    let clientID: ClientID?

    /// Reads what a request has in its query, its form and its `Authorization` field.
    package init(_ request: HTTPRequest, body: Data) {
        let target = (request.path ?? "").split(separator: "?", maxSplits: 1)
        let query = Self.fields(target.count > 1 ? Array(target[1].utf8) : [])
        let form = Self.fields(Array(body))
        let bearer = (request.headerFields[.authorization] ?? "").split(separator: " ").last
        let tokens =
            ["code", "refresh_token", "token"].map { form?[$0] } + [bearer.map(String.init)]
        tags = tokens.compactMap { $0.flatMap(WorldTag.init(of:)) }
        transaction = form?["transaction"]
        keyID = form?["client_secret"].flatMap(Self.keyID)
        clientID = (form?["client_id"] ?? query?["client_id"]).map { ClientID($0) }
    }

    /// A form's fields; nil when it can't be read, which Apple's own rules then refuse.
    private static func fields(_ bytes: [UInt8]) -> FormFields? {
        guard bytes.count <= AppleEmulator.maximumBodyByteCount else { return nil }
        return try? FormFields(parsing: bytes)
    }

    private static func keyID(of secret: String) -> KeyID? {
        guard let header = secret.split(separator: ".").first,
            let data = Base64URL.decode(String(header)),
            let name = (try? JSONObject(parsing: data))?["kid"]?.stringValue
        else { return nil }
        return KeyID(rawValue: name)
    }
}
