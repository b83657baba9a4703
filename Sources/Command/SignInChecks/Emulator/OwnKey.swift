import AppleIdentity
import CryptoExtras
import Foundation
import SignedTokens
import SwiftASN1
import X509

/// The attacker's own key, which Apple does not publish.
struct OwnKey: Sendable {
    private static let name = "CHECKCHECK"

    private let key: _RSA.Signing.PrivateKey
    private let half: JSONWebKey
    let keySetAddress: String

    init(keySetAddress: String) throws(CheckError) {
        do {
            key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            half = try JSONWebKey(key.publicKey, keyID: Self.name)
            self.keySetAddress = keySetAddress
        } catch {
            throw CheckError("can't create a key: \(error)", hint: "run the check again")
        }
    }

    var header: JSONObject { ["kid": .string(Self.name), "alg": "RS256"] }

    /// The public key, as a member of a key set.
    func published(as keyID: JSONValue?) -> JSONObject {
        var object: JSONObject = [
            "kty": "RSA", "use": "sig", "alg": "RS256", "n": .string(half.modulus ?? ""),
            "e": .string(half.exponent ?? ""),
        ]
        object["kid"] = keyID
        return object
    }

    /// A key set with the public key under each name.
    func keySet(as keyIDs: [JSONValue]) -> JSONObject {
        ["keys": .array(keyIDs.map { .object(published(as: $0)) })]
    }

    func sign(_ header: JSONObject, _ claims: JSONObject) throws -> String {
        try SigningKey(key).sign(header: header.data, payload: claims.data)
    }

    /// A self-signed certificate, in the form of `x5c`.
    func certificate(at now: Date) throws -> String {
        let name = try DistinguishedName { CommonName("appleid.apple.com") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now - 86_400,
            notValidAfter: now + 86_400,
            issuer: name,
            subject: name,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions(),
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        return Data(try certificate.serializeAsPEM().derBytes).base64EncodedString()
    }
}
