extension BehaviourTopic {
    /// `sub`, and the relay address that goes with it.
    static let subject = BehaviourTopic(
        title: "The person's identifier",
        behaviours: [
            .emulated(
                "`sub` is six digits, 32 hexadecimal digits and four digits, with dots between: 44 characters",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.values"
            ),
            .emulated(
                "The hexadecimal digits are a UUID of version 4, the last four a time of day",
                .assumed,
                tests: "IdentityTokenTests.values"
            ),
            .emulated(
                "The last four digits are any time of day, not the time the identifier was made",
                .assumed,
                tests: "IdentityTokenTests.values"
            ),
            .emulated(
                "For a managed account the middle is 40 characters of base64url in capital and small letters",
                .documented,
                from: .rosterAPI,
                tests: "IdentityTokenTests.managed"
            ),
            .missing(
                "For a managed account it equals the person's id in the Roster API",
                .documented,
                from: .rosterAPI,
                because: "there is no Roster API here"
            ),
            .emulated(
                "It is the same for all apps of a team and another for each team",
                .documented,
                from: .authenticatingUsers,
                tests: "PeopleTests.teams"
            ),
            .emulated(
                "It stays the same for who stops using the app and comes back",
                .documented,
                from: .authenticatingUsers,
                tests: "PeopleTests.comingBack",
                "RevokeTests.revoke"
            ),
            .emulated(
                "It changes when the app goes to another team",
                .documented,
                from: .transferringAway,
                tests: "MigrationTests.claim"
            ),
            .emulated(
                "A relay address is ten small letters and digits at `privaterelay.appleid.com`",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.values"
            ),
            .emulated(
                "A relay address can end in `@icloud.com`",
                .documented,
                from: .privateRelayMirror,
                control: "switch `relay_domain`",
                tests: "ClaimSwitchTests.relayDomain"
            ),
            .missing(
                "A relay address can have eleven letters and digits",
                .observed,
                from: .forum798226,
                because: "ten are the usual"
            ),
            .emulated(
                "A relay address is the same in all apps of a team and another for each team",
                .documented,
                from: .privateRelay,
                tests: "PeopleTests.teams"
            ),
            .emulated(
                "A relay address stays the same for who stops using the app and comes back",
                .assumed,
                tests: "PeopleTests.comingBack"
            ),
            .emulated(
                "An address that was deleted and made again is another person",
                .assumed,
                tests: "PeopleTests.deletion"
            ),
        ]
    )
}
