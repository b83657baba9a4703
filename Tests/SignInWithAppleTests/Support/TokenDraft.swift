import AppleIdentity
import Crypto
import CryptoExtras
import Foundation
import SignedTokens

/// A valid identity token in parts, so that a test can change exactly one of them.
struct TokenDraft {
    static let clientID: ClientID = "com.example.juice"
    static let issuer = "https://appleid.apple.com"

    var header: JSONObject
    var claims: JSONObject

    init(at now: Date, keyID: String = TestKey.first.keyID) {
        let issuedAt = Int(now.timeIntervalSince1970)
        header = ["kid": .string(keyID), "alg": "RS256"]
        claims = [
            "iss": .string(Self.issuer),
            "aud": .string(Self.clientID.rawValue),
            "exp": .integer(issuedAt + 86_400),
            "iat": .integer(issuedAt),
            "sub": "000123.0123456789abcdef0123456789abcdef.0123",
            "email": "maya@example.com",
            "email_verified": true,
            "auth_time": .integer(issuedAt),
            "nonce_supported": true,
        ]
    }

    func with(_ claim: String, _ value: JSONValue?) -> TokenDraft {
        var draft = self
        draft.claims[claim] = value
        return draft
    }

    func withHeader(_ member: String, _ value: JSONValue?) -> TokenDraft {
        var draft = self
        draft.header[member] = value
        return draft
    }

    func signed(by key: TestKey = .first) throws -> String {
        try key.signingKey.sign(header: header.data, payload: claims.data)
    }
}

/// An RSA key that signs and is published like Apple's, created once for all tests.
struct TestKey: Sendable {
    let keyID: String
    let privateKey: _RSA.Signing.PrivateKey

    static let first = TestKey("AppleKeyN1")
    static let second = TestKey("AppleKeyN2")

    private init(_ keyID: String) {
        self.keyID = keyID
        do {
            privateKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        } catch {
            preconditionFailure("no RSA key could be made: \(error)")
        }
    }

    var signingKey: SigningKey { SigningKey(privateKey) }

    func published(as keyID: String? = nil) throws -> JSONWebKey {
        try JSONWebKey(privateKey.publicKey, keyID: keyID ?? self.keyID)
    }
}

/// The body that Apple posts with a notification.
func notificationBody(_ token: String) -> Data {
    JSONObject([.init(name: "payload", value: .string(token))]).data
}
