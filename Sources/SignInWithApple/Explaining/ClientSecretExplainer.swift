import AppleIdentity
import Foundation
import SignedTokens

/// Holds a client secret against what Apple is known to refuse, line by line.
struct ClientSecretExplainer {
    typealias Line = TokenExplanation.Line

    let keys: JSONWebKeySet?
    let audience: [ClientID]
    let issuer: String
    let now: Date

    func lines(for token: UnverifiedToken, _ compact: String) -> [Line] {
        [Line(.passed, "algorithm", "ES256, the one Apple asks for"), signature(of: token)]
            + [Line(.passed, "kind", TokenKind.clientSecret.words)]
            + checks(compact)
    }

    private func signature(of token: UnverifiedToken) -> Line {
        guard let key = token.header.keyID.flatMap({ keys?.verificationKeys()[$0] }) else {
            return Line(
                .skipped,
                "signature",
                "Apple keeps the public half of a team's key; siwa doctor checks the key file"
            )
        }
        do {
            _ = try token.verified(with: key)
        } catch {
            let refusal = SignInError(error)
            return Line(.failed, "signature", refusal.hint, code: refusal.code)
        }
        return Line(.passed, "signature", "made by that key over these bytes")
    }

    /// What each line is about, the causes of a refusal it stands for, and its words when all is well.
    private func checks(_ compact: String) -> [Line] {
        let facts = ClientSecretFacts(compact)
        let subject = facts?.subject ?? ""
        let causes = causes(of: compact, subject: subject).filter(\.isEvident)
        let time = DateText.text(now)
        let names = "key \(facts?.keyID ?? "") of team \(facts?.issuer ?? "")"
        return [
            line(
                "names",
                [.secretMalformed, .keyIDIsTeamID, .clientIDHasTeamPrefix],
                names,
                among: causes
            ),
            audience.isEmpty
                ? Line(.skipped, "client", "no audience was given to compare its sub with")
                : line("client", [.secretSubjectMismatch], "speaks for \(subject)", among: causes),
            line("audience", [.secretAudienceMismatch], "meant for \(issuer)", among: causes),
            line("expiry", [.secretExpired], "at \(time) it has not ended", among: causes),
            line("issue time", [.secretNotYetValid], "issued before \(time)", among: causes),
            line(
                "lifetime",
                [.secretLifetimeTooLong],
                "ends within the \(ClientSecretKey.maximumLifetime.wholeSeconds) seconds Apple allows",
                among: causes
            ),
        ]
    }

    private func causes(of compact: String, subject: String) -> [RefusalCause] {
        let own = ClientID(subject)
        let client = audience.isEmpty || audience.contains(own) ? own : audience[0]
        let sent = SentRequest(
            purpose: .token(""),
            client: ClientCredentials(clientID: client, secret: compact),
            audience: issuer,
            servicesIDs: nil,
            acceptedClients: [],
            migratedClients: [],
            time: now
        )
        return ClientRefusal(sent: sent, appleTime: nil).causes
    }

    private func line(
        _ subject: String,
        _ codes: Set<RefusalCause.Code>,
        _ words: String,
        among causes: [RefusalCause]
    ) -> Line {
        guard let cause = causes.first(where: { codes.contains($0.code) }) else {
            return Line(.passed, subject, words)
        }
        return Line(.failed, subject, cause.description, code: .appleRefusedClient)
    }
}
