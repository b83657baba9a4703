import AppleIdentity
import Foundation

/// The checks that identity tokens and notifications share, in their order.
///
/// The raw value of a case is the name of its line in an explanation.
enum TokenCheck: String, CaseIterable {
    case subject
    case issuer
    case audience
    case expirationTime = "expiry"
    case issueTime = "issue time"
    case notBefore = "not before"

    func apply(_ rules: TokenRules, to claims: some TokenClaims) throws(SignInError) {
        switch self {
        case .subject: try rules.checkSubject(claims)
        case .issuer: try rules.checkIssuer(claims)
        case .audience: try rules.checkAudience(claims)
        case .expirationTime: try rules.checkExpirationTime(claims)
        case .issueTime: try rules.checkIssueTime(claims)
        case .notBefore: try rules.checkNotBefore(claims)
        }
    }
}

/// The claims of every token that Apple signs.
protocol TokenClaims {
    var subject: UserID { get }
    var issuer: String { get }
    var audience: Audience { get }
    var expirationTime: Date { get }
    var issuedAt: Date { get }
    var notBefore: Date? { get }
}

extension IdentityTokenClaims: TokenClaims {}

extension NotificationClaims: TokenClaims {
    var subject: UserID { event.subject }
}

/// The values that the claims of a token are compared with.
struct TokenRules {
    /// How far the clocks of Apple and this server may differ, in seconds.
    static let leewaySeconds: TimeInterval = 60
    /// The maximum size of a user's identifier, in bytes; Apple's have about 44.
    ///
    /// Source: [OpenID Connect Core, section 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)
    static let maximumSubjectByteCount = 255

    let issuer: String
    let clientIDs: Set<ClientID>
    /// The clients that this token may be issued for; nil for all.
    var expectedClientIDs: Set<ClientID>?
    let now: Date

    /// Whether a token may be issued for a client, in a time that does not grow with their number.
    private func accepts(_ client: ClientID) -> Bool {
        // The set treats different spellings of one character as equal; their bytes differ.
        guard let index = clientIDs.firstIndex(of: client),
            ConstantTime.isEqual(clientIDs[index].rawValue, client.rawValue)
        else { return false }
        return expectedClientIDs?.contains(client) ?? true
    }
}

extension TokenRules {
    fileprivate func checkSubject(_ claims: some TokenClaims) throws(SignInError) {
        let byteCount = claims.subject.rawValue.utf8.count
        guard (1...Self.maximumSubjectByteCount).contains(byteCount) else {
            throw SignInError(.tokenMalformed, hint: "its sub is empty or too long")
        }
    }

    /// OpenID Connect Core, section 3.1.3.7, rule 2: the issuer must match exactly.
    /// https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation
    fileprivate func checkIssuer(_ claims: some TokenClaims) throws(SignInError) {
        guard ConstantTime.isEqual(claims.issuer, issuer) else {
            throw SignInError(
                .tokenIssuerMismatch,
                hint: "it was issued by \(Excerpt.quoting(claims.issuer)), not by \(issuer)"
            )
        }
    }

    /// OpenID Connect Core, section 3.1.3.7, rule 3: the client must be in the audience, and a
    /// token with untrusted members of the audience must be rejected.
    /// https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation
    fileprivate func checkAudience(_ claims: some TokenClaims) throws(SignInError) {
        let clients = claims.audience.clients
        guard let first = clients.first else {
            throw SignInError(.tokenAudienceMismatch, hint: "its audience is empty")
        }
        for client in clients where !accepts(client) {
            let named = clients.count == 1 ? Excerpt.quoting(first.rawValue) : "several clients"
            let accepted = expectedClientIDs.map(clientIDs.intersection) ?? clientIDs
            let names = accepted.map(\.rawValue).sorted().joined(separator: ", ")
            throw SignInError(
                .tokenAudienceMismatch,
                hint: "its audience is \(named); accepted: \(names)"
            )
        }
    }

    /// RFC 7519, section 4.1.4: not valid at or after its expiration, except for a small leeway.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4
    fileprivate func checkExpirationTime(_ claims: some TokenClaims) throws(SignInError) {
        let end = claims.expirationTime
        guard now < end.addingTimeInterval(Self.leewaySeconds) else {
            throw SignInError(.tokenExpired, hint: comparedWithNow("it expired at", end))
        }
    }

    /// RFC 7519, section 4.1.6: a time in the future comes from a wrong clock or a forged token.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.6
    fileprivate func checkIssueTime(_ claims: some TokenClaims) throws(SignInError) {
        guard claims.issuedAt <= now.addingTimeInterval(Self.leewaySeconds) else {
            let hint = comparedWithNow("its issue time is in the future:", claims.issuedAt)
            throw SignInError(.tokenNotYetValid, hint: hint)
        }
    }

    /// RFC 7519, section 4.1.5: not valid before this time, except for a small leeway.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.5
    fileprivate func checkNotBefore(_ claims: some TokenClaims) throws(SignInError) {
        guard let start = claims.notBefore else { return }
        guard start <= now.addingTimeInterval(Self.leewaySeconds) else {
            let hint = comparedWithNow("it is not valid before", start)
            throw SignInError(.tokenNotYetValid, hint: hint)
        }
    }

    private func comparedWithNow(_ words: String, _ time: Date) -> String {
        "\(words) \(DateText.text(time)); now is \(DateText.text(now))"
    }
}
