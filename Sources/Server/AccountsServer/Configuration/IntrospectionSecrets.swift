import Crypto
import Foundation

/// The secrets with which the team's services ask about tokens; only their hashes are kept.
package struct IntrospectionSecrets: Hashable, Sendable, ListSetting {
    static let settingName = "SIWA_INTROSPECTION_SECRETS"

    /// So many secrets may overlap while one replaces the other.
    private static let maximumSecretCount = 2

    /// The hashes of `service:secret`, by service.
    private var hashes: [String: [SHA256.Digest]] = [:]

    /// Admits no service.
    package init() {}

    var isEmpty: Bool { hashes.isEmpty }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_INTROSPECTION_SECRETS`.
    package init(_ entries: [String]) throws(ConfigurationError) {
        try Self.checkCount(of: entries)
        for entry in entries {
            // 32 random hexadecimal digits have 128 bits.
            guard entry.wholeMatch(of: /[A-Za-z0-9._\-]{1,64}:[A-Za-z0-9._~\-]{32,255}/) != nil
            else {
                throw Self.mistake(
                    "contains an entry that is not a service and a secret of 32 to 255 letters and digits",
                    fix: "use service:secret, for example orders:$(openssl rand -hex 32)"
                )
            }
            hashes[Self.service(of: entry), default: []].append(SHA256.hash(data: Data(entry.utf8)))
        }
        guard hashes.values.allSatisfy({ $0.count <= Self.maximumSecretCount }) else {
            throw Self.mistake(
                "lists a service more than twice",
                fix: "give each service one secret, or two while you replace one"
            )
        }
    }

    /// Reads the credentials in a header field, and compares them in constant time.
    ///
    /// A form encodes none of the characters of a secret, so the credentials are not decoded.
    /// Source: [RFC 6749, section 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)
    ///
    /// - Returns: the service, if it has a secret, and whether the credentials are its own.
    func check(_ field: String?) -> (service: String?, isAdmitted: Bool) {
        guard let field, field.prefix(6).lowercased() == "basic ",
            let bytes = Data(base64Encoded: String(field.dropFirst(6))),
            let text = String(validating: bytes, as: UTF8.self),
            case let service = Self.service(of: text), let hashes = hashes[service]
        else { return (nil, false) }
        let hash = SHA256.hash(data: bytes)
        return (service, hashes.contains { $0 == hash })
    }

    private static func service(of text: String) -> String { String(text.prefix { $0 != ":" }) }
}
