extension BehaviourTopic {
    /// `/auth/revoke`, and the end of accounts.
    static let revocation = BehaviourTopic(
        title: "Revocation and deletion",
        behaviours: [
            .emulated(
                "`/auth/revoke` takes `client_id`, `client_secret`, `token` and perhaps `token_type_hint`",
                .documented,
                from: .tokenRevocation,
                tests: "RevokeTests.revoke",
                "RevokeTests.refusals"
            ),
            .emulated(
                "A refresh token or an access token will do",
                .documented,
                from: .tokenRevocation,
                tests: "RevokeTests.revoke"
            ),
            .emulated(
                "The client has to be the one the token was made for",
                .documented,
                from: .tokenRevocation,
                tests: "RevokeTests.refusals"
            ),
            .emulated(
                "A success is 200 with nothing in it, also for a token that ended before",
                .documented,
                from: .tokenRevocation,
                tests: "RevokeTests.revoke"
            ),
            .emulated(
                "Garbage is 200 with nothing in it, also with wrong credentials",
                .observed,
                from: .liveTests,
                .forum707610,
                tests: "RevokeTests.garbage"
            ),
            .emulated(
                "A code or an identity token revokes nothing",
                .documented,
                from: .tokenRevocation,
                .forum708984,
                control: "`GET /requests` says that nothing was revoked",
                tests: "RevokeTests.otherTokens"
            ),
            .emulated(
                "A code or an identity token is 200 with nothing in it",
                .assumed,
                tests: "RevokeTests.otherTokens"
            ),
            .emulated(
                "An empty form is 400, `invalid_client`",
                .observed,
                from: .forum707610,
                tests: "RevokeTests.empty"
            ),
            .emulated(
                "A wrong secret, hint or form with a live token is 400",
                .documented,
                from: .technote3107,
                tests: "RevokeTests.refusals",
                "RevokeTests.notEncoded"
            ),
            .emulated(
                "A success ends the refresh token and the access token of the sign-in",
                .documented,
                from: .tokenRevocation,
                tests: "RevokeTests.revoke"
            ),
            .emulated(
                "It ends all other tokens between person and app group as well",
                .assumed,
                tests: "RevokeTests.freshCode"
            ),
            .emulated(
                "The app leaves the list of apps the person uses",
                .documented,
                from: .tokenRevocation,
                tests: "RevokeTests.revoke"
            ),
            .emulated(
                "The next sign-in is a first one, with `user` and the whole sheet",
                .documented,
                from: .tokenRevocation,
                tests: "RevokeTests.revoke"
            ),
            .emulated(
                "An app without a stored token gets a fresh code from the device, exchanges it and revokes",
                .documented,
                from: .tokenRevocation,
                .forum708984,
                tests: "RevokeTests.freshCode"
            ),
            .emulated(
                "Without a revocation the next sign-in shows the short sheet and gives no name",
                .documented,
                from: .forum708415,
                tests: "SheetTests.returning"
            ),
            .missing(
                "An app keeps a refresh or access token for each person and client, for nothing else revokes without the person",
                .documented,
                from: .technote3194,
                because: "a duty of the app"
            ),
            .missing(
                "An app without a stored token deletes the data all the same, sends the person to their settings and heeds the signal of the revocation",
                .documented,
                from: .forum708415,
                because:
                    "duties of the app; the person's side is `/account`, the signal `consent-revoked`"
            ),
            .missing(
                "Apps that make accounts have to offer their deletion, and to revoke then",
                .documented,
                from: .technote3194,
                .accountDeletion,
                because: "a rule of App Review"
            ),
            .emulated(
                "A deleted Apple Account ends all tokens of the person",
                .documented,
                from: .notifications,
                control: "`DELETE /people/{email}`",
                tests: "PeopleTests.deletion"
            ),
        ]
    )
}
