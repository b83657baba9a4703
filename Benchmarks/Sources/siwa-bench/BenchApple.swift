import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import SignInWithApple

/// The least of Apple that verifying needs: three keys, and tokens signed with one of them.
struct BenchApple: Sendable {
    static let clientID = "com.example.juice"
    static let issuer = "https://appleid.apple.com"

    /// How many keys Apple publishes.
    static let keyCount = 3

    private let keys: [_RSA.Signing.PrivateKey]

    init() throws {
        keys = try (0..<Self.keyCount).map { _ in try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    }

    private static func keyID(_ index: Int) -> String { String(format: "BENCH%05d", index) }

    /// A key set as Apple publishes it; beyond three, the same keys come again by other names.
    func keySetJSON(keyCount: Int = keyCount) throws -> String {
        let entries = try (0..<keyCount).map { index in
            let numbers = try keys[index % keys.count].publicKey.getKeyPrimitives()
            return """
                {"kty":"RSA","kid":"\(Self.keyID(index))","use":"sig","alg":"RS256",\
                "n":"\(Self.base64URL(numbers.modulus))","e":"\(Self.base64URL(numbers.publicExponent))"}
                """
        }
        return "{\"keys\":[" + entries.joined(separator: ",") + "]}"
    }

    /// The library, set up for this Apple.
    ///
    /// - Parameters:
    ///   - clientCount: how many clients are accepted.
    ///   - keyCount: how many keys are published.
    /// - Returns: the client; it fetches the keys at its first use.
    func signIn(clientCount: Int = 1, keyCount: Int = keyCount) -> AppleSignIn {
        let others = (1..<clientCount).map { ClientID("com.example.other\($0)") }
        return AppleSignIn(
            configuration: AppleSignIn.Configuration(appIDs: [.init(Self.clientID)] + others),
            transport: transport(keyCount: keyCount)
        )
    }

    /// The key that signs: the one in the middle.
    var publicKey: _RSA.Signing.PublicKey { keys[1].publicKey }

    /// A transport that answers with the key set, whatever is asked.
    func transport(keyCount: Int = keyCount) -> AppleTransport {
        AppleTransport { _, _ in
            let answer = Data(try keySetJSON(keyCount: keyCount).utf8)
            var response = HTTPResponse(status: .ok)
            response.headerFields[.contentType] = "application/json;charset=UTF-8"
            response.headerFields[.cacheControl] = "max-age=86400"
            return .init(head: response, body: answer)
        }
    }

    /// A signed identity token with the claims Apple sends, about 950 bytes.
    ///
    /// - Parameters:
    ///   - number: which person.
    ///   - nonce: what the token is bound to by its SHA-256.
    ///   - code: the authorization code that came with it.
    /// - Returns: the compact token.
    /// - Throws: what the cryptographic library throws when it can't sign.
    func token(
        person number: Int,
        nonce: String? = nil,
        code: String = "c0ffee.0.bench"
    ) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let claims = """
            {"iss":"\(Self.issuer)","aud":"\(Self.clientID)","exp":\(now + 86_400),"iat":\(now),\
            "sub":"001234.\(Self.scattered(number))0123456789abcdef.0123",\
            "c_hash":"\(Self.base64URL(Data(SHA256.hash(data: Data(code.utf8)).prefix(16))))",\
            \(nonce.map { "\"nonce\":\"\(Self.hexadecimalSHA256(of: $0))\"," } ?? "")\
            "email":"person\(number)@example.com",\
            "email_verified":true,"auth_time":\(now),"nonce_supported":true,"real_user_status":2}
            """
        let header = "{\"kid\":\"\(Self.keyID(1))\",\"alg\":\"RS256\"}"
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

    /// People of Apple's do not follow one another; by Fibonacci hashing, no two are the same.
    private static func scattered(_ number: Int) -> String {
        String(format: "%016lx", UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    }

    private static func hexadecimalSHA256(of text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    static func base64URL(_ data: Data) -> String {
        data.base64EncodedString()
            .replacing("+", with: "-")
            .replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
