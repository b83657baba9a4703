import AppleIdentity
import Crypto
import Foundation
import SignedTokens

/// Seals secrets that must be read again later, with AES-256-GCM.
///
/// A sealed text is `keyID.base64url(nonce, cipher text, tag)`. The first key seals, all keys open: to
/// rotate, put a new key in front; leave the old one until nothing sealed with it is left.
public struct TokenSealer: Sendable {
    /// How many keys may be configured.
    public static let maximumKeyCount = 16
    /// How long a key's name may be, in characters.
    public static let maximumKeyIDCharacterCount = 32

    static let keyByteCount = 32

    private let sealingKeyID: String
    private let keys: [String: SymmetricKey]

    /// Reads the keys.
    ///
    /// - Parameter text: `id:base64,id:base64`, each key of 32 bytes; the first seals, all open.
    /// - Throws: `SealingError` that names the entry at fault, never a key.
    public init(keys text: String) throws(SealingError) {
        let entries = text.split(separator: ",", omittingEmptySubsequences: false)
        guard entries.count <= Self.maximumKeyCount else {
            throw SealingError(.keysMalformed, "more than \(Self.maximumKeyCount) keys")
        }
        var keys: [String: SymmetricKey] = [:]
        var firstID: String?
        for (index, entry) in entries.enumerated() {
            let (identifier, key) = try Self.parse(entry, number: index + 1)
            guard keys.updateValue(key, forKey: identifier) == nil else {
                throw SealingError(.keysMalformed, "key name \(identifier) is there twice")
            }
            firstID = firstID ?? identifier
        }
        guard let firstID else { throw SealingError(.keysMalformed, "there is no key") }
        sealingKeyID = firstID
        self.keys = keys
    }

    init(_ key: SymmetricKey, name: String) {
        sealingKeyID = name
        keys = [name: key]
    }

    /// Makes the text of a new key, to be kept in the configuration, such as `SIWA_SEALING_KEYS`.
    ///
    /// - Parameter identifier: the key's name: letters, digits, `-` and `_`.
    /// - Returns: `id:base64`.
    public static func makeKey(identifier: String) -> String {
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        return "\(identifier):\(key.base64EncodedString())"
    }

    /// Seals a secret.
    ///
    /// - Parameters:
    ///   - secret: what to hide.
    ///   - context: what it is for; needed again for opening.
    /// - Returns: the sealed text, fit for a cookie or a column.
    /// - Throws: `SealingError`, which the cipher gives no reason to expect.
    public func seal(_ secret: Data, for context: SealingContext) throws(SealingError) -> String {
        do {
            let box = try AES.GCM.seal(
                secret,
                using: try key(named: sealingKeyID),
                authenticating: context.associatedData
            )
            guard let bytes = box.combined else {
                throw SealingError(.textInvalid, "the cipher gave no bytes")
            }
            return sealingKeyID + "." + Base64URL.encode(bytes)
        } catch let error as SealingError {
            throw error
        } catch {
            throw SealingError(.textInvalid, "sealing failed")
        }
    }

    /// Opens a sealed text.
    ///
    /// - Parameters:
    ///   - text: what ``seal(_:for:)`` gave.
    ///   - context: the context it was sealed for.
    /// - Returns: the secret.
    /// - Throws: `SealingError` when the key is missing or the text does not belong here.
    public func open(_ text: String, for context: SealingContext) throws(SealingError) -> Data {
        guard
            let dot = text.firstIndex(of: "."),
            let bytes = Base64URL.decode(String(text[text.index(after: dot)...]))
        else { throw SealingError(.textInvalid, "it is not of the form keyID.base64url") }
        let key = try key(named: String(text[..<dot]))
        do {
            let box = try AES.GCM.SealedBox(combined: bytes)
            return try AES.GCM.open(box, using: key, authenticating: context.associatedData)
        } catch {
            throw SealingError(.textInvalid, "it was altered or sealed for something else")
        }
    }

