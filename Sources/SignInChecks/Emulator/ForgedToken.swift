import AppleIdentity
import Crypto
import CryptoExtras
import Foundation
import SignedTokens

/// A way to make an identity token without Apple's key.
enum Forgery: Sendable {
    /// Apple's signature of other claims stays under the changed ones.
    case keptSignature
    /// Signed by an own key under the name of one of Apple's.
    case foreignKey
    /// Signed by an own key that the header brings along.
    case embeddedKey
    /// Signed by an own key under a name that Apple does not publish.
    case unknownKey
    /// `alg` is `none`, and there is no signature.
    case unsigned
    /// An HMAC with Apple's public key as the secret.
    case publicKeyAsSecret
}

/// Makes identity tokens without Apple's key.
struct ForgedToken {
    let claims: JSONObject
    /// One of Apple's published keys.
    let applesKey: JSONObject
    /// A token that Apple signed; its signature is good for its own claims alone.
    let genuine: String?

    func make(_ forgery: Forgery) throws(CheckError) -> String {
        do {
            switch forgery {
            case .unsigned: return input(["alg": "none", "kid": keyID]) + "."
            case .publicKeyAsSecret: return try hashed()
            case .keptSignature: return input(rightHeader) + "." + (keptSignature ?? "AAAA")
            case .foreignKey, .embeddedKey, .unknownKey: return try signed(forgery)
            }
        } catch {
            throw CheckError("a token can't be forged: \(error)", hint: "run the check again")
        }
    }

    private var keyID: JSONValue { applesKey["kid"] ?? "" }
    private var rightHeader: JSONObject { ["kid": keyID, "alg": "RS256"] }
    private var keptSignature: Substring? { genuine?.split(separator: ".").last }

    private func input(_ header: JSONObject) -> String {
        SigningKey.signingInput(header: header.data, payload: claims.data)
    }

    private func signed(_ forgery: Forgery) throws -> String {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        var header = rightHeader
        switch forgery {
        case .unknownKey: header["kid"] = "CHECKCHECK"
        case .embeddedKey:
            header["kid"] = "CHECKCHECK"
            let published = try JSONWebKey(key.publicKey, keyID: "CHECKCHECK")
            header["jwk"] = [
                "kty": "RSA", "kid": "CHECKCHECK", "n": .string(published.modulus ?? ""),
                "e": .string(published.exponent ?? ""),
            ]
        default: break
        }
        return try SigningKey(key).sign(header: header.data, payload: claims.data)
    }

    /// A library that takes whichever algorithm the header names uses the public key as text.
    private func hashed() throws -> String {
        guard let modulus = applesKey["n"]?.stringValue.flatMap({ Base64URL.decode($0) }),
            let exponent = applesKey["e"]?.stringValue.flatMap({ Base64URL.decode($0) })
        else { throw CheckError("Apple's keys can't be read", hint: "start the emulator again") }
        let key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
        let input = input(["kid": keyID, "alg": "HS256"])
        let secret = SymmetricKey(data: Data(key.pemRepresentation.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: secret)
        return input + "." + Base64URL.encode(Data(code))
    }
}
