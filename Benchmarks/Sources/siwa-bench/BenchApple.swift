import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import SignInWithApple

/// The least of Apple that verifying needs: three keys, and tokens signed with one of them.
struct BenchApple: Sendable {
    static let clientID = "com.example.juice"
    static let issuer = "https://appleid.apple.com"

    private static let keyIDs = ["BENCH00001", "BENCH00002", "BENCH00003"]

    private let keys: [_RSA.Signing.PrivateKey]
    /// The key set as Apple publishes it.
    let keySetJSON: String

    init() throws {
        keys = try Self.keyIDs.map { _ in try _RSA.Signing.PrivateKey(keySize: .bits2048) }
        let entries = try zip(Self.keyIDs, keys).map { keyID, key in
            let numbers = try key.publicKey.getKeyPrimitives()
            return """
                {"kty":"RSA","kid":"\(keyID)","use":"sig","alg":"RS256",\
                "n":"\(Self.base64URL(numbers.modulus))","e":"\(Self.base64URL(numbers.publicExponent))"}
                """
        }
        keySetJSON = "{\"keys\":[" + entries.joined(separator: ",") + "]}"
    }

    /// The key that signs: the one in the middle.
    var publicKey: _RSA.Signing.PublicKey { keys[1].publicKey }

    /// A transport that answers with the key set, whatever is asked.
    var transport: AppleTransport {
        let answer = Data(keySetJSON.utf8)
        return AppleTransport { _, _ in
            var response = HTTPResponse(status: .ok)
            response.headerFields[.contentType] = "application/json;charset=UTF-8"
            response.headerFields[.cacheControl] = "max-age=86400"
            return (response, answer)
        }
    }

    /// A signed identity token with the claims Apple sends, about 950 bytes.
    ///
    /// - Parameter number: which person.
    /// - Returns: the compact token.
    /// - Throws: what the cryptographic library throws when it can't sign.
    func token(person number: Int) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let claims = """
            {"iss":"\(Self.issuer)","aud":"\(Self.clientID)","exp":\(now + 86_400),"iat":\(now),\
            "sub":"001234.0123456789abcdef0123456789abcdef.\(number)",\
            "c_hash":"LDktKdoQak3Pk0cnXxCltA","email":"person\(number)@example.com",\
            "email_verified":true,"auth_time":\(now),"nonce_supported":true,"real_user_status":2}
            """
        let header = "{\"kid\":\"\(Self.keyIDs[1])\",\"alg\":\"RS256\"}"
        let input = Self.base64URL(Data(header.utf8)) + "." + Self.base64URL(Data(claims.utf8))
        let digest = SHA256.hash(data: Data(input.utf8))
        let signature = try keys[1].signature(for: digest, padding: .insecurePKCS1v1_5)
        return input + "." + Self.base64URL(signature.rawRepresentation)
    }

    /// The bytes a token's signature is over, and the signature.
    static func parts(of token: String) throws -> (input: Data, signature: Data) {
        let parts = token.split(separator: ".")
        let standard = String(parts[2])
            .replacing("-", with: "+")
            .replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
        guard let signature = Data(base64Encoded: standard + padding) else {
            throw BenchError("the signature is not base64url")
        }
        return (Data((parts[0] + "." + parts[1]).utf8), signature)
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString()
            .replacing("+", with: "-")
            .replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
