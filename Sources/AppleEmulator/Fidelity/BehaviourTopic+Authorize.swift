extension BehaviourTopic {
    /// What `/auth/authorize` takes.
    static let authorize = BehaviourTopic(
        title: "The request to authorize",
        behaviours: [
            .emulated(
                "`client_id` is required and compared case-sensitively",
                .documented,
                from: .authorizeRequest,
                .technote3107,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "`redirect_uri` is required",
                .documented,
                from: .authorizeRequest,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "`response_type` is `code` or `code id_token`",
                .documented,
                from: .authorizeRequest,
                tests: "AuthorizeRefusalTests.matrix",
                "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "An identity token without a code is refused in every mode",
                .documented,
                from: .authorizeRequest,
                .openauth241,
                tests: "AuthorizeRequestTests.identityTokenAlone"
            ),
            .emulated(
                "The two words of `response_type` may stand in either order",
                .assumed,
                tests: "AuthorizeRefusalTests.matrix"
            ),
            .emulated(
                "`response_mode` is `query`, `fragment` or `form_post`",
                .documented,
                from: .authorizeRequest,
                tests: "AuthorizeRefusalTests.matrix",
                "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "`response_mode=web_message` answers the page that opened the popup",
                .observed,
                from: .reactSignInAuth,
                .forum716494,
                tests: "WebMessageTests.granted",
                "WebMessageTests.bare",
                "AuthorizeRefusalTests.matrix"
            ),
            .emulated(
                "A code alone, without a scope, goes by query, fragment or form",
                .documented,
                from: .authorizeRequest,
                tests: "AuthorizeRefusalTests.matrix"
            ),
            .emulated(
                "An identity token goes by fragment or form, not by query",
                .observed,
                from: .forum660531,
                tests: "AuthorizeRefusalTests.matrix",
                "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "`code id_token` works without a mode",
                .observed,
                from: .forum660531,
                tests: "AuthorizeRequestTests.defaultModes"
            ),
            .emulated(
                "Without a mode a code alone comes in the query, with an identity token in the fragment",
                .assumed,
                tests: "AuthorizeRequestTests.defaultModes"
            ),
            .emulated(
                "Where the answer goes by redirect or form, the scopes `name` and `email` need `form_post`",
                .documented,
                from: .authorizeRequest,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "The scopes `name` and `email` go by `web_message` as well",
                .observed,
                from: .reactSignInAuth,
                tests: "WebMessageTests.granted"
            ),
            .emulated(
                "`scope` is `name`, `email`, both or none",
                .documented,
                from: .authorizeRequest,
                tests: "DecisionTests.scopes",
                "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "The scope `openid` is taken and changes nothing",
                .observed,
                from: .wellKnown,
                .openauth241,
                tests: "AuthorizeRequestTests.openID"
            ),
            .emulated(
                "`state` comes back as it was sent",
                .documented,
                from: .authorizeRequest,
                tests: "DecisionTests.redirects",
                "SheetTests.cancel"
            ),
            .emulated(
                "`nonce` stands in the identity token as it was sent",
                .documented,
                from: .authorizeRequest,
                .supabase48567,
                tests: "IdentityTokenTests.nonce"
            ),
            .emulated(
                "A nonce sent before is taken again: refusing it is up to the client",
                .assumed,
                tests: "IdentityTokenTests.nonce"
            ),
            .emulated(
                "`state`, `nonce` and `redirect_uri` have limits: 8192 bytes, and 2048 for the address",
                .assumed,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "`frame_id`, `m` and `v` of Apple's script are taken",
                .observed,
                from: .script,
                .reactSignInAuth,
                .forum716494,
                tests: "AuthorizeRequestTests.extras"
            ),
            .emulated(
                "`locale`, `prompt`, `login_hint`, `max_age` and `usePopup` change nothing",
                .assumed,
                tests: "AuthorizeRequestTests.extras"
            ),
            .emulated(
                "`code_challenge` is taken, though discovery doesn't say so",
                .observed,
                from: .appleSigninAuth180,
                .betterAuth10294,
                tests: "TokenTests.verifier",
                "DocumentTests.discovery"
            ),
            .emulated(
                "The only method of a challenge is `S256`",
                .assumed,
                tests: "AuthorizeRefusalTests.refusal"
            ),
            .emulated(
                "A parameter sent twice is refused",
                .assumed,
                tests: "AuthorizeRefusalTests.doubled"
            ),
            .emulated(
                "POST does as well as GET",
                .assumed,
                tests: "DecisionTests.post"
            ),
        ]
    )
}
