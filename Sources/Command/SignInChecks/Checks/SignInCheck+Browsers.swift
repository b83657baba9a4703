import Foundation

/// Checks of redirects and cookies.
extension SignInCheck {
    static let browsers = [
        openRedirect, returnBegins, ceremonyCookie, plainAddress,
        SignInCheck(
            name: "session-cookie-http-only",
            attempt: sessionCookies,
            expectation: "they are HttpOnly",
            fix: "Set the session's cookie with HttpOnly. Then no script can read it.",
            source: .cookies
        ) { context throws(CheckError) in
            try await context.sessionCookies { cookie in
                cookie.isHTTPOnly ? nil : .fails("\(cookie.name) is not HttpOnly")
            }
        },
        SignInCheck(
            name: "session-cookie-secure",
            attempt: sessionCookies,
            expectation: "they are Secure",
            fix: "Set the session's cookie with Secure.",
            source: .cookies
        ) { context throws(CheckError) in
            let isPlain = context.target.whoAmI.scheme != "https"
            return try await context.sessionCookies { cookie in
                if cookie.isSecure { return nil }
                return isPlain
                    ? .notExamined("over HTTP, \(cookie.name) need not be Secure")
                    : .fails("\(cookie.name) is not Secure")
            }
        },
        SignInCheck(
            name: "session-cookie-same-site",
            attempt: sessionCookies,
            expectation: "they are SameSite=Lax or Strict",
            fix: "Set SameSite=Lax. Only the cookie of the pending sign-in needs None.",
            source: .cookies
        ) { context throws(CheckError) in
            try await context.sessionCookies { cookie in
                switch cookie.sameSite {
                case .lax, .strict: nil
                case .some(.none): .advice("\(cookie.name) is SameSite=None")
                case nil: .advice("\(cookie.name) has no SameSite")
                }
            }
        },
        SignInCheck(
            name: "session-fixation",
            attempt:
                "a sign-in in a browser whose cookies an attacker knows: those of an earlier visit, or invented ones",
            expectation: "a browser of the attacker with those cookies is not signed in",
            fix: "Give the session a new identifier at each sign-in.",
            source: .cookies
        ) { context throws(CheckError) in
            var planted = context.newVisit()
            try await planted.begin()
            var visit = planted
            try await visit.begin()
            let answer = try await context.consent(&visit)
            var before = visit
            _ = try await context.deliver(&visit, answer)
            guard try await context.who(&visit) != .anonymous else {
                throw CheckError(
                    "a sign-in with the cookies of an earlier visit did not work",
                    hint: "find the reason in the server's log"
                )
            }
            guard try await context.who(&planted) == .anonymous else {
                return .fails("a browser with the earlier cookies is signed in")
            }
            if let name = try await context.inventedCookie(like: visit) {
                return .fails("a browser with an invented value of \(name) is signed in")
            }
            // An attacker cannot plant these, because the server sets them when the sign-in begins.
            return try await context.who(&before) == .anonymous
                ? .holds("the session has a new cookie")
                : .advice("the session keeps the cookies with which the sign-in began")
        },
    ]

    private static let sessionCookies =
        "an ordinary sign-in; then each cookie without which the user is not signed in"

    /// Common names of the parameter with the URL to return to.
    private static let returnParameters = [
        "return_to", "returnTo", "return", "returnUrl", "return_url", "next", "redirect",
        "redirect_to", "redirectTo", "redirect_url", "continue", "url", "callbackUrl",
        "destination", "target", "from",
    ]
    private static let openRedirect = SignInCheck(
        name: "open-redirect",
        attempt: "a sign-in whose return path is another site's URL",
        expectation: "the browser stays on the server's site after the sign-in",
        fix: """
            Return only to your own paths: they begin with one slash, and no slash, backslash or tab follows. If you must \
            accept URLs, compare the whole origin.
            """,
        source: .redirector
    ) { context throws(CheckError) in
        let names = returnParameters + context.target.returnParameters
        let search = RedirectSearch(context: context, names: names)
        if let found = try await search.find() { return .fails(found) }
        return .holds("tried with \(names.count) parameter names, together and one at a time")
    }

