import AppleIdentity
import Foundation

/// Checks of the name, which the browser sends once and unsigned, and of the email address, which identifies no one.
extension SignInCheck {
    static let people = [
        SignInCheck(
            name: "name-missing",
            attempt:
                "the first response about a new user, without the `user` field that contains the name",
            expectation: "the user is signed in",
            fix: "Accept users without a name: Apple sends it only once.",
            source: .users
        ) { context throws(CheckError) in
            let person = try await context.newPerson("nameless")
            var (visit, answer) = try await context.visit(as: person)
            answer.fields["user"] = nil
            return try await context.expectSignIn(&visit, answer).asAdvice
        },
        SignInCheck(
            name: "name-later",
            attempt: "a different name in `user` at a second sign-in",
            expectation: "the account keeps the first name",
            fix:
                "Use the name only at the first sign-in. Later on, the form is only an unverified claim by the browser.",
            source: .users
        ) { context throws(CheckError) in
            let person = try await context.newPerson("renamed")
            var first = try await context.signIn(person)
            guard try await first.look().text.contains(person.givenName) else {
                return .notExamined("the --signed-in page does not show the user's first name")
            }
            let name = "N" + CheckPerson.letters(8)
            var (visit, answer) = try await context.visit(as: person)
            answer.fields["user"] = user(in: answer, name: name)
            let reply = try await context.deliver(&visit, answer)
            let page = try await visit.look()
            guard context.identityDetector.who(page) != .anonymous else {
                return try await context.refused(reply)
            }
            return page.text.contains(name)
                ? .advice("the account now has the posted name, \(name)")
                : .holds("the first name is kept")
        },
        markupInName,
        SignInCheck(
            name: "user-unreadable",
            attempt: "a `user` that is not JSON, or has the wrong structure",
            expectation: "the server refuses it or ignores it, without a server error",
            fix: "Treat an unreadable `user` as missing, or respond with 400.",
            source: .users
        ) { context throws(CheckError) in
            try await context.each(unreadableUsers) { text throws(CheckError) in
                try await context.unreadable(text)
            }
        },
    ]

    /// Text that is not JSON, and JSON with members of the wrong type.
    private static let unreadableUsers = [
        "{\"name\": [", "", "null", "[]", "\"text\"", "{\"name\":null}", "{\"name\":\"text\"}",
        "{\"name\":{\"firstName\":null,\"lastName\":1}}",
    ]

    private static let markupInName = SignInCheck(
        name: "name-markup",
        attempt: "markup as a new user's name, in `user`",
        expectation: "every page escapes it",
        fix: "Escape the name on every page: it is untrusted input.",
        source: .escaping
    ) { context throws(CheckError) in
        let person = try await context.newPerson("markup")
        let probe = MarkupProbe()
        var (visit, answer) = try await context.visit(as: person)
        answer.fields["user"] = user(in: answer, name: probe.text, familyName: probe.text)
        let reply = try await context.deliver(&visit, answer)
        let page = try await visit.browser.get(context.target.whoAmI)
        let pages = [reply, page, visit.repetition].compactMap(\.self)
        if let markup = pages.lazy.compactMap(probe.found).first {
            return .fails("a page contains the markup unescaped: \(markup)")
        }
        guard let shown = [reply, page].first(where: { $0.text.contains(probe.word) }) else {
            // No page shows a refused name.
            return try await context.who(&visit) == .anonymous
                ? try await context.refused(reply)
                : .notExamined("no page that the check opens shows the user's name")
        }
        return .holds("shown without markup, as \(shown["content-type"] ?? "something else")")
    }

