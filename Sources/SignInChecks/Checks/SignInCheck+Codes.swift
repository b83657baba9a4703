import AppleIdentity
import Foundation

/// An answer of Apple's is good once, for who got it.
extension SignInCheck {
    private static let once = """
        End the pending sign-in when its answer arrives, whatever comes of it, and exchange the code before anybody is \
        signed in.
        """

    static let codes = [
        SignInCheck(
            "callback-replayed",
            .code,
            attempt: "sends the same answer again, with the cookies from before the first time",
            expectation: "nobody is signed in the second time",
            fix: once,
            source: .injection
        ) { context throws(CheckError) in
            let (visit, answer) = try await context.visit(as: context.victim)
            var first = visit
            _ = try await first.deliver(answer)
            guard try await context.who(&first) != .nobody else {
                return .notExamined("the first time nobody was signed in either")
            }
            return try await context.expectNobody(visit, answer)
        },
        SignInCheck(
            "code-replayed",
            .code,
            attempt: "sends a code of the victim's that was used, in the attacker's sign-in",
            expectation: "nobody is signed in",
            fix: once,
            source: .injection
        ) { context throws(CheckError) in
            let (visit, used) = try await context.visit(as: context.victim)
            var victim = visit
            _ = try await victim.deliver(used)
            var (browser, answer) = try await context.visit(as: context.attacker)
            answer.fields["code"] = used.code
            answer.fields["id_token"] = nil
            return try await context.expectNobody(browser, answer)
        },
        injected, tokenEndpointError, cancelled, markupInError,
    ]

    private static let injected = SignInCheck(
        "code-injected",
        .code,
        attempt: "sends a fresh code of the victim's in the attacker's sign-in",
        expectation: "the attacker is not signed in as the victim",
        fix: """
            Compare the nonce of the token that comes for the code with this browser's own, and who it is about with \
            the posted token; or use PKCE.
            """,
        source: .injection
    ) { context throws(CheckError) in
        guard context.recognition.tellsPeople else { return .notExamined(CheckContext.noNames) }
        let (_, stolen) = try await context.visit(as: context.victim)
        var (visit, answer) = try await context.visit(as: context.attacker)
        answer.fields["code"] = stolen.code
        let reply = try await visit.deliver(answer)
        switch try await context.who(&visit) {
        case .nobody: return .holds(CheckContext.words(for: reply))
        case .victim: return .fails("the attacker's browser is signed in as the victim")
        case .attacker, .somebody:
            return .advice(
                "the attacker is signed in with somebody else's code, whose refresh token the server may keep"
            )
        }
    }

    private static let tokenEndpointError = SignInCheck(
        "token-endpoint-error",
        .code,
        attempt: "lets Apple refuse the code",
        expectation: "nobody is signed in, and the next sign-in works",
        fix:
            "Sign in after the exchange has succeeded: without it there is no refresh token to revoke.",
        source: .deletion
    ) { context throws(CheckError) in
        let (visit, answer) = try await context.visit(as: context.victim)
        try await context.apple.refuseNextExchange()
        let finding = try await context.expectNobody(visit, answer)
        try await context.apple.clearFaults()
        _ = try await context.signIn(context.victim)
        return finding.asAdvice
    }

    private static let cancelled = SignInCheck(
        "cancelled",
        .code,
        attempt: "presses Cancel on Apple's page",
        expectation: "nobody is signed in, and the server says so without failing",
        fix:
            "Read `error` before `code`: Apple sends `user_cancelled_authorize` with the state alone.",
        source: .web
    ) { context throws(CheckError) in
        var visit = context.newVisit()
        try await visit.begin()
        let answer = try await visit.decide(
            context.apple,
            ["person": .string(context.victim.email), "decision": "cancel"]
        )
        let reply = try await visit.deliver(answer)
        guard try await context.who(&visit) == .nobody else {
            return .fails("the browser is signed in")
        }
        return reply.status >= 500
            ? .advice("answered \(reply.status)") : .holds(CheckContext.words(for: reply))
    }

    private static let markupInError = SignInCheck(
        "error-markup",
        .code,
        attempt: "comes back with markup in `error`",
        expectation: "the page does not have it as markup",
        fix: "Escape what comes from outside, or show a text of your own.",
        source: .escaping
    ) { context throws(CheckError) in
        let markup = "<script>check\(CheckPerson.letters(8))</script>"
        var (visit, answer) = try await context.visit(as: context.victim)
        answer.fields["code"] = nil
        answer.fields["id_token"] = nil
        answer.fields["error"] = markup
        let reply = try await visit.deliver(answer)
        return reply.isPage && reply.text.contains(markup)
            ? .fails("the page has the markup as it was sent")
            : .holds(CheckContext.words(for: reply))
    }
}