    private static let returnBegins = SignInCheck(
        name: "return-begins",
        attempt: "a sign-in whose return path is the start of the sign-in itself",
        expectation: "the browser is not sent to Apple again after the sign-in",
        fix: """
            Return only to pages, never to a route that begins or changes something. Otherwise a link on another site can \
            start it in the name of the user who just signed in.
            """,
        source: .redirector
    ) { context throws(CheckError) in
        let start = context.target.start
        let path = start.path() + (start.query().map { "?" + $0 } ?? "")
        let names = returnParameters + context.target.returnParameters
        var visit = context.newVisit()
        do throws(CheckError) {
            try await visit.begin(names.map { WebField($0, path) })
        } catch  where error.kind == .unusable {
            return .holds("the server starts no sign-in with such a return path")
        }
        let answer = try await context.consent(&visit)
        let begunCount = visit.locations.count(where: Visit.isAuthorize)
        _ = try await context.deliver(&visit, answer)
        return visit.locations.count(where: Visit.isAuthorize) > begunCount
            ? .advice("the browser is sent to Apple again")
            : .holds("tried with \(names.count) parameter names, together")
    }

    private static let ceremonyCookie = SignInCheck(
        name: "pending-cookie-cross-site",
        attempt: "Apple's form, with the cookies that browsers send with a form of another site",
        expectation: "the sign-in works",
        fix:
            "Set the cookie of the pending sign-in with SameSite=None; Secure, or respond to a form without the cookie with a page that posts the same fields from your own site.",
        source: .web
    ) { context throws(CheckError) in
        if try await context.worksWith(.silenceIsLax) { return .holds("the sign-in works") }
        if try await context.worksWith(.silenceIsNone) {
            return .advice(
                "a cookie has no SameSite: Chromium sends it for two minutes, but not for users"
                    + " who take longer on Apple's page"
            )
        }
        guard context.rules == .ignored, try await context.worksWith(.ignored) else {
            throw .noUsualSignIn()
        }
        return .fails(
            "no user is signed in, except in a browser that ignores SameSite, which the other checks use"
        )
    }

    private static let plainAddress = SignInCheck(
        name: "cookies-at-http",
        attempt: "a sign-in over HTTP, in a browser that rejects Secure cookies there, like Safari",
        expectation: "the sign-in works",
        fix: """
            Over HTTP, set cookies without Secure and with SameSite=Lax, and respond to a form without the cookie with a \
            page that posts the same fields from your own site. Or use HTTPS.
            """,
        source: .webKit
    ) { context throws(CheckError) in
        guard context.target.start.scheme != "https" else {
            return .holds("over HTTPS, every browser accepts Secure cookies")
        }
        if try await context.worksWith(context.rules, takesSecureByHTTP: false) {
            return .holds("the sign-in works")
        }
        try await context.control()
        return .advice(
            "no user is signed in: the sign-in needs a Secure cookie, which Safari rejects"
        )
    }
}

extension CheckContext {
    /// The cookie whose invented value the server accepts as a session; nil if there is none.
    fileprivate func inventedCookie(like usual: Visit) async throws(CheckError) -> String? {
        let url = target.whoAmI
        for cookie in usual.browser.cookies.cookies(of: url) {
            var planted = newVisit()
            planted.browser.cookies.put(cookie.with(CheckPerson.letters(32)))
            var visit = planted
            do {
                try await visit.begin()
                let answer = try await consent(&visit)
                _ = try await deliver(&visit, answer)
            } catch  where error.kind == .unusable {
                // The server refuses a value that it did not create.
                continue
            }
            if try await who(&planted) != .anonymous { return cookie.name }
        }
        return nil
    }

    fileprivate func worksWith(
        _ rules: SameSiteRules,
        takesSecureByHTTP: Bool = true
    ) async throws(CheckError) -> Bool {
        var visit = Visit(target, client: client, rules)
        visit.browser.cookies.takesSecureByHTTP = takesSecureByHTTP
        try await visit.begin()
        let answer = try await consent(&visit)
        _ = try await deliver(&visit, answer)
        return try await who(&visit) != .anonymous
    }

    /// Examines each cookie without which the victim's browser is not signed in.
    fileprivate func sessionCookies(
        _ look: (WebCookie) -> Finding?
    ) async throws(CheckError) -> Finding {
        let cookies = try await sessionCookies(of: signIn(victim))
        for cookie in cookies { if let finding = look(cookie) { return finding } }
        return cookies.isEmpty
            ? .notExamined("the session does not depend on a single cookie")
            : .holds(cookies.map(\.name).sorted().joined(separator: ", "))
    }

    /// The cookies without any of which a browser is not signed in.
    func sessionCookies(of visit: Visit) async throws(CheckError) -> Set<WebCookie> {
        var found: Set<WebCookie> = []
        for cookie in visit.browser.cookies.cookies(of: target.whoAmI) {
            var other = visit
            other.browser.cookies.remove(cookie)
            if try await who(&other) == .anonymous { found.insert(cookie) }
        }
        return found
    }
}
