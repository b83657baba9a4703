extension BehaviourTopic {
    /// Requests that end on Apple's own page.
    static let authorizeRefusals = BehaviourTopic(
        title: "What Apple's page refuses",
        behaviours: [
            .emulated(
                "A wrong request stays on Apple's page and never reaches the redirect address",
                .documented,
                from: .technote3107,
                tests: "AuthorizeRefusalTests.refusal",
                "AuthorizeRefusalTests.page"
            ),
            .emulated(
                "The answer has the status 400",
                .documented,
                from: .technote3107,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "JSON answers are not stored: `no-store` and `no-cache`",
                .documented,
                from: .technote3107,
                tests: "AuthorizeRequestTests.headers"
            ),
            .emulated(
                "A browser gets a page with code and text, a client that prefers JSON gets `error`",
                .assumed,
                tests: "AuthorizeRefusalTests.page",
                "AuthorizeRequestTests.headers"
            ),
            .missing(
                "Some refusals have the status 404",
                .documented,
                from: .authorizeRequest,
                because: "Apple's page doesn't say for what, and nobody has shown one"
            ),
            .emulated(
                "An unknown client is `invalid_client`",
                .documented,
                from: .technote3107,
                .signInWithAppleExample4,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "An address that isn't registered is `invalid_request`, `Invalid web redirect url.`",
                .observed,
                from: .appAuthIOS586,
                .passportApple22,
                .casdoor2453,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .missing(
                "An address that isn't registered is `invalid_request`, `Invalid client id or web redirect` and so on",
                .observed,
                from: .directus21339,
                because: "when Apple words it so is unknown"
            ),
            .emulated(
                "An address that isn't registered is `unauthorized_client`",
                .documented,
                from: .technote3107,
                control: "switch `error_codes`",
                tests: "TokenSwitchTests.documentedErrors"
            ),
            .emulated(
                "A scope without `form_post` is `invalid_request`, `response_mode must be form_post when name or email scope is requested.`",
                .observed,
                from: .socialiteApple2,
                .appleId6,
                .directus21339,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "An identity token by query is `invalid_request`, `Invalid response mode`",
                .observed,
                from: .forum660531,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "`response_type=id_token` is `invalid_request`, `Invalid response type`",
                .observed,
                from: .openauth241,
                tests: "AuthorizeRefusalTests.refusal",
                "AuthorizeRequestTests.identityTokenAlone"
            ),
            .emulated(
                "An unknown scope is `invalid_request`, `invalid scope`",
                .observed,
                from: .openauth241,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .missing(
                "An unknown scope is `invalid_request`, `Invalid client scope`",
                .observed,
                from: .capacitorSocialLogin80,
                because: "the text of 2024; the one of 2025 is given"
            ),
            .missing(
                "A misspelt scope is `invalid_request`, `Application is not authorized to access the requested information.`, except in Safari",
                .observed,
                from: .forum650757,
                because: "the text of 2020; the one of 2025 is given"
            ),
            .missing(
                "The sheet of an Apple device says `Sign Up Not Completed` to any of these",
                .observed,
                from: .socialCore1321,
                .passportApple37,
                .appleSignIn23,
                because: "a sheet of the system; no browser shows it"
            ),
            .missing(
                "When the consent can't be stored, a private endpoint of Apple's page answers 403",
                .observed,
                from: .forum716494,
                .reactAppleLogin28,
                because: "Apple's page talks to itself there; the sheet here has its own form"
            ),
        ]
    )
}
