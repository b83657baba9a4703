extension BehaviourTopic {
    /// Its header and claims.
    static let identityToken = BehaviourTopic(
        title: "The identity token",
        behaviours: [
            .emulated(
                "The header has `kid` and `alg`, in this order, and no `typ`",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.order"
            ),
            .emulated(
                "`iss` is `https://appleid.apple.com`",
                .documented,
                from: .identityToken,
                control: "switch `issuer`",
                tests: "IdentityTokenTests.values"
            ),
            .emulated(
                "`aud` is the client id, a text and not a list",
                .documented,
                from: .identityToken,
                tests: "IdentityTokenTests.values",
                "IdentityTokenTests.native"
            ),
            .emulated(
                "A token lives 86400 seconds",
                .observed,
                from: .passportApple79,
                .hasuraAuth599,
                control: "switch `identity_token_seconds`",
                tests: "IdentityTokenTests.values"
            ),
            .emulated(
                "A token lives 600 seconds, as until 2020",
                .observed,
                from: .wholeFlow,
                control: "switch `identity_token_seconds`",
                tests: "IdentityTokenTests.lifetime"
            ),
            .emulated(
                "`nonce` is there when it was sent, except after a refresh",
                .documented,
                from: .identityToken,
                .wholeFlow,
                tests: "IdentityTokenTests.order",
                "IdentityTokenTests.scopes",
                "IdentityTokenTests.nonce"
            ),
            .emulated(
                "`nonce_supported` is true, a boolean",
                .documented,
                from: .authenticatingUsers,
                control: "switch `nonce_supported`",
                tests: "IdentityTokenTests.values"
            ),
            .emulated(
                "`nonce_supported` is false on old systems",
                .documented,
                from: .authenticatingUsers,
                control: "switch `nonce_supported`",
                tests: "ClaimSwitchTests.nonce"
            ),
            .emulated(
                "`c_hash` binds a token to the code beside it: half of its SHA-256",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.values"
            ),
            .emulated(
                "`at_hash` binds a token to the access token beside it",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.values"
            ),
            .emulated(
                "`auth_time` is there but for tokens of a refresh",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.order",
                "IdentityTokenTests.values"
            ),
            .emulated(
                "`email` is in every token once the scope was granted",
                .documented,
                from: .authenticatingUsers,
                control: "switch `email_claim`",
                tests: "IdentityTokenTests.order",
                "IdentityTokenTests.scopes"
            ),
            .emulated(
                "`email` is not there when only the name, or nothing, was asked",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.scopes",
                "DecisionTests.scopes",
                "IdentityTokenTests.refreshedWithoutAddress"
            ),
            .emulated(
                "`email` can be missing for managed accounts, for it has no value there",
                .documented,
                from: .authenticatingUsers,
                control: "`has_email` of a person",
                tests: "AccountKindTests.noEmail"
            ),
            .emulated(
                "`email` can be empty or missing for managed accounts",
                .documented,
                from: .authenticatingUsers,
                control: "switch `managed_email_claim`",
                tests: "ClaimSwitchTests.email"
            ),
            .emulated(
                "`email_verified` is true, a boolean since February 2024",
                .observed,
                from: .passportApple86,
                control: "switch `boolean_claims`",
                tests: "IdentityTokenTests.values"
            ),
            .emulated(
                "`email_verified` and `is_private_email` are texts, as until February 2024",
                .observed,
                from: .appleSignInPhpSdk39,
                .hasuraAuth599,
                control: "switch `boolean_claims`",
                tests: "ClaimSwitchTests.texts"
            ),
            .emulated(
                "`email_verified` is false for a managed account",
                .documented,
                from: .authenticatingUsers,
                .rosterAPI,
                control: "`managed` and `email_verified` of a person",
                tests: "IdentityTokenTests.managed",
                "AccountKindTests.verified"
            ),
            .emulated(
                "`is_private_email` is true for a hidden address and left out for a shared one",
                .observed,
                from: .jwtKit59,
                .passportApple79,
                control: "switch `private_email_claim`",
                tests: "IdentityTokenTests.values",
                "IdentityTokenTests.shared"
            ),
            .emulated(
                "`is_private_email` is false for a shared address",
                .assumed,
                control: "switch `private_email_claim`",
                tests: "ClaimSwitchTests.notPrivate"
            ),
            .emulated(
                "`real_user_status` is a number, at a device's first sign-in only",
                .documented,
                from: .authenticatingUsers,
                tests: "IdentityTokenTests.native"
            ),
            .emulated(
                "`transfer_sub` is there in the 60 days after an app's transfer",
                .documented,
                from: .bringingIn,
                control: "`POST /transfers`",
                tests: "MigrationTests.claim"
            ),
            .emulated(
                "`transfer_sub` is the last claim, `real_user_status` the one before",
                .assumed,
                tests: "MigrationTests.lastClaims"
            ),
            .emulated(
                "`org_id` names the organization of a managed account",
                .documented,
                from: .rosterAPI,
                control: "`organization_id` of a person",
                tests: "IdentityTokenTests.managed",
                "AccountKindTests.organization"
            ),
            .emulated(
                "Name, language, picture and phone number are never in a token",
                .documented,
                from: .authenticatingUsers,
                tests: "IdentityTokenTests.order"
            ),
            .emulated(
                "From the web: iss aud exp iat sub nonce c_hash email email_verified is_private_email auth_time nonce_supported",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.order"
            ),
            .emulated(
                "For a code: the same with at_hash in the place of c_hash",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.order"
            ),
            .emulated(
                "For a refresh token: iss aud exp iat sub at_hash email email_verified is_private_email",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.order"
            ),
            .emulated(
                "For a refresh token without the email scope: iss aud exp iat sub at_hash",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.refreshedWithoutAddress"
            ),
            .emulated(
                "From a device at first: as from the web, with real_user_status at the end",
                .observed,
                from: .hasuraAuth599,
                tests: "IdentityTokenTests.native"
            ),
            .emulated(
                "Without a nonce, 2024: iss aud exp iat sub c_hash email email_verified is_private_email auth_time nonce_supported",
                .observed,
                from: .hasuraAuth599,
                tests: "IdentityTokenTests.native"
            ),
            .emulated(
                "For a managed account: iss aud exp iat sub c_hash email email_verified org_id auth_time nonce_supported",
                .documented,
                from: .rosterAPI,
                tests: "IdentityTokenTests.managed"
            ),
            .missing(
                "A client verifies the signature, `iss`, `aud` among its own ids, `exp` and `nonce`",
                .documented,
                from: .verifyingUser,
                because:
                    "the client's duty; the switches `issuer`, `clock_skew_seconds` and `identity_token_seconds` put it to the test"
            ),
        ]
    )
}
