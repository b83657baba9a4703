import AppleIdentity
import Foundation
import SignedTokens

extension TokenExplainer {
    /// Compares a client secret with Apple's known rules.
    func clientSecretLines(_ token: UnverifiedToken, _ compact: String) -> [Line] {
        let unchecked =
            "only Apple has the team's public key; siwa doctor checks the key file"
        let key = token.header.keyID.flatMap { keys?.verificationKeys()[$0] }
        return [
            token.algorithm == .es256
                ? Line(.passed, "algorithm", "ES256, as Apple requires")
                : wrongSecretAlgorithm(token.algorithm.rawValue),
            key.map { signature(of: token, $0) } ?? Line(.skipped, "signature", unchecked),
            Line(.passed, "kind", TokenKind.clientSecret.rawValue),
        ] + clientSecretChecks(compact)
    }

    /// Creating a client secret: it is signed with ES256.
    /// https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
    func wrongSecretAlgorithm(_ name: String) -> Line {
        let words = "its header names \(Excerpt.quoting(name)); Apple requires ES256"
        return Line(.failed, "algorithm", words, code: .appleRefusedClient)
    }

    /// The subject of each line, the causes that it covers, and its text if the check passes.
    private func clientSecretChecks(_ compact: String) -> [Line] {
        let facts = ClientSecretFacts(compact)
        let subject = facts?.text("sub") ?? ""
        let names = "key \(facts?.keyID ?? "") of team \(facts?.text("iss") ?? "")"
        let time = DateText.text(now)
        let maximumSeconds = ClientSecretKey.maximumLifetime.wholeSeconds
        let checks: [(subject: String, codes: Set<RefusalCause.Code>, words: String)] = [
            ("names", [.secretMalformed, .keyIDIsTeamID, .clientIDHasTeamPrefix], names),
            ("client", [.secretSubjectMismatch], "issued for \(subject)"),
            ("audience", [.secretAudienceMismatch], "exactly \(issuer)"),
            ("expiry", [.secretExpired], "not expired at \(time)"),
            ("issue time", [.secretNotYetValid], "issued before \(time)"),
            ("lifetime", [.secretLifetimeTooLong], "expires within \(maximumSeconds) seconds"),
        ]
        let own = ClientID(subject)
        let causes = ClientRefusal.evidentCauses(
            of: compact,
            for: audience.isEmpty || audience.contains(own) ? own : audience[0],
            audience: issuer,
            at: now
        )
        return checks.map { check in
            if check.subject == "client", audience.isEmpty {
                return Line(.open, "client", "no audience was given to compare its sub with")
            }
            guard let cause = causes.first(where: { check.codes.contains($0.code) }) else {
                return Line(.passed, check.subject, check.words)
            }
            return Line(.failed, check.subject, cause.description, code: .appleRefusedClient)
        }
    }
}
