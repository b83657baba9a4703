extension BehaviourTopic {
    /// What `/auth/token` grants.
    static let token = BehaviourTopic(
        title: "Exchanging codes and refreshing",
        behaviours: [
            .emulated(
                "The form is URL-encoded; the answer is JSON that isn't stored",
                .documented,
                from: .tokenValidation,
                .transferringAway,
                .technote3107,
                tests: "TokenTests.exchange",
                "TokenTests.malformed"
            ),
            .emulated(
                "A code is exchanged with `redirect_uri` when the authorization had one",
                .documented,
                from: .tokenValidation,
                tests: "TokenTests.exchange",
                "TokenTests.redirect"
            ),
            .emulated(
                "A code of a device is exchanged without `redirect_uri`",
                .documented,
                from: .tokenValidation,
                tests: "TokenTests.native"
            ),
            .emulated(
                "The client is the one the code was made for: bundle id for devices, Services ID for the web",
                .documented,
                from: .technote3107,
                .reactNativeAppleAuthentication76,
                tests: "TokenTests.client",
                "TokenTests.native"
            ),
            .emulated(
                "The answer has `access_token`, `token_type`, `expires_in`, `refresh_token` and `id_token`, in this order",
                .documented,
                from: .tokenValidation,
                tests: "TokenTests.exchange"
            ),
            .emulated(
                "`token_type` is `Bearer`, with a capital",
                .observed,
                from: .wholeFlow,
                control: "switch `token_type`",
                tests: "TokenTests.exchange"
            ),
            .emulated(
                "`token_type` is `bearer`",
                .documented,
                from: .tokenResponse,
                control: "switch `token_type`",
                tests: "TokenSwitchTests.tokenType"
            ),
            .emulated(
                "A refresh has a new access token and a new identity token, and no refresh token",
                .documented,
                from: .tokenValidation,
                .tokenResponse,
                tests: "TokenTests.refresh"
            ),
            .emulated(
                "Refresh tokens aren't rotated: the first one stays good",
                .documented,
                from: .tokenResponse,
                tests: "TokenTests.refresh"
            ),
            .emulated(
                "A refresh token has no end of its own",
                .documented,
                from: .verifyingUser,
                tests: "TokenLifeTests.refreshToken"
            ),
            .emulated(
                "A refresh token ends when the person stops using the app",
                .documented,
                from: .verifyingUser,
                control: "`POST /people/{email}/stop-using`",
                tests: "PeopleTests.credentialState"
            ),
            .emulated(
                "A change of the account's password ends refresh tokens",
                .documented,
                from: .verifyingUser,
                control: "`POST /people/{email}/password`",
                tests: "PasswordTests.refreshTokens"
            ),
            .emulated(
                "A change of the password signs the person out of every browser; codes stay good",
                .assumed,
                control: "`POST /people/{email}/password`",
                tests: "PasswordTests.browsers",
                "PasswordTests.refreshTokens"
            ),
            .emulated(
                "Refreshing more than once a day for a person may be slowed down",
                .documented,
                from: .verifyingUser,
                control: "switch `throttled_refresh`, `refreshes_per_day`",
                tests: "TokenSwitchTests.throttledRefresh",
                "TokenSwitchTests.refreshesPerDay"
            ),
            .emulated(
                "A refresh that is slowed down has the status 429 or 503",
                .assumed,
                control: "switch `throttled_refresh`",
                tests: "TokenSwitchTests.throttledRefresh"
            ),
            .emulated(
                "A code is good for five minutes and once",
                .documented,
                from: .tokenValidation,
                control: "switch `code_seconds`, `code_reuse`",
                tests: "TokenTests.expiry",
                "TokenTests.once"
            ),
            .emulated(
                "A code is good for ten minutes",
                .observed,
                from: .forum707610,
                control: "switch `code_seconds`",
                tests: "TokenSwitchTests.codeSeconds"
            ),
            .emulated(
                "An access token is good for an hour: `expires_in` is 3600",
                .documented,
                from: .tokenResponse,
                tests: "TokenLifeTests.accessToken",
                "MigrationTests.refusals"
            ),
            .emulated(
                "An access token opens nothing about a person; it moves people between teams and revokes",
                .documented,
                from: .tokenResponse,
                tests: "DocumentTests.notFound",
                "MigrationTests.ownToken",
                "RevokeTests.revoke"
            ),
            .emulated(
                "Codes and tokens are a letter, 32 hexadecimal digits, `.0.`, a few letters, and 22 characters of base64url: 63 or 64 in all",
                .observed,
                from: .wholeFlow,
                .omniauthApple100,
                tests: "TokenTests.exchange",
                "TokenLifeTests.form"
            ),
            .emulated(
                "The letters in the middle vary, also between code and tokens of one sign-in",
                .observed,
                from: .reactNativeAppleAuthentication17,
                .omniauthApple100,
                tests: "TokenLifeTests.form"
            ),
            .emulated(
                "The 32 digits are a UUID of version 4",
                .assumed,
                tests: "TokenTests.exchange"
            ),
            .emulated(
                "Several refresh tokens of one person and client live side by side",
                .assumed,
                control: "switch `refresh_tokens`",
                tests: "TokenLifeTests.sideBySide"
            ),
            .emulated(
                "Sending a code again doesn't end the tokens of the first time",
                .assumed,
                control: "switch `code_reuse`",
                tests: "TokenTests.once"
            ),
            .emulated(
                "A code with a challenge needs its `code_verifier`",
                .observed,
                from: .appleSigninAuth180,
                .betterAuth10294,
                control: "switch `proof_key`",
                tests: "TokenTests.verifier"
            ),
            .emulated(
                "`client_credentials` with `user.migration` grants an access token and nothing else",
                .documented,
                from: .transferringAway,
                tests: "MigrationTests.form"
            ),
        ]
    )
}
