extension BehaviourTopic {
    /// `/auth/usermigrationinfo`, and what an app's transfer changes.
    static let migration = BehaviourTopic(
        title: "Moving between teams",
        behaviours: [
            .emulated(
                "The giving team asks for a person's `transfer_sub` by `sub` and `target`",
                .documented,
                from: .transferringAway,
                tests: "MigrationTests.identifier"
            ),
            .emulated(
                "The access token stands in the Authorization field as Bearer",
                .documented,
                from: .transferringAway,
                tests: "MigrationTests.refusals",
                "MigrationTests.identifier"
            ),
            .emulated(
                "A person's own access token does in place of the team's",
                .documented,
                from: .technote3159,
                tests: "MigrationTests.ownToken"
            ),
            .emulated(
                "A grouped app can't be transferred before it leaves its group",
                .documented,
                from: .technote3159,
                tests: "MigrationTests.grouped"
            ),
            .emulated(
                "Services IDs follow their primary app",
                .documented,
                from: .technote3159,
                .bringingIn,
                tests: "MigrationTests.web"
            ),
            .emulated(
                "The receiving team exchanges `transfer_sub` for its own `sub`",
                .documented,
                from: .bringingIn,
                control: "`POST /transfers`",
                tests: "MigrationTests.arrival"
            ),
            .emulated(
                "With it come `email` and `is_private_email`, but only for relay addresses",
                .documented,
                from: .bringingIn,
                tests: "MigrationTests.arrival",
                "MigrationTests.sharedAddress"
            ),
            .emulated(
                "Identity tokens carry `transfer_sub` as well",
                .documented,
                from: .bringingIn,
                tests: "MigrationTests.claim",
                "MigrationTests.web"
            ),
            .emulated(
                "Who comes after the transfer has no `transfer_sub`",
                .assumed,
                tests: "MigrationTests.newcomer"
            ),
            .emulated(
                "All of it works for 60 days, for both teams",
                .documented,
                from: .technote3159,
                control: "`POST /clock`",
                tests: "MigrationTests.claim",
                "MigrationTests.arrival"
            ),
            .emulated(
                "After 60 days the endpoint knows nothing; the app goes back and comes again",
                .documented,
                from: .technote3159,
                tests: "MigrationTests.again"
            ),
            .emulated(
                "Requests for many people are not limited",
                .documented,
                from: .technote3159,
                tests: "MigrationTests.many"
            ),
            .emulated(
                "`transfer_sub` is the same each time for a target, another for each target, and looks like `sub`",
                .documented,
                from: .transferringAway,
                tests: "MigrationTests.identifier"
            ),
            .emulated(
                "`transfer_sub` is the same in all apps that go to one team",
                .documented,
                from: .transferringAway,
                tests: "MigrationTests.severalApps"
            ),
            .emulated(
                "Relay addresses change with the team",
                .documented,
                from: .transferringAway,
                tests: "MigrationTests.arrival"
            ),
            .emulated(
                "The giving team can no longer write to people who use none of its other apps",
                .documented,
                from: .transferringAway,
                tests: "RelayMailTests.aTeamThatGaveItsOnlyAppAwayWritesToNobodyThere"
            ),
            .emulated(
                "A person who stopped using the app is `invalid_request`",
                .documented,
                from: .technote3107,
                tests: "MigrationTests.refusals"
            ),
            .emulated(
                "A wrong secret is `invalid_client`",
                .documented,
                from: .technote3107,
                tests: "MigrationTests.refusals",
                "MigrationTests.secret"
            ),
            .emulated(
                "A secret that expires in the middle of a run is `invalid_client` from then on",
                .observed,
                from: .openedxPlatform32531,
                tests: "MigrationTests.expiredSecret"
            ),
            .missing(
                "`invalid_grant` comes in runs for many people",
                .observed,
                from: .openedxPlatform32531,
                because: "nobody knows why; `POST /faults` can answer so"
            ),
            .emulated(
                "An access token that is over or of another team is `invalid_grant`",
                .assumed,
                tests: "MigrationTests.refusals",
                "MigrationTests.arrival"
            ),
            .emulated(
                "A wrong target is taken, and shows only when the other team comes: `invalid_request`",
                .observed,
                from: .appleId21,
                tests: "MigrationTests.wrongTarget"
            ),
            .emulated(
                "Devices say transferred until the person signs in again, which gives the new identifier",
                .documented,
                from: .bringingIn,
                tests: "MigrationTests.credentialState",
                "MigrationTests.claim"
            ),
            .emulated(
                "People whose `sub` nobody kept can't be moved ahead",
                .observed,
                from: .forum826618,
                tests: "MigrationTests.refusals"
            ),
            .emulated(
                "Tokens given out before the transfer go along and stand for the person of the new team",
                .assumed,
                tests: "MigrationTests.web"
            ),
        ]
    )
}
