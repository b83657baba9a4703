extension BehaviourTopic {
    /// Which addresses may be registered and used.
    static let redirectAddress = BehaviourTopic(
        title: "Redirect addresses",
        behaviours: [
            .emulated(
                "An address is https, absolute, with a domain name and without a fragment",
                .documented,
                from: .authorizeRequest,
                tests: "ReturnURLTests.refused",
                "SeedTests.mistakes"
            ),
            .emulated(
                "An IP address is refused",
                .documented,
                from: .authorizeRequest,
                tests: "ReturnURLTests.refused",
                "SeedTests.mistakes"
            ),
            .emulated(
                "Addresses of this machine are refused",
                .documented,
                from: .authorizeRequest,
                control:
                    "`--strict`; without it they are taken, and the request log says that Apple would not",
                tests: "AuthorizeRefusalTests.loopback"
            ),
            .emulated(
                "The address must be one of the registered ones, letter for letter",
                .documented,
                from: .environment,
                .technote3107,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "Schemes of an app's own are refused at registration",
                .observed,
                from: .appAuthIOS586,
                tests: "SeedTests.mistakes",
                "ControlTests.wrongFields"
            ),
            .missing(
                "Apps on Android and old iOS need an https page that sends the answer on to the app",
                .documented,
                from: .authorizeRequest,
                because: "a page of the app's own"
            ),
            .emulated(
                "An app has no redirect addresses; the web uses a Services ID",
                .documented,
                from: .environment,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "In popup mode the address has to be on the origin of the page, which hears nothing otherwise",
                .observed,
                from: .reactSignInAuth,
                .reactAppleLogin8,
                tests: "WebMessageTests.origin",
                "WebMessageTests.headers"
            ),
            .emulated(
                "Where a registered name leads is not looked up: it may be this machine",
                .observed,
                from: .shouldKnow,
                tests: "ReturnURLTests.taken"
            ),
        ]
    )
}
