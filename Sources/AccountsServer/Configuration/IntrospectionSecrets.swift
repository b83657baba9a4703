import Accounts
import Crypto
import Foundation
import HTTPTypes
import SignInWithApple

/// The secrets with which the team's services ask about tokens; only their hashes are kept.
package struct IntrospectionSecrets: Hashable, Sendable {
    static let settingName = "SIWA_INTROSPECTION_SECRETS"
    /// The maximum number of services.
    static let maximumCount = 100
    /// The length of a secret, in characters: 32 random hexadecimal digits have 128 bits.
    static let secretCounts = 32...255

    private let hashes: [String: SHA256.Digest]

    /// Admits no service.
    package init() { hashes = [:] }

    var isEmpty: Bool { hashes.isEmpty }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_INTROSPECTION_SECRETS`.
    package init(_ entries: [String]) throws(ConfigurationError) {
        var hashes: [String: SHA256.Digest] = [:]
        for entry in entries {
            let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[0].wholeMatch(of: /[A-Za-z0-9._\-]{1,64}/) != nil,
                // Clients that do not encode these characters, and those that do, send the same.
                parts[1].wholeMatch(of: /[A-Za-z0-9._~\-]+/) != nil,
                Self.secretCounts.contains(parts[1].utf8.count)
            else {
                throw ConfigurationError(
                    Self.settingName,
                    "contains an entry that is not a service and a secret of at least \(Self.secretCounts.lowerBound) letters and digits",
                    fix: "use service:secret, for example orders:$(openssl rand -hex 32)"
                )
            }
            hashes[parts[0]] = SHA256.hash(data: Data(parts[1].utf8))
        }
        guard hashes.count == entries.count, entries.count <= Self.maximumCount else {
            throw ConfigurationError(
                Self.settingName,
                "lists more than \(Self.maximumCount) services, or one twice",
                fix: "give each service one secret"
            )
        }
        self.hashes = hashes
    }

    /// Whether a service has a secret.
    func contains(_ service: String) -> Bool { hashes[service] != nil }

    /// Whether the credentials are those of a service; equal hashes are found in constant time.
    func admit(_ credentials: BasicCredentials) -> Bool {
        hashes[credentials.name] == SHA256.hash(data: Data(credentials.password.utf8))
    }
}

/// The credentials of a client of OAuth in a header field.
///
/// Source: [RFC 6749, section 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)
struct BasicCredentials: Hashable, Sendable {
    let name: String
    let password: String

    /// Reads a header field; nil when it has another form.
    init?(_ field: String?) {
        guard let field, field.prefix(6).lowercased() == "basic ",
            let bytes = Data(base64Encoded: String(field.dropFirst(6))),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        // Both are encoded like the fields of a form, so the first colon separates them.
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2,
            let name = FormCoding.decode(Data("v=\(parts[0])".utf8))?.first?.value,
            let password = FormCoding.decode(Data("v=\(parts[1])".utf8))?.first?.value
        else { return nil }
        self.name = name
        self.password = password
    }
}
