import AppleIdentity
import Foundation

/// The checks of a notification's claims, after its signature was checked.
struct NotificationCheck {
    /// The longest name of a notification, in bytes; Apple's have 22.
    static let notificationIDByteCountMax = 255

    let issuer: String
    let clientIDs: Set<ClientID>
    let now: Date

    /// Passes when all is as it must be, with the client that is meant.
    func apply(to claims: NotificationClaims) throws(SignInError) -> ClientID {
        try checkNames(claims)
        guard Self.isSame(claims.issuer, issuer) else {
            throw SignInError(
                .tokenIssuerMismatch,
                hint: "it was issued by \(Excerpt.quoting(claims.issuer)), not by \(issuer)"
            )
        }
        let clientID = try client(of: claims)
        try checkTimes(claims)
        return clientID
    }

    private func checkNames(_ claims: NotificationClaims) throws(SignInError) {
        let limits = [
            ("jti", claims.notificationID, Self.notificationIDByteCountMax),
            ("sub", claims.event.subject.rawValue, IdentityTokenRules.subjectByteCountMax),
        ]
        for (name, text, byteCountMax) in limits {
            guard (1...byteCountMax).contains(text.utf8.count) else {
                throw SignInError(.tokenMalformed, hint: "its \(name) is empty or too long")
            }
        }
    }

    /// RFC 7519, section 4.1.3: refused unless the receiver is named; here every name must be one
    /// of the receiver's.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3
    private func client(of claims: NotificationClaims) throws(SignInError) -> ClientID {
        let clients = claims.audience.clients
        guard let first = clients.first else {
            throw SignInError(.tokenAudienceMismatch, hint: "it is meant for nobody")
        }
        let areOwn = clients.allSatisfy { client in
            clientIDs.contains { Self.isSame(client.rawValue, $0.rawValue) }
        }
        guard areOwn else {
            let named = clients.count == 1 ? Excerpt.quoting(first.rawValue) : "several clients"
            throw SignInError(
                .tokenAudienceMismatch,
                hint: "it is meant for \(named), which is not configured here"
            )
        }
        return first
    }

    /// RFC 7519, sections 4.1.4 and 4.1.6, with a small leeway for the clocks.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4
    private func checkTimes(_ claims: NotificationClaims) throws(SignInError) {
        let leeway = IdentityTokenRules.leewaySeconds
        guard now < claims.expirationTime.addingTimeInterval(leeway) else {
            throw SignInError(
                .tokenExpired,
                hint: "it ended at \(Moment.text(claims.expirationTime)); "
                    + "now is \(Moment.text(now))"
            )
        }
        guard claims.issuedAt <= now.addingTimeInterval(leeway) else {
            throw SignInError(
                .tokenNotYetValid,
                hint: "it was issued at \(Moment.text(claims.issuedAt)), in the future; "
                    + "now is \(Moment.text(now))"
            )
        }
    }

    /// Byte by byte: Swift's own comparison takes different spellings of one character as equal.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }
}
