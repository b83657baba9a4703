import Foundation

/// Where the browser ends, and what it keeps.
extension SignInCheck {
    static let browsers = [
        openRedirect, ceremonyCookie,
        SignInCheck(
            "session-cookie-http-only",
            .browser,
            attempt: "looks at the cookies without which nobody is signed in",
            expectation: "they are HttpOnly",
            fix: "Set the session's cookie with HttpOnly, so that no script reads it.",
            source: .cookies
        ) { context throws(CheckError) in
            try await sessionCookies(context) { cookie in
                cookie.isHTTPOnly ? nil : .fails("\(cookie.name) is not HttpOnly")
            }
        },
        SignInCheck(
            "session-cookie-secure",
            .browser,
            attempt: "looks at the cookies without which nobody is signed in",
            expectation: "they are Secure",
            fix: "Set the session's cookie with Secure.",
            source: .cookies
        ) { context throws(CheckError) in
            let isPlain = context.target.whoAmI.scheme != "https"
            return try await sessionCookies(context) { cookie in
                if cookie.isSecure { return nil }
                return isPlain
                    ? .notExamined("the server is reached by http, where \(cookie.name) can't tell")
                    : .fails("\(cookie.name) is not Secure")
            }
        },
        SignInCheck(
            "session-cookie-same-site",
            .browser,
            attempt: "looks at the cookies without which nobody is signed in",
            expectation: "they are SameSite=Lax or Strict",
            fix: "Set SameSite=Lax: only the cookie of the pending sign-in needs None.",
            source: .cookies
        ) { context throws(CheckError) in
            try await sessionCookies(context) { cookie in
                switch cookie.sameSite {
                case .lax, .strict: nil
                case .some(.none): .advice("\(cookie.name) is SameSite=None")
                case nil: .advice("\(cookie.name) says nothing about SameSite")
                }
            }
        },
        SignInCheck(
            "session-fixation",
            .browser,
            attempt: "uses the cookies from before a sign-in afterwards",
            expectation: "they are signed in to nothing",
            fix: "Give the session a new identifier when somebody signs in.",
            source: .cookies
        ) { context throws(CheckError) in
            let (before, answer) = try await context.visit(as: context.victim)
            var (after, planted) = (before, before)
            _ = try await after.deliver(answer)
            return try await context.who(&planted) == .nobody
                ? .holds("the session has a new cookie")
                : .fails("whoever knew the cookies before is signed in")
        },
    ]

    /// Names that servers give to the address to return to.
    private static let returnParameters = [
        "return_to", "returnTo", "return", "returnUrl", "return_url", "next", "redirect",
        "redirect_to", "redirectTo", "redirect_url", "continue", "url", "callbackUrl",
        "destination", "target", "from",
    ]
    private static let foreignHost = "attacker.example"
    /// Addresses of another site, as browsers read them.
    private static let foreignAddresses = [
        "https://\(foreignHost)/", "//\(foreignHost)/", "/\\\(foreignHost)/",
        "/\t/\(foreignHost)/",
    ]

    private static let openRedirect = SignInCheck(
        "open-redirect",
        .browser,
        attempt:
            "begins with the address of another site in the parameters that say where to return",
        expectation: "the browser stays on the server's site after the sign-in",
        fix:
            "Return to paths of your own alone: they begin with one slash, and no backslash or tab follows.",
        source: .redirector
    ) { context throws(CheckError) in
        let names = returnParameters + context.target.returnParameters
        for address in foreignAddresses {
            let extra = names.map { WebField($0, address) }
            var opening = context.newVisit()
            do {
                try await opening.begin(extra)
            } catch {
                continue
            }
            var (visit, answer) = try await context.visit(as: context.victim, extra: extra)
            _ = try await visit.deliver(answer)
            if visit.locations.contains(where: { $0.host() == foreignHost }) {
                return .fails("the browser was sent to \(address.debugDescription)")
            }
        }
        return .holds("tried with \(names.count) names of parameters")
    }

    private static let ceremonyCookie = SignInCheck(
        "pending-cookie-cross-site",
        .browser,
        attempt: "comes back by a form of another site, with the cookies that browsers send then",
        expectation: "the sign-in works",
        fix:
            "Set the cookie of the pending sign-in with SameSite=None; Secure, and keep it short-lived.",
        source: .web
    ) { context throws(CheckError) in
        context.isStrict
            ? .holds("the sign-in works")
            : .fails(
                "the sign-in works only in browsers without SameSite; all other checks ran so"
            )
    }

    /// Looks at each cookie without which the victim's browser is not signed in.
    private static func sessionCookies(
        _ context: CheckContext,
        _ look: (WebCookie) -> Finding?
    ) async throws(CheckError) -> Finding {
        let url = context.target.whoAmI
        let visit = try await context.signIn(context.victim)
        var names: [String] = []
        for cookie in visit.browser.cookies.cookies(of: url) {
            var other = visit
            other.browser.cookies.remove(cookie, of: url)
            guard try await context.who(&other) == .nobody else { continue }
            if let finding = look(cookie) { return finding }
            names.append(cookie.name)
        }
        return names.isEmpty
            ? .notExamined("no single cookie keeps the session")
            : .holds(names.joined(separator: ", "))
    }
}
