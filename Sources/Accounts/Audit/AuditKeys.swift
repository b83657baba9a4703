import AppleIdentity
import Crypto
import Foundation
import SignInWithApple

/// The keys of the audit log, derived from the sealing keys: the first one signs, all of them verify.
public struct AuditKeys: Sendable {
    private let keys: [SymmetricKey]

    /// Derives the keys.
    ///
    /// - Parameter sealer: the sealing keys.
    public init(_ sealer: TokenSealer) {
        keys = sealer.derivedKeys(for: "sign-in-with-apple audit 1")
    }

    /// An HMAC-SHA256 of some texts, by the first key.
    func code(of purpose: String, _ parts: [String?]) -> Data {
        let text = AuditText.joined([purpose] + parts)
        return Data(HMAC<SHA256>.authenticationCode(for: text, using: keys[0]))
    }

    /// Whether one of the keys gives that code.
    func isCode(_ code: Data, of purpose: String, _ parts: [String?]) -> Bool {
        let text = AuditText.joined([purpose] + parts)
        return keys.contains {
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: text, using: $0)
        }
    }

    /// Whether the first key gives that code, so that the others can be dropped.
    func isCurrent(_ code: Data, of purpose: String, _ parts: [String?]) -> Bool {
        let text = AuditText.joined([purpose] + parts)
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: text, using: keys[0])
    }
}

extension AuditKeys: Hashable {
    /// Compares the keys.
    public static func == (first: AuditKeys, second: AuditKeys) -> Bool {
        first.keys == second.keys
    }

    /// Hashes how many there are: a key is for no table.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(keys.count)
    }
}

extension AuditKeys: CustomStringConvertible, CustomReflectable {
    /// A word that says nothing about the keys.
    public var description: String { "(audit keys)" }

    /// A mirror without the keys, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Texts as bytes that no other list of texts has.
enum AuditText {
    /// Each text behind its length; a missing one is unlike an empty one.
    static func joined(_ parts: [String?]) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + ($1?.utf8.count ?? 0) + 4 })
        for part in parts {
            guard let part else {
                bytes.append(UInt8(ascii: "-"))
                continue
            }
            bytes.append(contentsOf: "\(part.utf8.count):".utf8)
            bytes.append(contentsOf: part.utf8)
        }
        return Data(bytes)
    }

    static func hash(_ parts: [String?]) -> Data { Data(SHA256.hash(data: joined(parts))) }
}
