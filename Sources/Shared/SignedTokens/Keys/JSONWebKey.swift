import AppleIdentity
import Crypto
import CryptoExtras
import Foundation

/// A public key in JSON.
///
/// Source: [RFC 7517](https://www.rfc-editor.org/rfc/rfc7517),
/// [Apple's JWKSet.Keys](https://developer.apple.com/documentation/signinwithapplerestapi/jwkset/keys-data.dictionary)
package struct JSONWebKey: Hashable, Sendable, Codable {
    /// The minimum size of an RSA modulus, in bits.
    package static let minimumModulusBitCount = 2048
    /// The maximum size of an RSA modulus, in bits: a larger key would only cost time.
    package static let maximumModulusBitCount = 8192

    /// The type of the key: `RSA` or `EC`.
    package var keyType: String
    package var keyID: String?
    package var use: String?
    /// The permitted operations; nil if unknown.
    package var operations: [String]?
    /// The algorithm; nil if unknown.
    package var algorithm: String?
    package var modulus: String?
    package var exponent: String?
    package var curve: String?
    /// The point's first coordinate in base64url.
    package var x: String?
    /// The point's second coordinate in base64url.
    package var y: String?

    enum CodingKeys: String, CodingKey {
        case keyType = "kty"
        case keyID = "kid"
        case use
        case operations = "key_ops"
        case algorithm = "alg"
        case modulus = "n"
        case exponent = "e"
        case curve = "crv"
        case x
        case y
    }

    init(_ key: JSONFields) throws(JSONFieldError) {
        func text(_ name: CodingKeys) throws(JSONFieldError) -> String? {
            try key.optionalText(name.rawValue)
        }
        keyType = try key.text(CodingKeys.keyType.rawValue)
        keyID = try text(.keyID)
        use = try text(.use)
        operations = try key.optionalTexts(CodingKeys.operations.rawValue)
        algorithm = try text(.algorithm)
        modulus = try text(.modulus)
        exponent = try text(.exponent)
        curve = try text(.curve)
        x = try text(.x)
        y = try text(.y)
    }

    /// Describes an RSA key in the form of Apple's keys.
    package init(_ key: _RSA.Signing.PublicKey, keyID: String) throws {
        let primitives = try key.getKeyPrimitives()
        keyType = "RSA"
        self.keyID = keyID
        use = "sig"
        algorithm = SignatureAlgorithm.rs256.rawValue
        modulus = Base64URL.encode(primitives.modulus)
        exponent = Base64URL.encode(primitives.publicExponent)
    }

    /// Describes a key on P-256.
    ///
    /// Source: [RFC 7518, section 6.2.1](https://www.rfc-editor.org/rfc/rfc7518#section-6.2.1)
    package init(_ key: P256.Signing.PublicKey, keyID: String) {
        let point = key.rawRepresentation
        keyType = "EC"
        self.keyID = keyID
        use = "sig"
        algorithm = SignatureAlgorithm.es256.rawValue
        curve = "P-256"
        x = Base64URL.encode(point.prefix(32))
        y = Base64URL.encode(point.suffix(32))
    }

    /// Parses the key for the verification of signatures.
    ///
    /// - Returns: the parsed key, to be cached.
    /// - Throws: ``SignedTokenError/unusableKey(reason:)`` if the key is for another purpose,
    ///   of an unknown type, too small or malformed.
    package func verificationKey() throws(SignedTokenError) -> VerificationKey {
        try checkPurpose()
        switch keyType {
        case "RSA": return try rsaKey()
        case "EC": return try p256Key()
        default: throw .unusableKey(reason: "its type is neither RSA nor EC")
        }
    }

    private func checkPurpose() throws(SignedTokenError) {
        // RFC 7517, sections 4.2 and 4.3: a key for encryption must not verify signatures.
        // https://www.rfc-editor.org/rfc/rfc7517#section-4.2
        guard use == nil || use == "sig" else {
            throw .unusableKey(reason: "its \"use\" is not \"sig\"")
        }
        guard operations == nil || operations?.contains("verify") == true else {
            throw .unusableKey(reason: "its \"key_ops\" do not include \"verify\"")
        }
    }

    private func require(algorithm expected: SignatureAlgorithm) throws(SignedTokenError) {
        guard algorithm == nil || algorithm == expected.rawValue else {
            throw .unusableKey(reason: "its \"alg\" is not \(expected.rawValue)")
        }
    }

    private func rsaKey() throws(SignedTokenError) -> VerificationKey {
        try require(algorithm: .rs256)
        guard let modulus = modulus.flatMap(Base64URL.decode),
            let exponent = exponent.flatMap(Base64URL.decode)
        else { throw .unusableKey(reason: "its modulus or exponent is not base64url") }
        let bitCount = modulus.count * 8
        guard (Self.minimumModulusBitCount...Self.maximumModulusBitCount).contains(bitCount),
            modulus.first.map({ $0 >= 0x80 }) == true
        else { throw .unusableKey(reason: "its modulus must have 2048 to 8192 bits") }
        // An even exponent, or 1, is not an RSA exponent; one above 32 bits only costs time.
        guard exponent.count <= 4, let last = exponent.last, last & 1 == 1, exponent != Data([1])
        else { throw .unusableKey(reason: "its exponent must be odd and greater than 1") }
        do {
            return VerificationKey(try _RSA.Signing.PublicKey(n: modulus, e: exponent))
        } catch {
            throw .unusableKey(reason: "its modulus and exponent are not a valid RSA key")
        }
    }

    private func p256Key() throws(SignedTokenError) -> VerificationKey {
        try require(algorithm: .es256)
        guard curve == "P-256" else { throw .unusableKey(reason: "its curve is not P-256") }
        guard let x = x.flatMap(Base64URL.decode), x.count == 32,
            let y = y.flatMap(Base64URL.decode), y.count == 32
        else { throw .unusableKey(reason: "its coordinates must have 32 bytes each") }
        do {
            return VerificationKey(try P256.Signing.PublicKey(rawRepresentation: x + y))
        } catch {
            throw .unusableKey(reason: "its point is not on the curve")
        }
    }
}
