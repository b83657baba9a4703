import AppleIdentity
import Foundation

/// Why Apple may have answered `invalid_client`: one bare word for a dozen causes.
///
/// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret),
/// [TN3107](https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors)
package struct ClientRefusal {
    /// How far the clocks may be apart before it is told, in seconds; `Date` has whole ones.
    package static let maximumClockDifference: TimeInterval = 30

    let sent: SentRequest
    /// The time by Apple's clock, when the answer told it.
    let appleTime: Date?

    private var clientID: ClientID { sent.client.clientID }

    /// What a client secret shows without being sent, for which Apple would refuse it.
    package static func evidentCauses(
        of secret: String,
        for clientID: ClientID,
        audience: String,
        appleTime: Date? = nil,
        at now: Date
    ) -> [RefusalCause] {
        let sent = SentRequest(
            purpose: .token(""),
            client: ClientCredentials(clientID: clientID, secret: secret),
            audience: audience,
            servicesIDs: nil,
            acceptedClients: [],
            migratedClients: [],
            time: now
        )
        return ClientRefusal(sent: sent, appleTime: appleTime).causes.filter(\.isEvident)
    }

    /// The causes, what the request itself shows first.
    var causes: [RefusalCause] {
        guard let secret = ClientSecretFacts(sent.client.secret) else {
            return [
                RefusalCause(
                    .secretMalformed,
                    "The client secret is not a signed token.",
                    remedy: "Make it with siwa secret, or let the library make it from the key.",
                    isEvident: true
                )
            ]
        }
        let ofTransfer: [RefusalCause] =
            if case .migration(let question) = sent.purpose {
                sent.migrationRefusal(question).clientCauses
            } else {
                []
            }
        return evident(secret) + ofTransfer + possible(secret)
    }

    private func evident(_ secret: ClientSecretFacts) -> [RefusalCause] {
        timeCauses(secret) + [clock].compactMap(\.self) + nameCauses(secret)
    }

    private func possible(_ secret: ClientSecretFacts) -> [RefusalCause] {
        let keyID = Excerpt.quoting(secret.keyID ?? "")
        let teamID = Excerpt.quoting(secret.issuer ?? "")
        let others = sent.acceptedClients.subtracting([clientID]).map(\.rawValue).sorted()
        // The same key and team were good for these: what remains is about the client.
        if let other = others.first, !sent.acceptedClients.contains(clientID) {
            return [
                keyOfAnotherGroup(keyID, also: " Apple accepted it for \(Excerpt.quoting(other))."),
                clientUnknown(teamID),
            ]
        }
        let known = [
            keyMismatch(keyID), keyOfAnotherGroup(keyID), teamMismatch(teamID, keyID),
            clientUnknown(teamID),
        ]
        return sent.acceptedClients.contains(clientID) ? [keyMismatch(keyID)] : known
    }
}

extension ClientRefusal {
    private func timeCauses(_ secret: ClientSecretFacts) -> [RefusalCause] {
        guard let issuedAt = secret.issuedAt, let end = secret.expirationTime else {
            return [
                RefusalCause(
                    .secretMalformed,
                    "The client secret lacks iat or exp.",
                    remedy: "Give both as whole seconds since 1970.",
                    isEvident: true
                )
            ]
        }
        let now = appleTime ?? sent.time
        let clock = appleTime == nil ? "this server's clock" : "Apple's clock"
        let maximumLifetime = ClientSecretKey.maximumLifetime / .seconds(1)
        if end <= now {
            return [secretExpired(seconds: now.timeIntervalSince(end), clock: clock)]
        }
        if issuedAt.timeIntervalSince(now) > Self.maximumClockDifference {
            return [secretNotYetValid(seconds: issuedAt.timeIntervalSince(now), clock: clock)]
        }
        if end.timeIntervalSince(now) > maximumLifetime {
            return [secretLifetimeTooLong(seconds: end.timeIntervalSince(now), clock: clock)]
        }
        return []
    }

    private func secretExpired(seconds: TimeInterval, clock: String) -> RefusalCause {
        RefusalCause(
            .secretExpired,
            "The client secret expired \(DateText.seconds(seconds)) seconds ago by \(clock).",
            remedy: "Make a new one every ten minutes, and set the clock by NTP.",
            isEvident: true
        )
    }

    private func secretNotYetValid(seconds: TimeInterval, clock: String) -> RefusalCause {
        RefusalCause(
            .secretNotYetValid,
            "The client secret is dated \(DateText.seconds(seconds)) seconds ahead of \(clock).",
            remedy: "Set the clock by NTP.",
            isEvident: true
        )
    }

