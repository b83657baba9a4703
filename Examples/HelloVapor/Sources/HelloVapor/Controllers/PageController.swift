import Vapor

/// The public pages: the start page and two with Apple's button.
struct PageController: RouteCollection {
    struct Start: Encodable {
        let name: String?
        let isSignedIn: Bool
    }

    struct SignIn: Encodable {
        let title: String
        let button: String
        let returnPath: String
    }

    func boot(routes: any RoutesBuilder) throws {
        routes.get { request in
            let user = request.auth.get(UserSession.self)?.user
            let page = Start(name: user?.name, isSignedIn: user != nil)
            return try await request.view.render("start", page)
        }
        routes.get("log-in") { request in
            try await page(request, title: "Log in", button: "Sign in with Apple")
        }
        routes.get("register") { request in
            try await page(request, title: "Register", button: "Sign up with Apple")
        }
    }

    /// Apple doesn't distinguish the two; we learn afterwards who is new.
    private func page(_ request: Request, title: String, button: String) async throws -> View {
        // The library checks it, and redirects to pages of this site only.
        let path = request.query[String.self, at: "return_to"] ?? "/account"
        let page = SignIn(title: title, button: button, returnPath: path.inQuery)
        return try await request.view.render("sign-in", page)
    }
}

extension String {
    /// The text, encoded as a value in a query.
    var inQuery: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
