extension BehaviourTopic {
    /// What reaches the redirect address.
    static let answer = BehaviourTopic(
        title: "The answer to the app",
        behaviours: [
            .emulated(
                "By query the answer is a redirect with `code` and `state` added",
                .documented,
                from: .authorizeRequest,
                tests: "DecisionTests.redirects"
            ),
            .emulated(
                "By fragment the answer is a redirect with the parameters behind the `#`",
                .documented,
                from: .authorizeRequest,
                tests: "DecisionTests.redirects"
            ),
            .emulated(
                "By form the browser posts to the redirect address, URL-encoded",
                .documented,
                from: .authorizeRequest,
                tests: "SheetPageContentTests.theFormPostCarriesTheFieldsInOrderAndSubmitsItself",
                "DecisionTests.formPost"
            ),
            .emulated(
                "The post names Apple's page as its origin",
                .observed,
                from: .omniauthApple100,
                .freehire1735,
                tests: "SheetPageContentTests.theFormPostNamesItsOrigin"
            ),
            .emulated(
                "The post is sent by a form on Apple's page, from another site: cookies that are `Lax` or `Strict` stay at home",
                .observed,
                from: .socialCore492,
                .freehire1735,
                tests: "SheetPageContentTests.theFormPostCarriesTheFieldsInOrderAndSubmitsItself"
            ),
            .emulated(
                "`id_token` is there only when asked for",
                .documented,
                from: .authorizeRequest,
                .omniauthApple100,
                tests: "DecisionTests.codeAlone",
                "DecisionTests.formPost"
            ),
            .emulated(
                "`user` comes once, the first time, and only with a scope",
                .documented,
                from: .authorizeRequest,
                tests: "DecisionTests.formPost",
                "DecisionTests.scopes",
                "SheetTests.returning"
            ),
            .emulated(
                "`user` is a JSON text with `email` before `name`",
                .observed,
                from: .wholeFlow,
                tests: "DecisionTests.formPost"
            ),
            .emulated(
                "`user` has the name as the person left it on the sheet",
                .documented,
                from: .authorizeRequest,
                .authenticatingUsers,
                tests: "SheetTests.wholeWay",
                "DecisionTests.formPost"
            ),
            .emulated(
                "The name in `user` is unsigned and comes as it was written: the app has to clean it",
                .documented,
                from: .authorizeRequest,
                .authenticatingUsers,
                tests: "SheetTests.wholeWay"
            ),
            .emulated(
                "With a hidden address `user` has the relay address, the same as the token",
                .observed,
                from: .wholeFlow,
                tests: "IdentityTokenTests.hiddenAddress"
            ),
            .emulated(
                "Later answers have no `user`, but the token keeps the address",
                .documented,
                from: .authorizeRequest,
                tests: "SheetTests.returning",
                "IdentityTokenTests.scopes"
            ),
            .emulated(
                "A scope asked only later gives no address; the request log says why",
                .assumed,
                tests: "RequestLogTests.addressAskedLater"
            ),
            .emulated(
                "*Cancel* sends `error=user_cancelled_authorize` and the state by the chosen mode",
                .documented,
                from: .authorizeRequest,
                control: "`decision` of `POST /authorizations/next`",
                tests: "SheetTests.cancel",
                "DecisionTests.redirects"
            ),
            .emulated(
                "The order of the fields is `state`, `code`, `id_token`, `user`",
                .assumed,
                tests: "DecisionTests.formPost"
            ),
        ]
    )
}
