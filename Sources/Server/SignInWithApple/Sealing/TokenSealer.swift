import AppleIdentity
import Crypto
import Foundation
import SignedTokens

/// Seals (encrypts) secrets with AES-256-GCM, and opens (decrypts) them again.
///
/// A sealed text is `keyID.base64url(nonce, ciphertext, tag)`. The first key encrypts, all keys
/// decrypt. To rotate, put a new key in front, and remove the old one when no text encrypted with it
/// is left.
public struct TokenSealer: Sendable {
    /// The maximum number of keys.
    package static let maximumKeyCount = 16
    /// The maximum length of a key's name, in characters.
    package static let maximumKeyIDCharacterCount = 32

    static let keyByteCount = 32

    package let sealingKeyID: String
    /// Whether the key is derived from a signing key.
    let isDerived: Bool
    private let sealingKey: SymmetricKey
    private let keys: [String: SymmetricKey]

    /// Reads the keys.
    ///
    /// - Parameter text: `id:base64,id:base64`, each key of 32 bytes; the first encrypts, all decrypt.
    /// - Throws: `SealingError` with the code `sealing_keys_malformed`; its hint names the wrong
    ///   entry, never a key.
    public init(keys text: String) throws(SealingError) {
        let entries = text.split(separator: ",", omittingEmptySubsequences: false)
        guard entries.count <= Self.maximumKeyCount else {
            throw SealingError(.keysMalformed, "more than \(Self.maximumKeyCount) keys")
        }
        var keys: [String: SymmetricKey] = [:]
        var first: (identifier: String, key: SymmetricKey)?
        for (index, entry) in entries.enumerated() {
            let (identifier, key) = try Self.parse(entry, number: index + 1)
            guard keys.updateValue(key, forKey: identifier) == nil else {
                throw SealingError(.keysMalformed, "the key name \(identifier) is repeated")
            }
            first = first ?? (identifier, key)
        }
        guard let first else { throw SealingError(.keysMalformed, "no key is configured") }
        (sealingKeyID, sealingKey) = first
        isDerived = false
        self.keys = keys
    }

    /// Creates a key for the list that ``init(keys:)`` reads.
    ///
    /// - Parameter identifier: the key's name, not validated: 1 to 32 letters, digits, `-` and `_`.
    /// - Returns: `id:base64`, as ``init(keys:)`` reads it.
    public static func makeKey(identifier: String) -> String {
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        return "\(identifier):\(key.base64EncodedString())"
    }

    /// Encrypts a secret.
    ///
    /// - Parameters:
    ///   - secret: the bytes to encrypt.
    ///   - context: the context, which ``open(_:for:)`` needs again.
    /// - Returns: the encrypted text, suitable for a cookie or a database column.
    public func seal(_ secret: Data, for context: SealingContext) -> String {
        let box = try? AES.GCM.seal(
            secret,
            using: sealingKey,
            authenticating: context.associatedData
        )
        guard let bytes = box?.combined else {
            preconditionFailure("AES-GCM fails only with a key of another length than 32 bytes")
        }
        return sealingKeyID + "." + Base64URL.encode(bytes)
    }

    /// Decrypts a sealed text.
    ///
    /// - Parameters:
    ///   - text: the result of ``seal(_:for:)``.
    ///   - context: the context it was encrypted for.
    /// - Returns: the secret.
    /// - Throws: `SealingError`: `sealing_key_unknown` if its key is not configured, and
    ///   `sealed_text_invalid` if the text was changed or encrypted for another context.
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
            throw SealingError(.textInvalid, "it was changed or encrypted for another context")
        }
    }

    /// Encrypts a text again with the first key; nil if the first key encrypted it.
    package func reseal(
        _ text: String,
        for context: SealingContext
    ) throws(SealingError) -> String? {
        let secret = try open(text, for: context)
        guard !text.hasPrefix(sealingKeyID + ".") else { return nil }
        return seal(secret, for: context)
    }

    private func key(named identifier: String) throws(SealingError) -> SymmetricKey {
        guard let key = keys[identifier] else {
            throw SealingError(.keyUnknown, "the key that encrypted it is not configured")
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
                "the name in entry \(number) must be 1 to \(maximumKeyIDCharacterCount) letters, digits, - or _"
            )
        }
        let encoded = parts[1].trimmingCharacters(in: .whitespaces)
        guard let bytes = Data(base64Encoded: encoded), bytes.count == keyByteCount else {
            throw SealingError(
                .keysMalformed,
                "entry \(number) (\(identifier)) is not base64 of \(keyByteCount) bytes; "
                    + "create one with: openssl rand -base64 \(keyByteCount)"
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
    /// The name of the encrypting key only: no log shows a key.
    public var description: String { "sealer with key \(sealingKeyID)" }

    /// The names of the keys only: no dump shows a key.
    public var customMirror: Mirror { Mirror(self, children: ["keyIDs": keys.keys.sorted()]) }
}

extension TokenSealer {
    /// Separates the derived key from others that may be derived from the same key.
    private static let derivation = Data("sign-in-with-apple sealing key 1".utf8)

    /// Derives an encryption key from a signing key: a server that has one has the other.
    ///
    /// Source: [RFC 5869](https://www.rfc-editor.org/rfc/rfc5869)
    init(derivedFrom key: P256.Signing.PrivateKey, name: String) {
        sealingKey = HKDF<SHA256>
            .deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.rawRepresentation),
                info: Self.derivation,
                outputByteCount: Self.keyByteCount
            )
        sealingKeyID = name
        isDerived = true
        keys = [name: sealingKey]
    }
}

extension TokenSealer {
    /// Encrypts a value as JSON for a cookie, whose size is limited.
    package func seal(json value: some Encodable, for context: SealingContext) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return seal(try encoder.encode(value), for: context)
    }

    /// Decrypts a value that was encrypted as JSON; nil for any other text.
    package func open<Value: Decodable>(json text: String, for context: SealingContext) -> Value? {
        (try? open(text, for: context)).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }
}

extension TokenSealer {
    /// Derives keys for a purpose other than sealing, because no key may serve two purposes.
    ///
    /// - Parameter purpose: a constant sentence that no other purpose has.
    /// - Returns: one key for each configured key, first that of the encrypting key.
    ///
    /// Source: [RFC 5869](https://www.rfc-editor.org/rfc/rfc5869)
    package func derivedKeys(for purpose: String) -> [SymmetricKey] {
        keyIDs.compactMap { keys[$0] }.map { key in
            HKDF<SHA256>
                .deriveKey(
                    inputKeyMaterial: key,
                    info: Data(purpose.utf8),
                    outputByteCount: Self.keyByteCount
                )
        }
    }

    /// The keys as `id=fingerprint`, first the encrypting key; a fingerprint does not reveal its key.
    package var fingerprints: [String] {
        zip(keyIDs, derivedKeys(for: "sealing key fingerprint 1")).map { identifier, key in
            let hash = key.withUnsafeBytes { Hexadecimal.encode($0.prefix(8)) }
            return "\(identifier)=\(hash)"
        }
    }

    private var keyIDs: [String] {
        [sealingKeyID] + keys.keys.filter { $0 != sealingKeyID }.sorted()
    }
}

/// Random values from the system's generator, which cannot be guessed.
package enum SecureRandom {
    package static func bytes(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        // Each number is a system call: use all eight bytes of it, not one.
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
