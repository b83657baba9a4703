import AppleIdentity
import Crypto
import CryptoExtras
import Foundation
import SignedTokens

/// A way to make an identity token without Apple's key.
enum Forgery: Hashable, Sendable {
    /// Apple's signature of other claims stays under the changed ones.
    case keptSignature
    /// There is no signature, under the header of one that there is.
    case missingSignature
    /// Signed by an own key under the name of one of Apple's.
    case foreignKey
    /// Signed by an own key that the header brings along.
    case embeddedKey(EmbeddedKey)
    /// Signed by an own key under a name that Apple does not publish.
    case unknownKey
    /// `alg` says that there is no signature, in one of its spellings.
    case unsigned(String)
    /// An HMAC with Apple's public key as the secret.
    case publicKeyAsSecret(PublicKeySecret)
}

/// How a header brings a key along.
///
/// Source: [RFC 7515, section 4.1](https://www.rfc-editor.org/rfc/rfc7515#section-4.1)
enum EmbeddedKey: CaseIterable, Hashable, Sendable {
    /// As `jwk`, with the same name in both places.
    case named
    /// As `jwk`, under the name of one of Apple's keys.
    case underApplesName
    /// As `jwk`, without a name.
    case unnamed
    /// As the certificate of `x5c`.
    case certificate
    /// As the address of a key set, `jku`.
    case address
}

/// The texts and bytes that stand for a public key in servers and libraries.
enum PublicKeySecret: CaseIterable, Hashable, Sendable {
    case pem, pemWithoutNewline, pkcs1PEM, pkcs1PEMWithoutNewline, der, pkcs1DER
    /// The number itself, and as the key set has it.
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

    /// OpenSSL, Python and Node end the last line, and others do not.
    private static func lines(_ pem: String, isEnded: Bool) -> Data {
        let text = pem.trimmingCharacters(in: .newlines)
        return Data((isEnded ? text + "\n" : text).utf8)
    }
}

/// Makes identity tokens without Apple's key.
struct ForgedToken {
    let claims: JSONObject
    /// One of Apple's published keys.
    let applesKey: JSONObject
    /// A token that Apple signed; its signature is good for its own claims alone.
    let genuine: String?
    /// An own key, and where a key set with it is published.
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
            throw CheckError("a token can't be forged: \(error)", hint: "run the check again")
        }
    }

    /// The name of Apple's key, under which the own one is published for `jku`.
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

    /// A library that takes whichever algorithm the header names uses the public key as text.
    private func hashed(_ secret: PublicKeySecret) throws -> String {
        guard let modulus = applesKey["n"]?.stringValue.flatMap({ Base64URL.decode($0) }),
            let exponent = applesKey["e"]?.stringValue.flatMap({ Base64URL.decode($0) })
        else { throw CheckError("Apple's keys can't be read", hint: "start the emulator again") }
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
