extension BehaviourTopic {
    /// Mail to addresses that hide the real one.
    static let relayMail = BehaviourTopic(
        title: "Relay mail",
        behaviours: reaching + sources + refusing + notBuilt
    )

    private static let reaching: [Behaviour] = [
        .emulated(
            "Mail to a relay address reaches the person",
            .documented,
            from: .privateRelay,
            control: "`GET /mail`",
            tests: "RelayMailTests.mailToARelayAddressReachesThePerson"
        ),
        .emulated(
            "The person can answer, and the answer goes back through the relay",
            .documented,
            from: .privateRelay,
            control: "`POST /mail/{id}/reply`",
            tests: "InboxTests.anAnswerGoesBackThroughTheRelay"
        ),
        .emulated(
            "It works when the person is signed out",
            .documented,
            from: .privateRelay,
            tests: "RelayMailTests.mailReachesWhoSignedOut"
        ),
        .missing(
            "It works when the app is removed",
            .documented,
            from: .privateRelay,
            because: "there is no app to remove"
        ),
        .emulated(
            "The person sees an alias of the sender in From and Reply-To, the same for each mail",
            .assumed,
            tests: "RelayMailTests.theSenderIsReplacedByAnAliasThatStays"
        ),
        .emulated(
            "Every address of Reply-To gets its alias, and long fields are folded",
            .assumed,
            tests: "RelayMailTests.everyAddressToAnswerGetsAnAliasAndLongFieldsAreFolded"
        ),
        .emulated(
            "A relay address takes mail from the team it was given to, from no other",
            .observed,
            from: .forum798226,
            tests: "RelayMailTests.aTeamsAppsShareTheAddressAndOtherTeamsHaveAnother"
        ),
        .emulated(
            "A relay address takes 100 mails a day, those after them are refused with 450 4.7.1; a day is one of UTC by the emulator's clock",
            .observed,
            from: .sendKit,
            control: "`POST /clock`",
            tests: "RelayMailTests.aRelayAddressTakesAHundredMailsADay"
        ),
        .emulated(
            "Forwarding can be switched off and on where a relay address was given out",
            .documented,
            from: .manageApps,
            control: "`POST /people/{email}/forwarding`",
            tests: "PeopleTests.credentialState",
            "ControlTests.forwarding",
            "RelayMailTests.noMailIsForwardedWhileThePersonDoesNotWantIt"
        ),
    ]

    private static let sources: [Behaviour] = [
        .emulated(
            "A team registers the domains and addresses it writes from, 100 or 32 of them",
            .documented,
            from: .environment,
            .privateRelayHelp,
            control: "`mail_sources`, `POST /mail-sources`; `individual` of a team",
            tests: "MailSourceTests.aTeamRegistersSoMany",
            "RelayMailTests.anAddressIsASourceByItself"
        ),
        .emulated(
            "With SPF the domain of the envelope has to be registered, exactly; no DNS is asked, a source's `authentication` stands for it",
            .observed,
            from: .forum122270,
            control: "`authentication` of a mail source: `spf` or `both`",
            tests: "RelayMailTests.theEnvelopesDomainMatchesExactly"
        ),
        .emulated(
            "With DKIM the signature has to match the registered domain of the From field; its `d` is compared, the signature itself is not verified",
            .observed,
            from: .forum122270,
            control: "`authentication` of a mail source: `dkim` or `both`",
            tests: "RelayMailTests.aSignatureOfTheFromFieldsDomainDoesForAForeignEnvelope"
        ),
        .emulated(
            "SPF or DKIM is needed",
            .documented,
            from: .environment,
            tests: "RelayMailTests.neitherSPFNorDKIMIsRefused"
        ),
        .emulated(
            "Where SPF holds, the From field may be of a domain that isn't registered",
            .assumed,
            tests: "RelayMailTests.anAddressIsASourceByItself"
        ),
    ]

    private static let refusing: [Behaviour] = [
        .emulated(
            "A mail from a source that isn't registered is refused with 550 5.1.1, unauthorized sender",
            .observed,
            from: .forum798226,
            .moEngage,
            tests: "RelayMailTests.theEnvelopesDomainMatchesExactly"
        ),
        .emulated(
            "A mail to an address whose forwarding is off is refused with 550 5.7.1",
            .observed,
            from: .tamingDNS,
            control: "`POST /people/{email}/forwarding`",
            tests: "RelayMailTests.noMailIsForwardedWhileThePersonDoesNotWantIt"
        ),
        .emulated(
            "A mail to an address that is gone is refused with 5.7.1, transformation error",
            .observed,
            from: .suped,
            control: "`POST /people/{email}/stop-using`, `DELETE /people/{email}`",
            tests: "RelayMailTests.anAddressThatIsGoneIsRefused"
        ),
        .emulated(
            "A mail that fails both SPF and DKIM is refused with 554 5.7.1",
            .observed,
            from: .sisimai,
            control: "`authentication` of a mail source: `none`",
            tests: "RelayMailTests.neitherSPFNorDKIMIsRefused"
        ),
        .emulated(
            "Recipients are refused while they are told, senders after the message, since a signature is part of it",
            .assumed,
            tests: "SMTPServerTests.recipientsAreRefusedAtOnceAndSendersAfterTheMessage"
        ),
        .emulated(
            "A mail of 20 MiB and more, of a line over 1000 bytes, or with a CR or LF by itself is refused",
            .assumed,
            tests: "SMTPReaderTests.limits",
            "SMTPServerTests.nothingIsSmuggledBehindABareLineEnd"
        ),
    ]

    private static let notBuilt: [Behaviour] = [
        .missing(
            "A mail from such a source can be refused with 550 5.1.1, bad mailbox name",
            .observed,
            from: .wisely,
            because: "nobody knows when these words come; such mail is an unauthorized sender here"
        ),
        .missing(
            "The servers that refuse name themselves `smtpN.privaterelay.appleid.com`",
            .observed,
            from: .forum798226,
            because: "the server here says what it is, `relay.localhost`"
        ),
        .missing(
            "Apple's mail servers speak TLS, and take mail from anywhere",
            .assumed,
            because: "the emulator's is on loopback, where nobody listens in"
        ),
        .missing(
            "Mail to `Postmaster` without a domain is taken, as RFC 5321 wants of every server",
            .assumed,
            because: "nobody would read it; the emulator's answer is 550 5.1.1"
        ),
        .missing(
            "Apple writes to the team's administrators about mail it didn't deliver",
            .documented,
            from: .privateRelayHelp,
            because: "`GET /mail` has every bounce with its reason"
        ),
        .missing(
            "Addresses of the iCloud+ service that hides mail look alike",
            .observed,
            from: .customerIO,
            because: "another product of Apple's"
        ),
    ]
}
