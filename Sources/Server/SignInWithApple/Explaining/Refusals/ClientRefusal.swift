import AppleIdentity
import Foundation

/// The possible causes of Apple's `invalid_client`, which comes without a description.
///
/// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret),
/// [TN3107](https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors)
package enum ClientRefusal {
    /// The clock difference that is reported, in seconds; `Date` has whole ones.
    package static let maximumClockDifference: TimeInterval = 30

    /// The causes that a client secret shows without being sent.
    package static func evidentCauses(
        of secret: String,
        for clientID: ClientID,
        audience: String,
        appleTime: Date? = nil,
        at now: Date
    ) -> [RefusalCause] {
        let client = ClientCredentials(clientID: clientID, secret: secret)
        return SentRequest(purpose: .token(""), client: client, audience: audience, time: now)
            .clientCauses(appleTime: appleTime).filter(\.isEvident)
    }
}

extension SentRequest {
    /// The causes of `invalid_client`, first those that the request itself shows.
    func clientCauses(appleTime: Date?) -> [RefusalCause] {
        if case .unknown = purpose { return [] }
        guard let secret = ClientSecretFacts(client.secret) else {
            return [malformed(" is not a signed token")]
        }
        let shown = [clockCause(appleTime), timeCause(secret, appleTime)] + nameCauses(secret)
        return shown.compactMap(\.self) + transferCauses + portalCauses
    }

    private func malformed(_ fault: String) -> RefusalCause {
        cause(.secretMalformed, isEvident: true, ["fault": fault])
    }

    private func timeCause(_ secret: ClientSecretFacts, _ appleTime: Date?) -> RefusalCause? {
        guard let issuedAt = secret.time("iat"), let end = secret.time("exp") else {
            return malformed(" lacks iat or exp")
        }
        let now = appleTime ?? time
        let clock = appleTime == nil ? "this server's clock" : "Apple's clock"
        let limit = ClientSecretKey.maximumLifetime
        func cause(_ code: RefusalCause.Code, _ seconds: TimeInterval) -> RefusalCause {
            let seconds = DateText.seconds(seconds)
            let facts = ["seconds": seconds, "clock": clock, "limit": "\(limit.wholeSeconds)"]
            return self.cause(code, isEvident: true, facts)
        }
        let start = issuedAt.timeIntervalSince(now)
        let rest = end.timeIntervalSince(now)
        if rest <= 0 { return cause(.secretExpired, -rest) }
        if start > ClientRefusal.maximumClockDifference { return cause(.secretNotYetValid, start) }
        return rest > limit / .seconds(1) ? cause(.secretLifetimeTooLong, rest) : nil
    }

    private func clockCause(_ appleTime: Date?) -> RefusalCause? {
        let ahead = appleTime.map(time.timeIntervalSince) ?? 0
        guard abs(ahead) > ClientRefusal.maximumClockDifference else { return nil }
        let side = ahead > 0 ? "ahead of" : "behind"
        let facts = ["seconds": DateText.seconds(abs(ahead)), "side": side]
        return cause(.clockWrong, isEvident: true, facts)
    }

    private func nameCauses(_ secret: ClientSecretFacts) -> [RefusalCause?] {
        func evident(_ code: RefusalCause.Code, if isTrue: Bool) -> RefusalCause? {
            isTrue ? cause(code, isEvident: true) : nil
        }
        let clientID = client.clientID.rawValue
        let (key, team) = (secret.keyID, secret.text("iss"))
        return [
            evident(.secretSubjectMismatch, if: secret.text("sub") != clientID),
            evident(.secretAudienceMismatch, if: secret.text("aud") != audience),
            KeyID(key).isWellFormed ? nil : malformed("'s kid is \(Excerpt.quoting(key))"),
            TeamID(team).isWellFormed ? nil : malformed("'s iss is \(Excerpt.quoting(team))"),
            evident(.keyIDIsTeamID, if: key == team),
            evident(.clientIDHasTeamPrefix, if: clientID.hasPrefix("\(team).") && !team.isEmpty),
        ]
    }

    /// The causes that only Apple's portal shows, without those that earlier responses exclude.
    private var portalCauses: [RefusalCause] {
        let accepted = history.acceptedClients
        if accepted.contains(client.clientID) { return [cause(.keyMismatch)] }
        guard let other = accepted.map(\.rawValue).min() else {
            return [.keyMismatch, .keyOfAnotherGroup, .teamMismatch, .clientUnknown]
                .map { cause($0) }
        }
        // Apple accepted the same key and team for another client: the rest is about this one.
        let fact = " Apple accepted it for \(Excerpt.quoting(other))."
        return [cause(.keyOfAnotherGroup, ["other": fact]), cause(.clientUnknown)]
    }
}
