import AppleIdentity
import Foundation

/// The checks that identity tokens and notifications share, in the order they are made.
///
/// The text of a case is the name of its line in an explanation.
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

/// What every token says that Apple signs.
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

/// What the claims of a token are held against.
struct TokenRules {
    /// How far the clocks of Apple and this server may be apart, in seconds.
    static let leewaySeconds: TimeInterval = 60
    /// The longest identifier of a person, in bytes; Apple's have about 44.
    ///
    /// Source: [OpenID Connect Core, section 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)
    static let maximumSubjectByteCount = 255

    let issuer: String
    let clientIDs: Set<ClientID>
    /// Those of them that this token may be meant for; nil for all.
    var expectedClientIDs: Set<ClientID>?
    let now: Date

    /// Whether a token may be meant for a client, in a time that does not grow with their number.
    private func accepts(_ client: ClientID) -> Bool {
        // The set takes different spellings of one character as equal, the bytes tell them apart.
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

    /// OpenID Connect Core, section 3.1.3.7, rule 3: the client must be in the audience, and the
    /// token be refused when the audience has members that are not trusted.
    /// https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation
    fileprivate func checkAudience(_ claims: some TokenClaims) throws(SignInError) {
        let clients = claims.audience.clients
        guard let first = clients.first else {
            throw SignInError(.tokenAudienceMismatch, hint: "it is meant for nobody")
        }
        for client in clients where !accepts(client) {
            let named = clients.count == 1 ? Excerpt.quoting(first.rawValue) : "several clients"
            let accepted = expectedClientIDs.map(clientIDs.intersection) ?? clientIDs
            let names = accepted.map(\.rawValue).sorted().joined(separator: ", ")
            throw SignInError(
                .tokenAudienceMismatch,
                hint: "it is meant for \(named); accepted here: \(names)"
            )
        }
    }

    /// RFC 7519, section 4.1.4: not to be used at or after its end, but for a small leeway.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4
    fileprivate func checkExpirationTime(_ claims: some TokenClaims) throws(SignInError) {
        let end = claims.expirationTime
        guard now < end.addingTimeInterval(Self.leewaySeconds) else {
            throw SignInError(.tokenExpired, hint: comparedWithNow("it ended at", end))
        }
    }

    /// RFC 7519, section 4.1.6: a time ahead of the clock is a clock's mistake, or a lie.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.6
    fileprivate func checkIssueTime(_ claims: some TokenClaims) throws(SignInError) {
        guard claims.issuedAt <= now.addingTimeInterval(Self.leewaySeconds) else {
            let hint = comparedWithNow("it was issued in the future, at", claims.issuedAt)
            throw SignInError(.tokenNotYetValid, hint: hint)
        }
    }

    /// RFC 7519, section 4.1.5: not to be used before this time, but for a small leeway.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.5
    fileprivate func checkNotBefore(_ claims: some TokenClaims) throws(SignInError) {
        guard let start = claims.notBefore else { return }
        guard start <= now.addingTimeInterval(Self.leewaySeconds) else {
            let hint = comparedWithNow("it must not be used before", start)
            throw SignInError(.tokenNotYetValid, hint: hint)
        }
    }

    private func comparedWithNow(_ words: String, _ time: Date) -> String {
        "\(words) \(DateText.text(time)); now is \(DateText.text(now))"
    }
}
