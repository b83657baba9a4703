import AppleIdentity
import Foundation
import SignedTokens

/// The facts about a request to Apple that can explain an error.
struct SentRequest: Sendable {
    enum Purpose: Sendable {
        case code(SentCode)
        case token(String)
        case migrationToken
        case transferIdentifier
        case migratedUser
        /// Only Apple's response is known.
        case unknown
    }

    let purpose: Purpose
    let client: ClientCredentials
    /// The audience that Apple expects in a client secret.
    let audience: String
    /// The clients that are Services IDs; nil if unknown.
    var servicesIDs: Set<ClientID>?
    /// The earlier requests, and what Apple accepted.
    var history = SentHistory()
    /// The time by this server's clock.
    let time: Date

    /// The possible causes of Apple's error, most likely first.
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

/// An authorization code that was sent, and how it came here.
struct SentCode: Sendable {
    let text: String
    let redirectURI: String?
    /// Whether a code verifier was sent.
    let hasVerifier: Bool
    /// The latest time at which it arrived here; nil if unknown.
    let receivedAt: Date?
    /// The first earlier request with it.
    let sentBefore: SentHistory.Sending?
}

/// The content of a client secret, read from the request.
struct ClientSecretFacts {
    let keyID: String
    private let claims: JSONObject

    /// Reads a secret; nil if it is no compact JWS with claims.
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
