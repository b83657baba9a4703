import Vapor

/// The pages for everybody: the first one, and the two with Apple's button.
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

    /// Apple makes no difference between the two: who is new is found out afterwards.
    private func page(_ request: Request, title: String, button: String) async throws -> View {
        let path = request.query[String.self, at: "return_to"] ?? "/account"
        let page = SignIn(title: title, button: button, returnPath: path.inQuery)
        return try await request.view.render("sign-in", page)
    }
}

extension String {
    /// The text as the value of a query's field.
    var inQuery: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
