import AppleIdentity
import Foundation

/// The checks of a notification's claims, in their order, after its signature was checked.
enum NotificationCheck: CaseIterable {
    case names
    case issuer
    case audience
    case expirationTime
    case issueTime
    case notBefore

    func apply(
        _ rules: NotificationRules,
        to claims: NotificationClaims
    ) throws(SignInError) {
        switch self {
        case .names: try Self.checkNames(claims)
        case .issuer: try Self.checkIssuer(claims, rules)
        case .audience: try Self.checkAudience(claims, rules)
        case .expirationTime: try Self.checkExpirationTime(claims, rules)
        case .issueTime: try Self.checkIssueTime(claims, rules)
        case .notBefore: try Self.checkNotBefore(claims, rules)
        }
    }
}

extension NotificationCheck {
    private static func checkNames(_ claims: NotificationClaims) throws(SignInError) {
        let limits = [
            ("jti", claims.notificationID, NotificationRules.maximumNotificationIDByteCount),
            ("sub", claims.event.subject.rawValue, IdentityTokenRules.maximumSubjectByteCount),
        ]
        for (name, text, maximumByteCount) in limits {
            guard (1...maximumByteCount).contains(text.utf8.count) else {
                throw SignInError(.tokenMalformed, hint: "its \(name) is empty or too long")
            }
        }
    }

    private static func checkIssuer(
        _ claims: NotificationClaims,
        _ rules: NotificationRules
    ) throws(SignInError) {
        guard isSame(claims.issuer, rules.issuer) else {
            throw SignInError(
                .tokenIssuerMismatch,
                hint: "it was issued by \(Excerpt.quoting(claims.issuer)), not by \(rules.issuer)"
            )
        }
    }

    /// RFC 7519, section 4.1.3: refused unless the receiver is named; here every name must be one
    /// of the receiver's.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3
    private static func checkAudience(
        _ claims: NotificationClaims,
        _ rules: NotificationRules
    ) throws(SignInError) {
        let clients = claims.audience.clients
        guard let first = clients.first else {
            throw SignInError(.tokenAudienceMismatch, hint: "it is meant for nobody")
        }
        let areOwn = clients.allSatisfy { client in
            rules.clientIDs.contains { isSame(client.rawValue, $0.rawValue) }
        }
        guard areOwn else {
            let named = clients.count == 1 ? Excerpt.quoting(first.rawValue) : "several clients"
            throw SignInError(
                .tokenAudienceMismatch,
                hint: "it is meant for \(named), which is not configured here"
            )
        }
    }

    /// RFC 7519, section 4.1.4, with a small leeway for the clocks.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4
    private static func checkExpirationTime(
        _ claims: NotificationClaims,
        _ rules: NotificationRules
    ) throws(SignInError) {
        let end = claims.expirationTime
        guard rules.now < end.addingTimeInterval(IdentityTokenRules.leewaySeconds) else {
            throw SignInError(
                .tokenExpired,
                hint: "it ended at \(DateText.text(end)); now is \(DateText.text(rules.now))"
            )
        }
    }

    /// RFC 7519, section 4.1.6: a time ahead of the clock is a clock's mistake, or a lie.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.6
    private static func checkIssueTime(
        _ claims: NotificationClaims,
        _ rules: NotificationRules
    ) throws(SignInError) {
        let latest = rules.now.addingTimeInterval(IdentityTokenRules.leewaySeconds)
        guard claims.issuedAt <= latest else {
            throw SignInError(
                .tokenNotYetValid,
                hint: "it was issued at \(DateText.text(claims.issuedAt)), in the future; "
                    + "now is \(DateText.text(rules.now))"
            )
        }
    }

    /// RFC 7519, section 4.1.5: not to be used before this time, but for a small leeway.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.5
    private static func checkNotBefore(
        _ claims: NotificationClaims,
        _ rules: NotificationRules
    ) throws(SignInError) {
        guard let notBefore = claims.notBefore else { return }
        guard notBefore <= rules.now.addingTimeInterval(IdentityTokenRules.leewaySeconds) else {
            throw SignInError(
                .tokenNotYetValid,
                hint: "it is good from \(DateText.text(notBefore)) on; "
                    + "now is \(DateText.text(rules.now))"
            )
        }
    }

    /// Byte by byte: Swift's own comparison takes different spellings of one character as equal.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }
}
