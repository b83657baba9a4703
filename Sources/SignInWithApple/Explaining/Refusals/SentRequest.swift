import AppleIdentity
import Foundation
import SignedTokens

/// What was sent to Apple, as far as it can tell why Apple refused.
struct SentRequest: Sendable {
    enum Purpose: Sendable {
        case code(SentCode)
        case token(String)
        case migrationToken
        case transferIdentifier
        case migratedUser
    }

    let purpose: Purpose
    let client: ClientCredentials
    /// The audience that Apple expects in a client secret.
    let audience: String
    /// Which clients are Services IDs; nil when nobody said.
    var servicesIDs: Set<ClientID>?
    /// What was sent before, and what Apple granted.
    var history = SentHistory()
    /// The time by this server's clock.
    let time: Date

    /// Why Apple may have refused, the likeliest first.
    func causes(of refusal: OAuthErrorResponse, appleTime: Date?) -> [RefusalCause] {
        switch refusal.error {
        case .invalidClient: clientCauses(appleTime: appleTime)
        case .invalidGrant: grantCauses(AppleSentence(refusal.errorDescription))
        case .invalidRequest: requestCauses
        default: []
        }
    }

    func cause(
        _ code: RefusalCause.Code,
        isEvident: Bool = false,
        _ facts: [String: String] = [:]
    ) -> RefusalCause {
        let secret = ClientSecretFacts(client.secret)
        let issuer = secret?.text("iss") ?? ""
        let known = [
            "app": Excerpt.quoting(client.clientID.rawValue),
            "apple": audience,
            "audience": Excerpt.quoting(secret?.text("aud") ?? ""),
            "key": Excerpt.quoting(secret?.keyID ?? ""),
            "other": "",
            "subject": Excerpt.quoting(secret?.text("sub") ?? ""),
            "team": issuer.isEmpty ? "this team" : "team \(Excerpt.quoting(issuer))",
        ]
        let all = known.merging(facts) { _, fact in fact }
        return RefusalCause(code, isEvident: isEvident, facts: all)
    }
}

/// An authorization code that was sent, and what is known of its way.
struct SentCode: Sendable {
    let text: String
    let redirectURI: String?
    /// When it was there at the latest; nil when nobody said.
    let receivedAt: Date?
    /// The first of earlier sendings.
    let sentBefore: SentHistory.Sending?
}

/// What a client secret says, read back from the secret that was really sent.
struct ClientSecretFacts {
    let keyID: String
    private let claims: JSONObject

    /// Reads a secret; nil when it is no compact JWS with claims.
    init?(_ secret: String) {
        guard let token = try? UnverifiedToken(secret),
            let claims = try? JSONObject(parsing: token.unverifiedPayload)
        else { return nil }
        keyID = token.header.keyID ?? ""
        self.claims = claims
    }

    func text(_ name: String) -> String { claims[name]?.stringValue ?? "" }

    func time(_ name: String) -> Date? {
        claims[name]?.integerValue.map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }
}
