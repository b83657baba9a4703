import AppleIdentity
import Foundation

/// The name comes once, from the browser, unsigned; the address says nothing about who somebody is.
extension SignInCheck {
    static let people = [
        SignInCheck(
            "name-missing",
            .person,
            attempt: "signs a new person in whose name got lost on the way",
            expectation: "the person is signed in",
            fix: "Let people without a name in: Apple sends it once, and never again.",
            source: .users
        ) { context throws(CheckError) in
            let person = try await context.newPerson("nameless")
            var (visit, answer) = try await context.visit(as: person)
            answer.fields["user"] = nil
            return try await context.expectSignIn(&visit, answer).asAdvice
        },
        SignInCheck(
            "name-later",
            .person,
            attempt: "posts another name at a second sign-in",
            expectation: "the account keeps the first name",
            fix:
                "Take the name at the first sign-in; afterwards the form is the browser's word alone.",
            source: .users
        ) { context throws(CheckError) in
            let person = try await context.newPerson("renamed")
            _ = try await context.signIn(person)
            let name = "N" + CheckPerson.letters(8)
            var (visit, answer) = try await context.visit(as: person)
            answer.fields["user"] = user(name: name, email: person.email)
            _ = try await visit.deliver(answer)
            let page = try await visit.look()
            guard context.recognition.who(page) != .nobody else {
                return .holds("the second sign-in was refused")
            }
            return page.text.contains(name)
                ? .advice("the account now has the posted name") : .holds("the first name is kept")
        },
        markupInName,
        SignInCheck(
            "user-unreadable",
            .person,
            attempt: "posts a `user` that is no JSON",
            expectation: "the server refuses it or does without, and does not fail",
            fix: "Treat a `user` that can't be read as missing, or answer 400.",
            source: .users
        ) { context throws(CheckError) in
            let person = try await context.newPerson("unreadable")
            var (visit, answer) = try await context.visit(as: person)
            answer.fields["user"] = "{\"name\": ["
            let reply = try await visit.deliver(answer)
            return reply.status >= 500
                ? .advice("answered \(reply.status)") : .holds(CheckContext.words(for: reply))
        },
    ]

    private static let markupInName = SignInCheck(
        "name-markup",
        .person,
        attempt: "posts markup as a new person's name",
        expectation: "no page has it as markup",
        fix: "Escape the name on every page: it is the browser's word.",
        source: .escaping
    ) { context throws(CheckError) in
        let person = try await context.newPerson("markup")
        let markup = "<b id=check\(CheckPerson.letters(6))>"
        var (visit, answer) = try await context.visit(as: person)
        answer.fields["user"] = user(name: markup, email: person.email)
        let reply = try await visit.deliver(answer)
        let page = try await visit.browser.get(context.target.whoAmI)
        return [reply, page].contains { $0.isPage && $0.text.contains(markup) }
            ? .fails("a page has the markup as it was sent")
            : .holds(CheckContext.words(for: reply))
    }

    static let addresses = [
        SignInCheck(
            "posted-address",
            .person,
            attempt: "signs a new person in, and posts the victim's address in `user`",
            expectation: "the victim's account is not opened",
            fix: "Take the address from the identity token: `user` is unsigned.",
            source: .identifier
        ) { context throws(CheckError) in
            let person = try await context.newPerson("poster")
            var (visit, answer) = try await context.visit(as: person)
            answer.fields["user"] = user(name: person.givenName, email: context.victim.email)
            return try await takeover(context, visit, answer)
        },
        takeover(
            "unverified-address",
            isVerified: false,
            "that Apple has not proved, as \"false\""
        ),
        takeover("reassigned-address", isVerified: true, "that Apple has proved since"),
        functional(
            "address-hidden",
            "signs a new person in who hides the address",
            choice: ["email": "hide"]
        ),
        functional(
            "address-missing",
            "signs a new person in whose token has no address",
            switches: ["email_claim": "missing"]
        ),
        functional(
            "booleans-as-text",
            "signs a new person in whose token says \"true\" as a text",
            switches: ["boolean_claims": "text", "private_email_claim": "always"]
        ),
    ]

    private static func takeover(
        _ name: String,
        isVerified: Bool,
        _ words: String
    ) -> SignInCheck {
        SignInCheck(
            name,
            .person,
            attempt: "signs another person in with the victim's address, \(words)",
            expectation: "the victim's account is not opened",
            fix: """
                Find accounts by issuer and `sub` alone; link another account only after its owner has signed in to it.
                """,
            source: .identifier
        ) { context throws(CheckError) in
            let person = try await context.newPerson("namesake", isVerified: isVerified)
            var (visit, answer) = try await context.visit(
                as: person,
                switches: [
                    "email_address": .string(context.victim.email), "boolean_claims": "text",
                ]
            )
            // Apple tells the same address in both places.
            answer.fields["user"] = user(name: person.givenName, email: context.victim.email)
            return try await takeover(context, visit, answer)
        }
    }

    /// The page may show the victim's address, which the token has; all else would be the victim's account.
    private static func takeover(
        _ context: CheckContext,
        _ visit: Visit,
        _ answer: AppleAnswer
    ) async throws(CheckError) -> Finding {
        let email = context.victim.email
        guard context.recognition.tellsPeople(besides: email) else {
            return .notExamined("the page of --signed-in shows nothing of a person but the address")
        }
        var visit = visit
        let reply = try await visit.deliver(answer)
        let page = try await visit.look()
        if context.recognition.isVictim(page, besides: email) {
            return .fails("the browser is signed in to the victim's account")
        }
        return context.recognition.who(page) == .nobody
            ? .holds(CheckContext.words(for: reply)) : .holds("an account of its own is opened")
    }

    private static func functional(
        _ name: String,
        _ attempt: String,
        switches: JSONObject? = nil,
        choice: JSONObject = [:]
    ) -> SignInCheck {
        SignInCheck(
            name,
            .person,
            attempt: attempt,
            expectation: "the person is signed in",
            fix:
                "Take what Apple's documentation allows: hidden and missing addresses, truth values as texts.",
            source: .users
        ) { context throws(CheckError) in
            let person = try await context.newPerson("reader")
            var (visit, answer) = try await context.visit(
                as: person,
                switches: switches,
                choice: choice
            )
            return try await context.expectSignIn(&visit, answer).asAdvice
        }
    }

    private static func user(name: String, email: String) -> String {
        let object: JSONObject = [
            "name": ["firstName": .string(name), "lastName": "Check"], "email": .string(email),
        ]
        return object.text
    }
}