    private func secretLifetimeTooLong(seconds: TimeInterval, clock: String) -> RefusalCause {
        RefusalCause(
            .secretLifetimeTooLong,
            "The client secret ends in \(DateText.seconds(seconds)) seconds by \(clock), and Apple allows "
                + "\(ClientSecretKey.maximumLifetime.wholeSeconds).",
            remedy: "Give it ten minutes: six calendar months are already too long.",
            isEvident: true
        )
    }

    private var clock: RefusalCause? {
        guard let appleTime else { return nil }
        let difference = sent.time.timeIntervalSince(appleTime)
        guard abs(difference) > Self.maximumClockDifference else { return nil }
        return RefusalCause(
            .clockWrong,
            "This server's clock is \(DateText.seconds(abs(difference))) seconds "
                + "\(difference > 0 ? "ahead of" : "behind") Apple's.",
            remedy: "Set it by NTP: Apple judges the client secret by its own clock.",
            isEvident: true
        )
    }
}

extension ClientRefusal {
    private func nameCauses(_ secret: ClientSecretFacts) -> [RefusalCause] {
        let team = secret.issuer ?? ""
        return [
            subjectCause(secret),
            secret.audience == sent.audience
                ? nil
                : RefusalCause(
                    .secretAudienceMismatch,
                    "The client secret is meant for \(Excerpt.quoting(secret.audience ?? "")).",
                    remedy: "Its aud has to be \(sent.audience).",
                    isEvident: true
                ),
            formCause(secret.keyID, isWellFormed: KeyID(secret.keyID ?? "").isWellFormed, "kid"),
            formCause(secret.issuer, isWellFormed: TeamID(team).isWellFormed, "iss"),
            secret.keyID == secret.issuer
                ? RefusalCause(
                    .keyIDIsTeamID,
                    "The key ID and the team ID are the same text.",
                    remedy: "Take the key ID from the name AuthKey_….p8, the team ID from Apple's "
                        + "membership page.",
                    isEvident: true
                ) : nil,
            clientID.rawValue.hasPrefix(team + ".") && !team.isEmpty
                ? RefusalCause(
                    .clientIDHasTeamPrefix,
                    "The client ID begins with the team ID.",
                    remedy: "Leave the prefix away: com.example.app, not TEAMID.com.example.app.",
                    isEvident: true
                ) : nil,
        ]
        .compactMap(\.self)
    }

    private func subjectCause(_ secret: ClientSecretFacts) -> RefusalCause? {
        guard secret.subject != clientID.rawValue else { return nil }
        let subject = Excerpt.quoting(secret.subject ?? "")
        return RefusalCause(
            .secretSubjectMismatch,
            "The client secret speaks for \(subject), and the request for "
                + "\(Excerpt.quoting(clientID.rawValue)).",
            remedy: "Its sub has to equal client_id, capital letters included.",
            isEvident: true
        )
    }

    private func formCause(_ text: String?, isWellFormed: Bool, _ name: String) -> RefusalCause? {
        guard !isWellFormed else { return nil }
        return RefusalCause(
            .secretMalformed,
            "The client secret's \(name) is \(Excerpt.quoting(text ?? "")).",
            remedy: "It has to be the ten capital letters or digits that Apple shows.",
            isEvident: true
        )
    }
}

extension ClientRefusal {
    private func keyMismatch(_ keyID: String) -> RefusalCause {
        RefusalCause(
            .keyMismatch,
            "The key file may not be that of key \(keyID), or the key was revoked.",
            remedy: "Compare the key ID with the file's name AuthKey_….p8 and with Keys in Apple's "
                + "developer portal."
        )
    }

    private func keyOfAnotherGroup(_ keyID: String, also fact: String = "") -> RefusalCause {
        RefusalCause(
            .keyOfAnotherGroup,
            "Key \(keyID) may be for another primary app than that of "
                + "\(Excerpt.quoting(clientID.rawValue)).\(fact)",
            remedy: "In the portal, see which primary app the key is configured for, and which one "
                + "this client is grouped with; they have to be the same."
        )
    }

    private func teamMismatch(_ teamID: String, _ keyID: String) -> RefusalCause {
        RefusalCause(
            .teamMismatch,
            "Team \(teamID) may not own key \(keyID).",
            remedy: "Take the team ID from the membership page of the account that made the key."
        )
    }

    private func clientUnknown(_ teamID: String) -> RefusalCause {
        RefusalCause(
            .clientUnknown,
            "Team \(teamID) may have no client \(Excerpt.quoting(clientID.rawValue)) with Sign in "
                + "with Apple enabled.",
            remedy: "Compare it exactly, including capitals, with Identifiers in the portal."
        )
    }
}
