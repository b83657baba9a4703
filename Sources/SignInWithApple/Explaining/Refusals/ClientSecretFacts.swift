import AppleIdentity
import Foundation
import SignedTokens

/// What a client secret says, read back from the secret that was really sent.
struct ClientSecretFacts {
    let keyID: String?
    let issuer: String?
    let subject: String?
    let audience: String?
    let issuedAt: Date?
    let expirationTime: Date?

    /// Reads a secret; nil when it is no compact JWS with claims.
    init?(_ secret: String) {
        guard let token = try? UnverifiedToken(secret),
            let claims = try? JSONValue(parsing: token.unverifiedPayload).objectValue
        else { return nil }
        keyID = token.header.keyID
        issuer = claims["iss"]?.stringValue
        subject = claims["sub"]?.stringValue
        audience = claims["aud"]?.stringValue
        issuedAt = Self.time(claims["iat"])
        expirationTime = Self.time(claims["exp"])
    }

    private static func time(_ value: JSONValue?) -> Date? {
        value?.integerValue.map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }
}
