extension BehaviourTopic {
    /// Mail to addresses that hide the real one.
    static let relayMail = BehaviourTopic(
        title: "Relay mail",
        behaviours: [
            .missing(
                "Mail to a relay address reaches the person",
                .documented,
                from: .privateRelay,
                because: "not built yet"
            ),
            .missing(
                "The person can answer, and the answer goes back through the relay",
                .documented,
                from: .privateRelay,
                because: "not built yet"
            ),
            .missing(
                "It works when the app is removed and the person signed out",
                .documented,
                from: .privateRelay,
                because: "not built yet"
            ),
            .missing(
                "A team registers the domains and addresses it writes from, 100 or 32 of them",
                .documented,
                from: .environment,
                .privateRelayHelp,
                because: "not built yet"
            ),
            .missing(
                "With SPF the domain of the envelope has to be registered, exactly",
                .observed,
                from: .forum122270,
                because: "not built yet"
            ),
            .missing(
                "With DKIM the signature has to match the registered domain of the From field",
                .observed,
                from: .forum122270,
                because: "not built yet"
            ),
            .missing(
                "SPF or DKIM is needed",
                .documented,
                from: .environment,
                because: "not built yet"
            ),
            .missing(
                "A mail from a source that isn't registered is refused with 550 5.1.1, unauthorized sender",
                .observed,
                from: .forum798226,
                .moEngage,
                because: "not built yet"
            ),
            .missing(
                "A mail from such a source can be refused with 550 5.1.1, bad mailbox name",
                .observed,
                from: .wisely,
                because: "not built yet"
            ),
            .missing(
                "A mail to an address whose forwarding is off is refused with 550 5.7.1",
                .observed,
                from: .tamingDNS,
                because: "not built yet"
            ),
            .missing(
                "A mail to an address that is gone is refused with 5.7.1, transformation error",
                .observed,
                from: .suped,
                because: "not built yet"
            ),
            .missing(
                "A mail that fails both SPF and DKIM is refused with 554 5.7.1",
                .observed,
                from: .sisimai,
                because: "not built yet"
            ),
            .missing(
                "A relay address takes 100 mails a day",
                .observed,
                from: .sendKit,
                because: "not built yet"
            ),
            .emulated(
                "Forwarding can be switched off and on where a relay address was given out",
                .documented,
                from: .manageApps,
                control: "`POST /people/{email}/forwarding`",
                tests: "PeopleTests.credentialState",
                "ControlTests.forwarding"
            ),
            .missing(
                "Apple writes to the team's administrators about mail it didn't deliver",
                .documented,
                from: .privateRelayHelp,
                because: "the request log and the inbox are where to look"
            ),
            .missing(
                "Addresses of the iCloud+ service that hides mail look alike",
                .observed,
                from: .customerIO,
                because: "another product of Apple's"
            ),
        ]
    )
}
