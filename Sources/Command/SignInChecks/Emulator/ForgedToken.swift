import AppleIdentity
import Crypto
import CryptoExtras
import Foundation
import SignedTokens

/// A way to forge an identity token without Apple's key.
enum Forgery: Hashable, Sendable {
    /// Apple's signature of other claims.
    case keptSignature
    /// An empty signature, with a header that names one.
    case missingSignature
    /// Signed with the attacker's own key under the `kid` of one of Apple's.
    case foreignKey
    /// Signed with the attacker's own key, which the header supplies.
    case embeddedKey(EmbeddedKey)
    /// Signed with the attacker's own key under a `kid` that Apple does not publish.
    case unknownKey
    /// `alg` is `none`, in one of its spellings.
    case unsigned(String)
    /// An HMAC with Apple's public key as the secret.
    case publicKeyAsSecret(PublicKeySecret)
}

/// How a header supplies a key.
///
/// Source: [RFC 7515, section 4.1](https://www.rfc-editor.org/rfc/rfc7515#section-4.1)
enum EmbeddedKey: CaseIterable, Hashable, Sendable {
    /// As `jwk`, with the same `kid` in both places.
    case named
    /// As `jwk`, with the `kid` of one of Apple's keys.
    case underApplesName
    /// As `jwk`, without a `kid`.
    case unnamed
    /// As the certificate of `x5c`.
    case certificate
    /// As the URL of a key set, `jku`.
    case address
}

/// The representations of a public key in servers and libraries.
enum PublicKeySecret: CaseIterable, Hashable, Sendable {
    case pem, pemWithoutNewline, pkcs1PEM, pkcs1PEMWithoutNewline, der, pkcs1DER
    /// The bytes of the modulus, and its text in the key set.
    case modulus, modulusText

    func bytes(of key: _RSA.Signing.PublicKey, modulus: Data) -> Data {
        switch self {
        case .pem: Self.lines(key.pemRepresentation, isEnded: true)
        case .pemWithoutNewline: Self.lines(key.pemRepresentation, isEnded: false)
        case .pkcs1PEM: Self.lines(key.pkcs1PEMRepresentation, isEnded: true)
        case .pkcs1PEMWithoutNewline: Self.lines(key.pkcs1PEMRepresentation, isEnded: false)
        case .der: key.derRepresentation
        case .pkcs1DER: key.pkcs1DERRepresentation
        case .modulus: modulus
        case .modulusText: Data(Base64URL.encode(modulus).utf8)
        }
    }

    /// OpenSSL, Python and Node write a newline at the end, others do not.
    private static func lines(_ pem: String, isEnded: Bool) -> Data {
        let text = pem.trimmingCharacters(in: .newlines)
        return Data((isEnded ? text + "\n" : text).utf8)
    }
}

/// Forges identity tokens without Apple's key.
struct ForgedToken {
    let claims: JSONObject
    /// One of Apple's published keys.
    let applesKey: JSONObject
    /// A token that Apple signed; its signature is valid only for its own claims.
    let genuine: String?
    /// The attacker's own key, and the URL of a key set with it.
    let own: OwnKey
    let now: Date

    func make(_ forgery: Forgery) throws(CheckError) -> String {
        do {
            switch forgery {
            case .unsigned(let name): return input(["alg": .string(name), "kid": keyID]) + "."
            case .publicKeyAsSecret(let secret): return try hashed(secret)
            case .keptSignature: return input(rightHeader) + "." + (keptSignature ?? "AAAA")
            case .missingSignature: return input(rightHeader) + "."
            case .foreignKey: return try own.sign(rightHeader, claims)
            case .unknownKey: return try own.sign(own.header, claims)
            case .embeddedKey(let place): return try own.sign(header(embedding: place), claims)
            }
        } catch {
            throw CheckError("can't forge a token: \(error)", hint: "run the check again")
        }
    }

    /// The `kid` of Apple's key, under which the attacker's own key is published for `jku`.
    var keyID: JSONValue { applesKey["kid"] ?? "" }
    private var rightHeader: JSONObject { ["kid": keyID, "alg": "RS256"] }
    private var keptSignature: Substring? { genuine?.split(separator: ".").last }

    private func input(_ header: JSONObject) -> String {
        SigningKey.signingInput(header: header.data, payload: claims.data)
    }

    private func header(embedding place: EmbeddedKey) throws -> JSONObject {
        var header = place == .named ? own.header : rightHeader
        switch place {
        case .named, .underApplesName: header["jwk"] = .object(own.published(as: header["kid"]))
        case .unnamed:
            header["kid"] = nil
            header["jwk"] = .object(own.published(as: nil))
        case .certificate: header["x5c"] = [.string(try own.certificate(at: now))]
        case .address: header["jku"] = .string(own.keySetAddress)
        }
        return header
    }

    /// Signs as HS256, for libraries that trust the header's algorithm and use the public key as the secret.
    private func hashed(_ secret: PublicKeySecret) throws -> String {
        guard let modulus = applesKey["n"]?.stringValue.flatMap({ Base64URL.decode($0) }),
            let exponent = applesKey["e"]?.stringValue.flatMap({ Base64URL.decode($0) })
        else { throw CheckError("Apple's keys are unreadable", hint: "start the emulator again") }
        let key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
        let input = input(["kid": keyID, "alg": "HS256"])
        let bytes = secret.bytes(of: key, modulus: Data(modulus))
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(input.utf8),
            using: SymmetricKey(data: bytes)
        )
        return input + "." + Base64URL.encode(Data(code))
    }
}
