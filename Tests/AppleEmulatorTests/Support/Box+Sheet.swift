/// The sheet's forms, sent as a browser sends them.
extension Box {
    /// What the first sheet asks.
    static let consent = ["given_name": "Maya", "family_name": "Lindgren", "email_choice": "share"]

    /// Presses a button of a page.
    func step(
        _ page: Reply,
        _ action: String,
        _ fields: [String: String] = [:],
        cookie: String? = nil
    ) async -> Reply {
        var fields = fields
        fields["transaction"] = page.hiddenFields["transaction"]
        fields["action"] = action
        return await post("/auth/authorize/sheet", fields, cookie: cookie)
    }

    /// Fills in the page that asks for an account.
    func signIn(
        _ page: Reply,
        email: String = "maya@example.com",
        cookie: String? = nil
    ) async -> Reply {
        await step(page, "sign-in", ["email": email, "password": "apple"], cookie: cookie)
    }
}
