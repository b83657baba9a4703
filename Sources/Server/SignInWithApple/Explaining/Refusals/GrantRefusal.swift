import AppleIdentity
import Foundation

/// Source: [TN3107](https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors)
extension SentRequest {
    /// How long a code is valid, in seconds.
    ///
    /// Source: [Token validation](https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens)
    private static let codeLifetimeSeconds: TimeInterval = 300

    /// The causes of `invalid_grant`, first those that Apple's description or the request show.
    func grantCauses(_ sentence: AppleSentence?) -> [RefusalCause] {
        let causes: [RefusalCause?] =
            switch purpose {
            case .code(let code): codeCauses(code, sentence)
            case .token(let token):
                [
                    otherKind(token, expected: .refreshToken),
                    sentence == .clientMismatch
                        ? nil : cause(.tokenRevoked, isEvident: sentence == .tokenExpired),
                    cause(.tokenOfAnotherClient, isEvident: sentence == .clientMismatch),
                ]
            case .migrationToken, .transferIdentifier, .migratedUser: [cause(.migrationTokenEnded)]
            case .unknown: unseenCauses(sentence)
            }
        let known = causes.compactMap(\.self)
        return known.filter(\.isEvident) + known.filter { !$0.isEvident }
    }

    private func codeCauses(_ code: SentCode, _ sentence: AppleSentence?) -> [RefusalCause?] {
        let otherKind = otherKind(code.text, expected: .code)
        let earlier = code.sentBefore.map(sentBefore)
        let kind = kindOfClient(code.redirectURI)
        let used = cause(.codeAlreadyUsed, isEvident: sentence == .codeUsed)
        let client = cause(.clientMismatch, isEvident: sentence == .clientMismatch)
        let address = code.redirectURI.map { "with the redirect URI \(Excerpt.quoting($0))" }
        let redirect = cause(
            .redirectMismatch,
            isEvident: sentence == .redirectMismatch,
            ["address": address ?? "without a redirect URI"]
        )
        let verifier = cause(
            .codeVerifierMismatch,
            ["verifier": code.hasVerifier ? "with a code_verifier" : "without a code_verifier"]
        )
        return switch sentence {
        case .codeUsed: [earlier, used]
        case .clientMismatch: [client, kind]
        case .redirectMismatch: [kind, redirect]
        case .codeExpired, .tokenExpired: [otherKind, earlier, late(code), cause(.codeUnknown)]
        case nil: [otherKind, earlier, kind, used, late(code), client, redirect, verifier]
        }
    }

    /// The causes that Apple's description leaves open when the request is not known.
    private func unseenCauses(_ sentence: AppleSentence?) -> [RefusalCause] {
        let codes: [RefusalCause.Code] =
            switch sentence {
            case .codeUsed: [.codeAlreadyUsed]
            case .clientMismatch: [.clientMismatch]
            case .redirectMismatch: [.redirectMismatch]
            case .codeExpired, .tokenExpired: [.codeLate, .codeUnknown, .tokenRevoked]
            case nil:
                [
                    .codeAlreadyUsed, .codeLate, .clientMismatch, .redirectMismatch,
                    .codeVerifierMismatch, .tokenRevoked,
                ]
            }
        let other = "with another one, or without one"
        var facts = ["address": other, "verifier": other, "age": ""]
        if client.clientID.rawValue.isEmpty { facts["app"] = "the one that was sent" }
        return codes.map { cause($0, isEvident: codes.count == 1, facts) }
    }

    private func sentBefore(_ earlier: SentHistory.Sending) -> RefusalCause {
        let code: RefusalCause.Code = earlier.isUnanswered ? .codeAnswerLost : .codeSentBefore
        let seconds = DateText.seconds(max(0, time.timeIntervalSince(earlier.time)))
        let limit = "\(AppleTransport.maximumAnswerTime.wholeSeconds)"
        return cause(code, isEvident: true, ["seconds": seconds, "limit": limit])
    }

    private func late(_ code: SentCode) -> RefusalCause {
        let age = code.receivedAt.map { time.timeIntervalSince($0) } ?? 0
        let isLate = age >= Self.codeLifetimeSeconds
        let words = ", and was at least \(DateText.seconds(age)) seconds old"
        return cause(.codeLate, isEvident: isLate, ["age": isLate ? words : ""])
    }

    /// Bundle identifiers have no redirect URI, and Services IDs always have one.
    private func kindOfClient(_ redirectURI: String?) -> RefusalCause? {
        guard let servicesIDs, servicesIDs.contains(client.clientID) == (redirectURI == nil)
        else { return nil }
        return cause(
            redirectURI == nil ? .servicesIDWithoutRedirect : .redirectWithBundleID,
            isEvident: true
        )
    }

    private func otherKind(_ text: String, expected: AppleTextForm) -> RefusalCause? {
        guard let form = AppleTextForm(text), form != expected else { return nil }
        let facts = ["found": form.rawValue, "expected": expected.rawValue]
        return cause(.tokenOfAnotherKind, isEvident: true, facts)
    }
}

/// The causes that concern the user or a transfer.
///
/// This library's requests have the documented form; Apple describes none of the remaining causes.
///
/// Source: [TN3107](https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors),
/// [TN3159](https://developer.apple.com/documentation/technotes/tn3159-migrating-sign-in-with-apple-users-for-an-app-transfer)
extension SentRequest {
    /// Whether Apple has mapped another user since the start: team, app and time were right then.
    private var hasMigrated: Bool { history.migratedClients.contains(client.clientID) }

    /// The causes of `invalid_request`.
    var requestCauses: [RefusalCause] {
        let codes: [RefusalCause.Code] =
            switch purpose {
            case .code, .migrationToken: []
            case .token, .unknown: [.userStoppedUsingApp, .requestRewritten]
            case .transferIdentifier:
                hasMigrated
                    ? [.userStoppedUsingApp, .userOfAnotherTeam, .transferWindowOver]
                    : [.userOfAnotherTeam, .userStoppedUsingApp, .transferWindowOver]
            case .migratedUser:
                (hasMigrated ? [.userStoppedUsingApp] : [.transferNotAccepted])
                    + [.transferTargetMismatch, .transferWindowOver]
                    + (hasMigrated ? [] : [.userStoppedUsingApp])
            }
        return codes.map { cause($0) }
    }

    /// Other causes of `invalid_client` than the client secret: another team may own the app.
    var transferCauses: [RefusalCause] {
        let codes: [RefusalCause.Code] =
            switch purpose {
            case .code, .token, .unknown: []
            case .migrationToken where !hasMigrated: [.transferNotAccepted, .transferWindowOver]
            case .migrationToken, .transferIdentifier: [.transferWindowOver]
            case .migratedUser: [.transferNotAccepted]
            }
        return codes.map { cause($0) }
    }
}