    /// Seals a text again that another key has sealed; nil when the first key has sealed it already.
    package func reseal(
        _ text: String,
        for context: SealingContext
    ) throws(SealingError) -> String? {
        let secret = try open(text, for: context)
        guard !text.hasPrefix(sealingKeyID + ".") else { return nil }
        return try seal(secret, for: context)
    }

    private func key(named identifier: String) throws(SealingError) -> SymmetricKey {
        guard let key = keys[identifier] else {
            throw SealingError(.keyUnknown, "the key that sealed it is not configured")
        }
        return key
    }

    private static func parse(
        _ entry: Substring,
        number: Int
    ) throws(SealingError) -> (identifier: String, key: SymmetricKey) {
        let parts = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw SealingError(.keysMalformed, "entry \(number) is not of the form id:base64")
        }
        let identifier = parts[0].trimmingCharacters(in: .whitespaces)
        guard isKeyID(identifier) else {
            throw SealingError(
                .keysMalformed,
                "entry \(number) has no name of 1 to \(maximumKeyIDCharacterCount) letters, digits, - or _"
            )
        }
        let encoded = parts[1].trimmingCharacters(in: .whitespaces)
        guard let bytes = Data(base64Encoded: encoded), bytes.count == keyByteCount else {
            throw SealingError(
                .keysMalformed,
                "entry \(number) (\(identifier)) is not base64 of \(keyByteCount) bytes; "
                    + "make one with: openssl rand -base64 \(keyByteCount)"
            )
        }
        return (identifier, SymmetricKey(data: bytes))
    }

    private static func isKeyID(_ text: String) -> Bool {
        (1...maximumKeyIDCharacterCount).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension TokenSealer: CustomStringConvertible, CustomReflectable {
    /// The sealing key's name only, so that no log ever shows a key.
    public var description: String { "sealer with key \(sealingKeyID)" }

    /// The keys' names only, so that no dump ever shows a key.
    public var customMirror: Mirror { Mirror(self, children: ["keyIDs": keys.keys.sorted()]) }
}

extension TokenSealer {
    /// Tells the derived key from any other that may be derived from the same one.
    private static let derivation = Data("sign-in-with-apple sealing key 1".utf8)

    /// Derives a sealing key from a signing key, so that whoever has one has the other.
    ///
    /// Source: [RFC 5869](https://www.rfc-editor.org/rfc/rfc5869)
    init(derivedFrom key: P256.Signing.PrivateKey, name: String) {
        let sealingKey = HKDF<SHA256>
            .deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.rawRepresentation),
                info: Self.derivation,
                outputByteCount: Self.keyByteCount
            )
        self.init(sealingKey, name: name)
    }
}

extension TokenSealer {
    /// Derives keys for another purpose than sealing, so that no key is used for two things.
    ///
    /// - Parameter purpose: a fixed sentence that no other purpose has.
    /// - Returns: a key of each sealing key, that of the one that seals first.
    ///
    /// Source: [RFC 5869](https://www.rfc-editor.org/rfc/rfc5869)
    package func derivedKeys(for purpose: String) -> [SymmetricKey] {
        let identifiers = [sealingKeyID] + keys.keys.filter { $0 != sealingKeyID }.sorted()
        return identifiers.compactMap { keys[$0] }.map { key in
            HKDF<SHA256>
                .deriveKey(
                    inputKeyMaterial: key,
                    info: Data(purpose.utf8),
                    outputByteCount: Self.keyByteCount
                )
        }
    }
}

/// Values nobody can guess, from the system's generator.
package enum SecureRandom {
    package static func bytes(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        // Each number is a call into the system: eight bytes of it are used, not one.
        while bytes.count < count {
            withUnsafeBytes(of: generator.next()) {
                bytes.append(contentsOf: $0.prefix(count - bytes.count))
            }
        }
        return bytes
    }

    package static func hexadecimal(byteCount: Int) -> String {
        Hexadecimal.encode(bytes(count: byteCount))
    }
}
