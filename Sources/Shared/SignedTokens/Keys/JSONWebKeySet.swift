import AppleIdentity
import Foundation

/// The keys that a service publishes.
///
/// Source: [RFC 7517, section 5](https://www.rfc-editor.org/rfc/rfc7517#section-5)
package struct JSONWebKeySet: Hashable, Sendable {
    package static let maximumKeyCount = 64

    /// The keys, in the order of the document.
    package var keys: [JSONWebKey]

    package init(keys: [JSONWebKey]) { self.keys = keys }

    /// Reads a set from JSON; an entry with an unknown form is ignored.
    package init(json: Data) throws(SignedTokenError) {
        guard let document = try? JSONObject(parsing: json),
            let entries = document["keys"]?.arrayValue
        else { throw .unusableKey(reason: "the document is not a JSON object with \"keys\"") }
        guard entries.count <= Self.maximumKeyCount else {
            throw .unusableKey(reason: "the document has more than \(Self.maximumKeyCount) keys")
        }
        keys = entries.compactMap { entry in
            entry.objectValue.flatMap { try? JSONWebKey(JSONFields($0)) }
        }
    }

    /// Parses every usable key with an identifier, by its `kid`.
    package func verificationKeys() -> [String: VerificationKey] {
        var parsed: [String: VerificationKey] = [:]
        for key in keys {
            guard let keyID = key.keyID, let verificationKey = try? key.verificationKey() else {
                continue
            }
            parsed[keyID] = verificationKey
        }
        return parsed
    }
}
