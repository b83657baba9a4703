import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignedTokens

/// What the console's tour does in place of an app and its server.
extension AppleEmulator {
    /// How long the client secret of the tour is good for, in seconds.
    private static let secretSeconds = 300

    package func tourFacts() -> TourFacts {
        TourFacts(currentState, isNamedWorld: configuration.worldTag != nil)
    }

    /// Signs the tour's person in on a device with a hidden address, and exchanges the code as the
    /// app's server would.
    package func playSignIn(
        withBrokenSecret isSecretBroken: Bool
    ) async throws(ControlRefusal) -> TourOutcome {
        let facts = tourFacts()
        guard let clientID = facts.clientID, let visitor = facts.visitor else {
            throw .notFound("client_id", "there is no app, or nobody who could sign in to it")
        }
        let secret = try clientSecret(for: clientID, isBroken: isSecretBroken)
        let credential = try await credentials(
            for: visitor.email,
            ["client_id": .string(clientID), "scopes": ["name", "email"], "email": "hide"]
        )
        var form = URLComponents()
        form.queryItems = [
            URLQueryItem(name: "client_id", value: clientID),
            URLQueryItem(name: "client_secret", value: secret),
            URLQueryItem(name: "grant_type", value: "authorization_code"),
            URLQueryItem(name: "code", value: credential["authorization_code"]?.stringValue),
        ]
        let request = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "localhost",
            path: ApplePath.token,
            headerFields: [
                .contentType: "application/x-www-form-urlencoded", .userAgent: "siwa-console",
            ]
        )
        let answer = await respond(to: request, body: Data((form.percentEncodedQuery ?? "").utf8))
        return TourOutcome(answer, reason: requests().last?["reason"]?.stringValue)
    }

    private func clientSecret(
        for clientID: String,
        isBroken: Bool
    ) throws(ControlRefusal) -> String {
        let client = try currentState.registry.require(clientID)
        let key = TourFacts.key(of: client, in: currentState.registry)
        guard let key, let pem = key.privateKeyPEM else {
            throw .notFound("key_id", "the team of \(clientID) has no key with a private half here")
        }
        let now = Int(currentState.clock.now.timeIntervalSince1970)
        let header: JSONObject = ["alg": "ES256", "kid": .string(key.keyID.rawValue)]
        let claims: JSONObject = [
            "iss": .string(key.teamID.rawValue), "iat": .integer(now),
            "exp": .integer(now + Self.secretSeconds),
            "aud": .string(currentState.switches.issuer), "sub": .string(clientID),
        ]
        do {
            let pair = try P256.Signing.PrivateKey(pemRepresentation: pem)
            return try SigningKey(isBroken ? P256.Signing.PrivateKey() : pair)
                .sign(header: Data(header.text.utf8), payload: Data(claims.text.utf8))
        } catch {
            throw .wrong("key_id", "can't sign: \(error)")
        }
    }
}
