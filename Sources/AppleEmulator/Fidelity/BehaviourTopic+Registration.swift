extension BehaviourTopic {
    /// Teams, keys, apps, Services IDs, and the endpoints they speak to.
    static let registration = BehaviourTopic(
        title: "Registration",
        behaviours: [
            .emulated(
                "A client is an app, by its bundle id, or a Services ID, for the web and other platforms",
                .documented,
                from: .tokenValidation,
                .environment,
                control: "`POST /apps`, `POST /services`",
                tests: "ControlTests.add"
            ),
            .emulated(
                "A Services ID belongs to one primary app and shares its team and group",
                .documented,
                from: .environment,
                tests: "PeopleTests.group",
                "MigrationTests.web"
            ),
            .emulated(
                "The primary app of a Services ID has to be there already",
                .documented,
                from: .environment,
                tests: "ControlTests.wrongFields"
            ),
            .missing(
                "The file of a key is named `AuthKey_` and its Key ID, with the ending `.p8`",
                .observed,
                from: .invalidClientGuide,
                because:
                    "`POST /keys` gives the text of a key, and whoever stores it names the file"
            ),
            .emulated(
                "Team IDs and Key IDs have ten capital letters or digits",
                .documented,
                from: .clientSecret,
                tests: "ControlTests.wrongFields",
                "SeedTests.mistakes"
            ),
            .emulated(
                "The Team ID is no part of a client id",
                .documented,
                from: .clientSecret,
                .tokenValidation,
                tests: "ControlTests.teamPrefix"
            ),
            .emulated(
                "A key serves the group of the primary app it was made for, and no other app",
                .documented,
                from: .environment,
                control:
                    "seed key `primary_client_id` of `keys`; without it a key serves its whole team",
                tests: "ClientSecretTests.otherApp"
            ),
            .missing(
                "An app has two private keys at most",
                .documented,
                from: .environment,
                because:
                    "a limit of the developer site; here more keys let tests rotate them freely"
            ),
            .emulated(
                "A Services ID of an organization has a hundred return URLs at most",
                .documented,
                from: .environment,
                tests: "ReturnURLTests.count"
            ),
            .emulated(
                "A Services ID of an individual has ten return URLs at most",
                .documented,
                from: .environment,
                .webHelp,
                control: "`individual` of a team",
                tests: "ReturnURLTests.count"
            ),
            .missing(
                "Every domain and subdomain of the return URLs is registered as well",
                .documented,
                from: .webHelp,
                because: "the return URLs alone are compared"
            ),
            .emulated(
                "Nothing is fetched from a domain to prove who owns it",
                .documented,
                from: .webHelp,
                tests: "ReturnURLTests.taken"
            ),
            .emulated(
                "A group is one primary app with the apps and Services IDs grouped under it",
                .documented,
                from: .environment,
                .groupingApps,
                control: "`primary_client_id` of `POST /apps`",
                tests: "PeopleTests.group"
            ),
            .missing(
                "A grouped app can leave its group and be a primary app again",
                .documented,
                from: .groupingApps,
                because: "groups are made when apps are added; start again with another seed"
            ),
            .missing(
                "For an app that left its group Apple advises a new key",
                .documented,
                from: .groupingApps,
                because: "advice for the developer; `POST /keys` makes one"
            ),
            .missing(
                "A new app or Services ID can be unknown for 48 hours",
                .observed,
                from: .supabase10591,
                because:
                    "nobody wants to wait in a test: it works at once, and the request log names the wait as a cause of `invalid_client`"
            ),
            .emulated(
                "A Services ID works without a published app",
                .observed,
                from: .appleAuth7,
                tests: "DecisionTests.formPost"
            ),
            .emulated(
                "The endpoints stand at the paths `/auth/authorize`, `/auth/token`, `/auth/revoke`, `/auth/usermigrationinfo` and `/auth/keys`",
                .documented,
                from: .authorizeRequest,
                .tokenValidation,
                .tokenRevocation,
                .transferringAway,
                .publicKeys,
                tests: "DocumentTests.address",
                "AuthorizeRefusalTests.matrix",
                "TokenTests.exchange",
                "RevokeTests.revoke",
                "MigrationTests.identifier",
                "DocumentTests.keys"
            ),
            .emulated(
                "Discovery stands at `/.well-known/openid-configuration`",
                .observed,
                from: .wellKnown,
                tests: "DocumentTests.discovery"
            ),
            .emulated(
                "There is no userinfo, introspection or logout endpoint",
                .observed,
                from: .wellKnown,
                tests: "DocumentTests.notFound"
            ),
            .emulated(
                "Endpoints below `/auth/oauth2/v2` are another product of Apple's and are not here",
                .documented,
                from: .organizationalData,
                tests: "DocumentTests.notFound"
            ),
            .emulated(
                "Apple's own host names answer with a certificate the client trusts",
                .documented,
                from: .authorizeRequest,
                control: "`--tls`; `siwa emulator env` says what clients need",
                tests: "SecurePortTests.eachHostAnswersWhoTrustsTheAuthorityAlone",
                "LocalAuthorityTests.opensslAcceptsTheCertificateForEachHost"
            ),
            .emulated(
                "`account.apple.com` answers too; people who start there get a whole sign-in on the web",
                .observed,
                from: .supabaseAuth2068,
                control: "`--tls`",
                tests: "SecurePortTests.eachHostAnswersWhoTrustsTheAuthorityAlone",
                "SecurePortTests.discoveryLeadsToTheHostThatWasAsked"
            ),
            .emulated(
                "A client that sends no `User-Agent` is served, and the request log says that Apple may refuse it",
                .assumed,
                control: "switch `user_agent`",
                tests: "TokenTests.exchange",
                "RequestLogTests.userAgent"
            ),
            .emulated(
                "The token endpoint refuses requests without a `User-Agent`",
                .observed,
                from: .sampleOf2019,
                control: "switch `user_agent`",
                tests: "TokenSwitchTests.userAgent"
            ),
            .emulated(
                "That refusal is `invalid_request`",
                .assumed,
                control: "switch `user_agent`",
                tests: "TokenSwitchTests.userAgent"
            ),
            .missing(
                "Developers in Korea have to give a notification URL with each Services ID",
                .documented,
                from: .korea,
                because: "a rule of the developer site; a seed here may leave it out"
            ),
            .missing(
                "Apple expects of them that people see changes of mail forwarding at once, find links to finish a change of address, and have their data deleted in time",
                .documented,
                from: .korea,
                because:
                    "duties of the app; `email-disabled`, `email-enabled` and the events about deletion let tests look at them"
            ),
        ]
    )
}
