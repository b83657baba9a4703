extension BehaviourTopic {
    /// The errors of `/auth/token`.
    static let tokenRefusals = BehaviourTopic(
        title: "What the token endpoint refuses",
        behaviours: [
            .emulated(
                "Refusals have the status 400, also for a client that isn't known",
                .documented,
                from: .tokenValidation,
                .technote3107,
                tests: "TokenTests.missing",
                "ClientSecretTests.claim"
            ),
            .emulated(
                "The code or token is looked up first, then the client is checked, then whether they fit",
                .observed,
                from: .liveTests,
                .dartPackages108,
                tests: "TokenTests.order"
            ),
            .emulated(
                "An unknown client with a live code is `invalid_client`",
                .documented,
                from: .technote3107,
                tests: "ClientSecretTests.unknownClient"
            ),
            .emulated(
                "A form that isn't percent-encoded is `invalid_client`",
                .observed,
                from: .socialite635,
                tests: "RevokeTests.notEncoded"
            ),
            .emulated(
                "A code that is unknown, malformed or old is `invalid_grant`, `The code has expired or has been revoked.`",
                .observed,
                from: .liveTests,
                .goSigninWithApple39,
                tests: "TokenTests.order",
                "TokenTests.expiry"
            ),
            .emulated(
                "A code sent twice is `invalid_grant`, `The code has already been used.`",
                .observed,
                from: .appleAuth41,
                .keycloakAppleSocialIdentityProvider23,
                .djangoAllauth2836,
                tests: "TokenTests.once"
            ),
            .emulated(
                "A code of another client is `invalid_grant`, `client_id mismatch. The code was not issued to …`",
                .observed,
                from: .reactNativeAppleAuthentication76,
                tests: "TokenTests.client"
            ),
            .emulated(
                "Another redirect address is `invalid_grant`, `redirect_uri mismatch. The code was not issued to …`",
                .observed,
                from: .appleAuth31,
                control: "switch `error_codes`",
                tests: "TokenTests.redirect"
            ),
            .emulated(
                "Another redirect address is `invalid_client`",
                .documented,
                from: .errorResponse,
                control: "switch `error_codes`",
                tests: "TokenSwitchTests.documentedErrors"
            ),
            .emulated(
                "A refresh token that is unknown or revoked, or an access token in its place, is `invalid_grant`, `The token has expired or has been revoked.`",
                .observed,
                from: .liveTests,
                tests: "TokenTests.order",
                "TokenTests.refreshRefusals"
            ),
            .emulated(
                "A refresh token of another client is `invalid_grant`",
                .assumed,
                tests: "TokenTests.refreshRefusals"
            ),
            .emulated(
                "`invalid_grant` comes without a description",
                .observed,
                from: .laravelSignInWithApple24,
                control: "switch `error_descriptions`",
                tests: "TokenSwitchTests.bareErrors"
            ),
            .emulated(
                "A parameter that is missing or there twice is `invalid_request`",
                .documented,
                from: .technote3107,
                tests: "TokenTests.missing",
                "TokenTests.malformed"
            ),
            .emulated(
                "`invalid_request`, `unsupported_grant_type` and `invalid_scope` come without a description",
                .assumed,
                tests: "TokenTests.missing",
                "TokenTests.malformed",
                "MigrationTests.scope"
            ),
            .emulated(
                "A wrong content type is `invalid_request`",
                .documented,
                from: .technote3107,
                tests: "TokenTests.malformed"
            ),
            .emulated(
                "Credentials in the Authorization field are `invalid_request`",
                .documented,
                from: .technote3107,
                tests: "TokenTests.malformed"
            ),
            .emulated(
                "An unknown grant type is `unsupported_grant_type`",
                .documented,
                from: .errorResponse,
                tests: "TokenTests.malformed"
            ),
            .emulated(
                "A wrong scope of `client_credentials` is `invalid_scope`",
                .documented,
                from: .errorResponse,
                tests: "MigrationTests.scope"
            ),
            .emulated(
                "A parameter Apple doesn't know is `invalid_request`",
                .documented,
                from: .technote3107,
                control: "switch `unknown_parameters`",
                tests: "TokenSwitchTests.unknownParameters"
            ),
            .emulated(
                "A parameter nobody knows is ignored",
                .assumed,
                control: "switch `unknown_parameters`",
                tests: "TokenLifeTests.extras"
            ),
            .missing(
                "A refresh for a person who revoked the app is `invalid_request`",
                .documented,
                from: .technote3107,
                because: "people see `invalid_grant`"
            ),
            .missing(
                "`unauthorized_client` is one of the token endpoint's errors",
                .documented,
                from: .errorResponse,
                because:
                    "nobody has shown it at this endpoint; the causes Apple names for it give others"
            ),
            .emulated(
                "A wrong or missing verifier of a challenge is `invalid_grant`",
                .assumed,
                tests: "TokenTests.verifier"
            ),
        ]
    )
}