    static let addresses = [
        SignInCheck(
            name: "posted-address",
            attempt: "a new user's response, with the victim's email address in `user`",
            expectation: "the victim's account is not opened",
            fix: "Read the email address from the identity token: `user` is unsigned.",
            source: .identifier
        ) { context throws(CheckError) in
            let account = try await OwnAccount(context)
            let person = try await context.newPerson("poster")
            var (visit, answer) = try await context.visit(as: person)
            answer.fields["user"] = user(
                in: answer,
                name: person.givenName,
                email: account.owner.email
            )
            return try await account.finding(after: &visit, answer, of: person)
        },
        takeover(
            "unverified-address",
            isVerified: false,
            "which Apple has not verified (`email_verified` is \"false\")"
        ),
        takeover(
            "reassigned-address",
            isVerified: true,
            "which Apple has verified for that other user in the meantime"
        ),
        functional(
            "address-hidden",
            "a new user's token with an address of Apple's relay, of either domain, and without `is_private_email`",
            switches: [
                [:], ["relay_domain": "private.icloud.com"], ["private_email_claim": "missing"],
            ],
            choice: ["email": "hide"]
        ),
        functional(
            "address-missing",
            "a new user's token without an email address, and no email address in `user`",
            switches: [["email_claim": "missing"], ["email_claim": "empty"]],
            change: { $0.fields["user"] = withoutAddress($0.fields["user"]) }
        ),
        functional(
            "booleans-as-text",
            "a new user's token with `email_verified` as the string \"true\"",
            switches: [["boolean_claims": "text", "private_email_claim": "always"]]
        ),
    ]

    private static func takeover(_ name: String, isVerified: Bool, _ words: String) -> SignInCheck {
        SignInCheck(
            name: name,
            attempt: "another user's token with the victim's email address, \(words)",
            expectation: "the victim's account is not opened",
            fix: """
                Find accounts only by issuer and `sub`. Link another account only after its owner has signed in to it.
                """,
            source: .identifier
        ) { context throws(CheckError) in
            guard context.asksAddress else {
                return .notExamined("the server does not request the email address from Apple")
            }
            return try await context.each(["text", "boolean"]) { booleans throws(CheckError) in
                try await context.takenOver(booleans, isVerified: isVerified)
            }
        }
    }

    private static func functional(
        _ name: String,
        _ attempt: String,
        switches: [JSONObject] = [[:]],
        choice: JSONObject = [:],
        change: @escaping @Sendable (inout AppleAnswer) -> Void = { _ in }
    ) -> SignInCheck {
        SignInCheck(
            name: name,
            attempt: attempt,
            expectation: "the user is signed in",
            fix:
                "Accept everything that Apple's documentation allows: hidden and missing email addresses, booleans as strings.",
            source: .users
        ) { context throws(CheckError) in
            try await context.each(switches) { switches throws(CheckError) in
                let person = try await context.newPerson("reader")
                var (visit, answer) = try await context.visit(
                    as: person,
                    switches: switches,
                    choice: choice
                )
                change(&answer)
                return try await context.expectSignIn(&visit, answer).asAdvice
            }
        }
    }

    /// The `user` field without the email address.
    private static func withoutAddress(_ sent: String?) -> String? {
        guard let sent, var object = try? JSONObject(parsing: Data(sent.utf8)) else { return sent }
        object["email"] = nil
        return object.text
    }

    /// The `user` field with another name, and with another email address if one is given.
    fileprivate static func user(
        in answer: AppleAnswer,
        name: String,
        familyName: String = "Check",
        email: String? = nil
    ) -> String {
        let sent = answer.fields["user"].flatMap { try? JSONObject(parsing: Data($0.utf8)) }
        var object = sent ?? [:]
        object["name"] = ["firstName": .string(name), "lastName": .string(familyName)]
        if let email { object["email"] = .string(email) }
        return object.text
    }
}

extension CheckContext {
    fileprivate func unreadable(_ text: String) async throws(CheckError) -> Finding {
        let person = try await newPerson("unreadable")
        var (visit, answer) = try await visit(as: person)
        answer.fields["user"] = text
        let reply = try await deliver(&visit, answer)
        guard reply.status < 500 else {
            return .advice("responded with \(reply.status) to \(text.debugDescription)")
        }
        return try await who(&visit) == .anonymous
            ? try await refused(reply) : .holds("the user is signed in without it")
    }

    /// Signs in with another user's email address; `booleans` is the type of `email_verified`.
    fileprivate func takenOver(
        _ booleans: String,
        isVerified: Bool
    ) async throws(CheckError) -> Finding {
        let account = try await OwnAccount(self)
        let person = try await newPerson("namesake", isVerified: isVerified)
        var (visit, answer) = try await visit(
            as: person,
            switches: [
                "email_address": .string(account.owner.email),
                "boolean_claims": .string(booleans),
            ]
        )
        // Apple sends the same email address in both places.
        answer.fields["user"] = SignInCheck.user(
            in: answer,
            name: person.givenName,
            email: account.owner.email
        )
        return try await account.finding(after: &visit, answer, of: person)
    }
}
