import AppleIdentity
import Foundation
import SignedTokens

extension ClientSecretKey {
    /// The longest life that Apple accepts for a client secret.
    public static let maximumLifetime = Duration.seconds(15_777_000)

    /// Makes a client secret for use outside this library, which makes its own when needed.
    ///
    /// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
    ///
    /// - Parameters:
    ///   - clientID: the bundle identifier or Services ID it speaks for.
    ///   - lifetime: how long it is good for, in whole seconds, at most ``maximumLifetime``.
    /// - Returns: a compact JWS.
    /// - Throws: `configuration_invalid` for a life Apple would refuse.
    public func clientSecret(
        for clientID: ClientID,
        lifetime: Duration = .seconds(600)
    ) throws(SignInError) -> String {
        try clientSecret(
            for: clientID,
            lifetime: lifetime,
            audience: AppleService.appleIssuer,
            at: TimeSource.live.now
        )
    }

    func clientSecret(
        for clientID: ClientID,
        lifetime: Duration,
        audience: String,
        at now: Date
    ) throws(SignInError) -> String {
        guard (.seconds(1)...Self.maximumLifetime).contains(lifetime) else {
            throw SignInError(
                .configurationInvalid,
                hint: "Apple accepts a client secret's life of 1 to "
                    + "\(Self.maximumLifetime.wholeSeconds) seconds"
            )
        }
        let issuedAt = Int(now.timeIntervalSince1970)
        let header: JSONObject = ["alg": "ES256", "kid": .string(keyID.rawValue)]
        let claims: JSONObject = [
            "iss": .string(teamID.rawValue),
            "iat": .integer(issuedAt),
            "exp": .integer(issuedAt + lifetime.wholeSeconds),
            "aud": .string(audience),
            "sub": .string(clientID.rawValue),
        ]
        guard let secret = try? signingKey.sign(header: header.data, payload: claims.data) else {
            throw .unusableKey("the key could not sign")
        }
        return secret
    }
}
