extension BehaviourTopic {
    /// `/auth/keys` and the discovery document.
    static let keys = BehaviourTopic(
        title: "Keys and discovery",
        behaviours: [
            .emulated(
                "`/auth/keys` lists keys with the members kty, kid, use, alg, n, e, in this order",
                .observed,
                from: .wellKnown,
                .parseServer6408,
                tests: "DocumentTests.keys"
            ),
            .emulated(
                "All keys are RSA with 2048 bits, for RS256, without certificates",
                .observed,
                from: .wellKnown,
                tests: "DocumentTests.keys"
            ),
            .emulated(
                "There are three keys",
                .observed,
                from: .wellKnown,
                control: "switch `signing_key_count`",
                tests: "DocumentTests.keys"
            ),
            .emulated(
                "One to five keys have been published at a time",
                .observed,
                from: .nodeAppleSignin11,
                .wellKnown,
                control: "switch `signing_key_count`",
                tests: "ControlTests.retainedKeys",
                "DocumentSwitchTests.keyCount"
            ),
            .emulated(
                "Any of the keys signs; which one varies from token to token",
                .observed,
                from: .parseServer6408,
                tests: "IdentityTokenTests.keys"
            ),
            .emulated(
                "The order of the keys changes from fetch to fetch",
                .observed,
                from: .wellKnown,
                control: "switch `key_order`",
                tests: "DocumentSwitchTests.order"
            ),
            .emulated(
                "A key's `kid` has ten letters and digits",
                .documented,
                from: .keySet,
                tests: "DocumentTests.keys"
            ),
            .emulated(
                "A key's `kid` has six or seven characters, as until 2022",
                .observed,
                from: .parseServer6408,
                .appleSigninUnity146,
                control: "switch `key_id_length`",
                tests: "DocumentSwitchTests.keyNames"
            ),
            .emulated(
                "Keys change, and keys of tokens still in use can be gone at once",
                .observed,
                from: .appleSigninUnity146,
                control: "`POST /signing-keys/rotate`",
                tests: "DocumentTests.rotation"
            ),
            .emulated(
                "New keys can stand beside old ones for a time",
                .observed,
                from: .wellKnown,
                control: "`keep_old` of `POST /signing-keys/rotate`",
                tests: "ControlTests.retainedKeys",
                "DocumentTests.rotation"
            ),
            .missing(
                "Keys change by themselves every few weeks",
                .observed,
                from: .wellKnown,
                because: "a test says when; `POST /signing-keys/rotate`"
            ),
            .emulated(
                "The signature is RS256, though Apple's text says E256",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.order",
                "IdentityTokenTests.keys"
            ),
            .emulated(
                "Keys and discovery may be kept for five minutes, and have no CORS fields",
                .assumed,
                control: "switch `document_cache_seconds`",
                tests: "DocumentTests.caching"
            ),
            .emulated(
                "Discovery has Apple's members, in Apple's order",
                .observed,
                from: .wellKnown,
                tests: "DocumentTests.discovery"
            ),
            .emulated(
                "Discovery lists `code` only, though `code id_token` works, and no PKCE, grant types or userinfo",
                .observed,
                from: .wellKnown,
                tests: "DocumentTests.discovery",
                "AuthorizeRefusalTests.matrix"
            ),
            .emulated(
                "Issuer and address served from are apart",
                .assumed,
                control: "switch `issuer`",
                tests: "DocumentTests.address",
                "IdentityTokenTests.issuer"
            ),
            .emulated(
                "In June 2025 discovery named another issuer and other endpoints for some hours, while tokens kept theirs",
                .observed,
                from: .instant1293,
                .kratos4433,
                .supabaseAuth2051,
                control: "switch `discovery`",
                tests: "DocumentSwitchTests.moved"
            ),
        ]
    )
}
