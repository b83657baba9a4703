import AppleIdentity
import Foundation

/// Walks the way of a notification's claims, and writes down what it meets.
struct NotificationExplainer {
    typealias Line = TokenExplanation.Line

    let rules: NotificationRules

    func lines(for payload: Data) -> [Line] {
        let claims: NotificationClaims
        do {
            claims = try NotificationClaims(payload)
        } catch {
            let error = SignInError(notification: error)
            return [Line(.failed, "kind", error.hint, code: error.code)]
        }
        return [Line(.passed, "kind", TokenKind.notification.words), event(claims.event)]
            + NotificationCheck.allCases.map { line(for: $0, claims) }
    }

    private func event(_ event: NotificationEvent) -> Line {
        Line(
            .passed,
            "event",
            "\(Self.meaning(of: event.kind)), at \(DateText.text(event.eventTime))"
        )
    }

    private static func meaning(of kind: NotificationEvent.Kind) -> String {
        switch kind {
        case .emailDisabled: "the person switched mail to the relay address off"
        case .emailEnabled: "the person switched mail to the relay address on"
        case .consentRevoked: "the person stopped using the app"
        case .accountDelete, .accountDeleted: "the person deleted the Apple Account"
        default: "of a kind this version does not know, \(Excerpt.quoting(kind.rawValue))"
        }
    }

    private func line(for check: NotificationCheck, _ claims: NotificationClaims) -> Line {
        if check == .audience, rules.clientIDs.isEmpty {
            return Line(.skipped, check.subject, "no audience was given to compare with")
        }
        if check == .notBefore, claims.notBefore == nil {
            return Line(.skipped, check.subject, "not in the token; Apple sends none")
        }
        do {
            try check.apply(rules, to: claims)
        } catch {
            return Line(.failed, check.subject, error.hint, code: error.code)
        }
        return Line(.passed, check.subject, words(for: check, claims))
    }

    private func words(for check: NotificationCheck, _ claims: NotificationClaims) -> String {
        switch check {
        case .names: "it names itself, for telling a second delivery, and a person"
        case .issuer: "exactly \(rules.issuer)"
        case .audience:
            "meant for \(claims.audience.clients.map(\.rawValue).joined(separator: ", "))"
        case .expirationTime: "at \(DateText.text(rules.now)) it has not ended"
        case .issueTime: "issued before \(DateText.text(rules.now))"
        case .notBefore: "good already at \(DateText.text(rules.now))"
        }
    }
}

extension NotificationCheck {
    fileprivate var subject: String {
        switch self {
        case .names: "names"
        case .issuer: "issuer"
        case .audience: "audience"
        case .expirationTime: "expiry"
        case .issueTime: "issue time"
        case .notBefore: "not before"
        }
    }
}
