import AppleIdentity

/// Why Apple may have refused to tell who a person is at another team.
///
/// Apple answers `invalid_request` to most of it, and has no sentence for any.
///
/// Source: [TN3159](https://developer.apple.com/documentation/technotes/tn3159-migrating-sign-in-with-apple-users-for-an-app-transfer),
/// [TN3107](https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors)
struct MigrationRefusal {
    /// What was asked.
    enum Question: Sendable {
        case accessToken
        case transferIdentifier
        case user
    }

    let question: Question
    let sent: SentRequest
    /// Whether Apple told of another person since the start: team, app and time were right then.
    let hasMigrated: Bool

    private var app: String { Excerpt.quoting(sent.client.clientID.rawValue) }
    private var team: String {
        ClientSecretFacts(sent.client.secret)?.issuer.map { "team " + Excerpt.quoting($0) }
            ?? "this team"
    }

    /// The causes of `invalid_request`.
    var requestCauses: [RefusalCause] {
        switch question {
        case .accessToken: []
        case .transferIdentifier:
            hasMigrated
                ? [RefusalCause.userStoppedUsing(app), userOfAnotherTeam, windowOver]
                : [userOfAnotherTeam, RefusalCause.userStoppedUsing(app), windowOver]
        case .user:
            hasMigrated
                ? [RefusalCause.userStoppedUsing(app), targetMismatch, windowOver]
                : [
                    notAccepted, targetMismatch, windowOver, RefusalCause.userStoppedUsing(app),
                ]
        }
    }

    /// The causes of `invalid_grant`, which ends an access token and not a person.
    var grantCauses: [RefusalCause] {
        [
            RefusalCause(
                .migrationTokenEnded,
                "Apple did not accept the access token for moving people, nor the new one that was "
                    + "tried after it.",
                remedy:
                    "Run again with those who are missing; when it stays, compare the key's team, "
                    + "\(team), with the owner of \(app)."
            )
        ]
    }

    /// What `invalid_client` means besides a wrong client secret: another team may act for the app.
    var clientCauses: [RefusalCause] {
        switch question {
        case .accessToken: hasMigrated ? [windowOver] : [notAccepted, windowOver]
        case .transferIdentifier: [windowOver]
        case .user: [notAccepted]
        }
    }
}

extension MigrationRefusal {
    private var userOfAnotherTeam: RefusalCause {
        RefusalCause(
            .userOfAnotherTeam,
            "The identifier may be another team's: \(team) may know nobody by it.",
            remedy: "Send exactly the sub of identity tokens that were issued for \(team); "
                + "for a person whose sub was never stored, wait for the next sign-in."
        )
    }

    private var targetMismatch: RefusalCause {
        RefusalCause(
            .transferTargetMismatch,
            "The transfer identifier may have been made for another team than \(team): Apple "
                + "accepts any target, and refuses only here. A plain sub is refused too.",
            remedy:
                "Compare the target that the other team sent with this Team ID, and let them ask "
                + "again."
        )
    }

    private var notAccepted: RefusalCause {
        RefusalCause(
            .transferNotAccepted,
            "The app \(app) may not have arrived at \(team) yet.",
            remedy:
                "Accept the transfer in App Store Connect, then configure Sign in with Apple and "
                + "a key for the app in the recipient team."
        )
    }

    private var windowOver: RefusalCause {
        RefusalCause(
            .transferWindowOver,
            "The 60 days after the transfer of \(app) may be over.",
            remedy:
                "Transfer the app back and again to begin another 60 days; until then people are "
                + "recognized by nothing Apple tells."
        )
    }
}

extension RefusalCause {
    /// TN3107 names this one for `invalid_request`, beside mistakes in the request's form.
    static func userStoppedUsing(_ app: String) -> RefusalCause {
        RefusalCause(
            .userStoppedUsingApp,
            "The person may have stopped using \(app), or deleted the Apple Account.",
            remedy: "Leave this person out; the next sign-in is like a first one."
        )
    }
}
