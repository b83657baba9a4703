import HTTPTypes

/// The sheet's forms, sent as a browser sends them.
extension Box {
    /// The consent page.
    static let consent = ["given_name": "Maya", "family_name": "Lindgren", "email_choice": "share"]

    /// Presses a button of a page.
    func step(
        _ page: Reply,
        _ action: String,
        _ fields: [String: String] = [:],
        headers: HTTPFields = [:],
        cookie: String? = nil,
        from browser: CookieJar? = nil
    ) async -> Reply {
        var (fields, headers) = (fields, headers)
        fields["transaction"] = page.hiddenFields["transaction"]
        fields["action"] = action
        if let cookie { headers[.cookie] = cookie }
        let body = Self.encode(fields)
        return await send(
            .post,
            "/auth/authorize/sheet",
            body: body,
            headers: headers,
            from: browser
        )
    }

    /// Fills in the sign-in page.
    func signIn(
        _ page: Reply,
        email: String = Box.maya,
        password: String = "apple",
        cookie: String? = nil
    ) async -> Reply {
        await step(page, "sign-in", ["email": email, "password": password], cookie: cookie)
    }
}
