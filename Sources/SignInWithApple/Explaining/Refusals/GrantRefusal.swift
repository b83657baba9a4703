import AppleIdentity
import Foundation

/// Why Apple may have answered `invalid_grant`.
///
/// Source: [TN3107](https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors)
struct GrantRefusal {
    let sent: SentRequest
    let sentence: AppleSentence?

    /// The causes, what Apple's words or the request itself show first.
    var causes: [RefusalCause] {
        switch sent.purpose {
        case .code(let code): codeCauses(code)
        case .token(let token): tokenCauses(AppleTextForm(token))
        case .migration(let question): sent.migrationRefusal(question).grantCauses
        }
    }

    private func codeCauses(_ code: SentCode) -> [RefusalCause] {
        let kind = kindCause(code.redirectURI)
        let earlier = code.sentBefore.map(sentBefore)
        let late = codeLate(code)
        let shown = [
            otherKind(AppleTextForm(code.text), expected: .code), earlier,
            late.isEvident ? late : nil,
        ]
        let causes: [RefusalCause?] =
            switch sentence {
            case .codeUsed: [earlier, codeAlreadyUsed]
            case .clientMismatch: [clientMismatch, kind]
            case .redirectMismatch: [kind, redirectMismatch(code.redirectURI)]
            case .codeExpired, .tokenExpired:
                shown + [late.isEvident ? nil : late, codeUnknown]
            case nil:
                shown + [
                    kind, codeAlreadyUsed, late.isEvident ? nil : late, clientMismatch,
                    redirectMismatch(code.redirectURI),
                ]
            }
        return causes.compactMap(\.self)
    }

    private func tokenCauses(_ form: AppleTextForm?) -> [RefusalCause] {
        let other = otherKind(form, expected: .refreshToken)
        let causes =
            sentence == .clientMismatch
            ? [other, tokenOfAnotherClient] : [other, tokenRevoked, tokenOfAnotherClient]
        return causes.compactMap(\.self)
    }
}

extension GrantRefusal {
    private func sentBefore(_ earlier: SentHistory.Sending) -> RefusalCause {
        let seconds = DateText.seconds(max(0, sent.time.timeIntervalSince(earlier.time)))
        guard !earlier.isUnanswered else {
            return RefusalCause(
                .codeAnswerLost,
                "This server sent the same code \(seconds) seconds ago and got no usable answer: "
                    + "Apple may have granted it all the same, and then the code is spent.",
                remedy:
                    "Let the person sign in again, and see why the first answer got lost or took "
                    + "longer than \(AppleTransport.maximumAnswerTime.wholeSeconds) seconds.",
                isEvident: true
            )
        }
        return RefusalCause(
            .codeSentBefore,
            "This server sent the same code \(seconds) seconds ago; a code is good once.",
            remedy: "Redeem each code once and keep the answer: look for a form posted twice, a "
                + "retry after a time-out, or two handlers of one callback.",
            isEvident: true
        )
    }

    private var codeAlreadyUsed: RefusalCause {
        RefusalCause(
            .codeAlreadyUsed,
            sentence == .codeUsed
                ? "Apple says the code was redeemed before."
                : "The code may have been redeemed before, here or by another process.",
            remedy: "Redeem each code once, in one place; for another attempt, sign in anew.",
            isEvident: sentence == .codeUsed
        )
    }

    /// How long a code is good for, in seconds.
    ///
    /// Source: [Token validation](https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens)
    private static let codeLifetimeSeconds: TimeInterval = 300

    private func codeLate(_ code: SentCode) -> RefusalCause {
        let remedy = "Redeem it as soon as the app or browser brings it, outside of any queue."
        let age = code.receivedAt.map { sent.time.timeIntervalSince($0) } ?? 0
        guard age >= Self.codeLifetimeSeconds else {
            return RefusalCause(
                .codeLate,
                "The code may have come too late: it is good for five minutes.",
                remedy: remedy
            )
        }
        return RefusalCause(
            .codeLate,
            "The code was at least \(DateText.seconds(age)) seconds old when it was sent, and is good for five "
                + "minutes.",
            remedy: remedy,
            isEvident: true
        )
    }

    private var codeUnknown: RefusalCause {
        RefusalCause(
            .codeUnknown,
            "The code may have been altered or cut on its way: Apple says the same of codes it "
                + "never made.",
            remedy: "Compare its length and ends at the app and here; send it form-encoded once."
        )
    }

    private var clientMismatch: RefusalCause {
        RefusalCause(
            .clientMismatch,
            "The code \(sentence == .clientMismatch ? "was" : "may have been") made for another "
                + "client than \(Excerpt.quoting(sent.client.clientID.rawValue)).",
            remedy: "Redeem codes from devices with the app's bundle ID, and codes from the web "
                + "with the Services ID.",
            isEvident: sentence == .clientMismatch
        )
    }

    private func redirectMismatch(_ redirectURI: String?) -> RefusalCause {
        RefusalCause(
            .redirectMismatch,
            redirectURI.map {
                "The code was sent with the redirect address \(Excerpt.quoting($0))."
            }
                ?? "The code was sent without a redirect address.",
            remedy: "Send exactly the address used at Apple's page, scheme and last slash "
                + "included, and none for a code from a device.",
            isEvident: sentence == .redirectMismatch
        )
    }

    /// Bundle identifiers have no redirect address, and Services IDs always one.
    private func kindCause(_ redirectURI: String?) -> RefusalCause? {
        let clientID = sent.client.clientID
        guard let servicesIDs = sent.servicesIDs,
            servicesIDs.contains(clientID) == (redirectURI == nil)
        else { return nil }
        let name = Excerpt.quoting(clientID.rawValue)
        if redirectURI == nil {
            return RefusalCause(
                .servicesIDWithoutRedirect,
                "\(name) is a Services ID, and no redirect address was sent.",
                remedy: "Send the address used at Apple's page; for a code from a device, send the "
                    + "app's bundle ID instead.",
                isEvident: true
            )
        }
        return RefusalCause(
            .redirectWithBundleID,
            "\(name) is a bundle ID, and a redirect address was sent.",
            remedy: "Leave the address away for a code from a device; for one from the web, send "
                + "the Services ID instead.",
            isEvident: true
        )
    }
}

extension GrantRefusal {
    private func otherKind(
        _ form: AppleTextForm?,
        expected: AppleTextForm
    ) -> RefusalCause? {
        guard let form, form != expected else { return nil }
        return RefusalCause(
            .tokenOfAnotherKind,
            "What was sent looks like \(form.name), not like \(expected.name).",
            remedy: "Send \(expected.name).",
            isEvident: true
        )
    }

    private var tokenRevoked: RefusalCause {
        RefusalCause(
            .tokenRevoked,
            "The refresh token is not good any more: the person stopped using the app or changed "
                + "the Apple Account's password, or it was revoked.",
            remedy: "End the person's sessions, and let them sign in again.",
            isEvident: sentence == .tokenExpired
        )
    }

    private var tokenOfAnotherClient: RefusalCause {
        RefusalCause(
            .tokenOfAnotherClient,
            "The refresh token may belong to another client than "
                + "\(Excerpt.quoting(sent.client.clientID.rawValue)).",
            remedy: "Keep with each refresh token the client ID its code was redeemed with.",
            isEvident: sentence == .clientMismatch
        )
    }
}
