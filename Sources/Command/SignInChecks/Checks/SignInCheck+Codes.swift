import AppleIdentity
import Foundation

/// Checks that Apple's response is valid once, and only in the browser that received it.
extension SignInCheck {
    private static let once = """
        End the pending sign-in when Apple's response arrives, whatever the outcome, and exchange the code before you sign \
        in the user.
        """

    static let codes = [
        SignInCheck(
            name: "callback-replayed",
            attempt:
                "Apple's response twice, both times with the cookies from before the first response",
            expectation:
                "the second response signs in no user, or the same user in the first session or instead of it",
            fix: once,
            source: .injection
        ) { context throws(CheckError) in
            let (visit, answer) = try await context.visit(as: context.victim)
            var (first, before) = (visit, visit)
            _ = try await context.deliver(&first, answer)
            let earlier = before.browser.cookies.all
            guard try await context.who(&first) != .anonymous else { throw .noUsualSignIn() }
            // Otherwise the effect of the second response is unknown.
            guard try await context.who(&before) == .anonymous else {
                return .notExamined(
                    "the earlier cookies are signed in without the second response: see session-fixation"
                )
            }
            // A cookie with the time in it would be another one now.
            try await context.time.pause(for: .milliseconds(1100))
            let reply = try await context.deliver(&before, answer)
            let second = try await context.who(&before)
            guard second != .anonymous else { return try await context.refused(reply) }
            // A browser that posts twice gets both responses; the second must not add a session.
            let given = try await context.sessionCookies(of: first).subtracting(earlier)
            if second != .attacker, !given.isEmpty, given.isSubset(of: before.browser.cookies.all) {
                return .holds("the second response opens the first session again")
            }
            guard second != .attacker, try await context.who(&first) == .anonymous else {
                return .fails("a second browser is signed in as \(second)")
            }
            return .holds("the second session has replaced the first")
        },
        SignInCheck(
            name: "code-replayed",
            attempt:
                "a used code of the victim in the attacker's sign-in, with and without the attacker's token",
            expectation: "no user is signed in",
            fix: once,
            source: .injection
        ) { context throws(CheckError) in
            let (visit, used) = try await context.visit(as: context.victim)
            var victim = visit
            _ = try await context.deliver(&victim, used)
            let choices = context.asksIdentityToken ? [true, false] : [false]
            return try await context.each(choices) { keepsToken throws(CheckError) in
                try await context.replay(used.code, keepsToken: keepsToken)
            }
        },
        injected, tokenEndpointError, cancelled, markupInError,
    ]

    static let injected = SignInCheck(
        name: "code-injected",
        attempt:
            "an unused code of the victim in the attacker's sign-in, with and without the attacker's token",
        expectation: "the attacker is not signed in as the victim",
        fix: """
            Compare the nonce of the token that you get for the code with this browser's nonce, and its `sub` with that of \
            the posted token. Or use PKCE.
            """,
        source: .injection
    ) { context throws(CheckError) in
        guard context.identityDetector.tellsPeople else {
            return .notExamined(CheckContext.noNames)
        }
        let choices = context.asksIdentityToken ? [true, false] : [false]
        return try await context.each(choices) { keepsToken throws(CheckError) in
            try await context.inject(keepsToken: keepsToken)
        }
    }

    private static let tokenEndpointError = SignInCheck(
        name: "token-endpoint-error",
        attempt: "a code that Apple's token endpoint refuses (`invalid_grant`)",
        expectation: "no user is signed in, and the next sign-in works",
        fix:
            "Sign the user in only after the exchange has succeeded. Without it you have no refresh token to revoke.",
        source: .deletion
    ) { context throws(CheckError) in
        var (visit, answer) = try await context.visit(as: context.victim)
        let fault = try await context.apple.refuseNextExchange(of: context.registration.clientID)
        // Apple failed here, so 503 is a correct response, too.
        let reply = try await visit.deliver(answer)
        // A server that exchanged the code has used it up.
        try? await context.apple.undo(fault)
        guard try await context.who(&visit) == .anonymous else {
            return .advice("the browser is signed in without a successful exchange")
        }
        return try await context.refused(reply)
    }

    private static let cancelled = SignInCheck(
        name: "cancelled",
        attempt: "Apple's response to Cancel: `error`, the state, and no code",
        expectation: "no user is signed in, and the server does not respond with a server error",
        fix:
            "Read `error` before `code`: Apple sends only `user_cancelled_authorize` and the state.",
        source: .web
    ) { context throws(CheckError) in
        var visit = context.newVisit()
        try await visit.begin()
        let answer = try await visit.decide(
            context.apple,
            ["person": .string(context.victim.email), "decision": "cancel"]
        )
        let reply = try await context.deliver(&visit, answer)
        guard try await context.who(&visit) == .anonymous else {
            return .fails("the browser is signed in")
        }
        return reply.status >= 500
            ? .advice("responded with \(reply.status)") : try await context.refused(reply)
    }

    private static let markupInError = SignInCheck(
        name: "error-markup",
        attempt: "a response with markup in `error`",
        expectation: "the page escapes it",
        fix: "Escape external input, or show your own message instead.",
        source: .escaping
    ) { context throws(CheckError) in
        let probe = MarkupProbe()
        var (visit, answer) = try await context.visit(as: context.victim)
        answer.fields["code"] = nil
        answer.fields["id_token"] = nil
        answer.fields["error"] = probe.text
        let reply = try await context.deliver(&visit, answer)
        guard try await context.who(&visit) == .anonymous else {
            return .fails("the browser is signed in")
        }
        let pages = [reply, visit.repetition].compactMap(\.self)
        if let markup = pages.lazy.compactMap(probe.found).first {
            return .fails("the page contains the markup unescaped: \(markup)")
        }
        guard reply.text.contains(probe.word), !reply.isPage else {
            return try await context.refused(reply)
        }
        return .holds("shown as \(reply["content-type"] ?? ""), which browsers do not run")
    }
}

extension CheckContext {
    /// Sends another sign-in's code in the attacker's sign-in.
    fileprivate func replay(_ code: String?, keepsToken: Bool) async throws(CheckError) -> Finding {
        // The token is the attacker's own, but the server overlooked that Apple refused the code.
        let signedIn = Finding.advice(
            "the attacker is signed in with the token, although Apple refuses the code"
        )
        let failed = Finding.fails("the attacker's browser is signed in")
        return try await send(code, keepsToken, ifSignedIn: keepsToken ? signedIn : failed)
    }

    /// Sends the victim's unused code in the attacker's sign-in.
    fileprivate func inject(keepsToken: Bool) async throws(CheckError) -> Finding {
        let (_, stolen) = try await visit(as: victim)
        let signedIn = Finding.advice(
            "the attacker is signed in with another user's code, whose refresh token the server may store"
        )
        return try await send(stolen.code, keepsToken, ifSignedIn: signedIn)
    }

    private func send(
        _ code: String?,
        _ keepsToken: Bool,
        ifSignedIn finding: Finding
    ) async throws(CheckError) -> Finding {
        var (visit, answer) = try await visit(as: attacker)
        answer.fields["code"] = code
        if !keepsToken { answer.fields["id_token"] = nil }
        let reply = try await deliver(&visit, answer)
        switch try await who(&visit) {
        case .anonymous: return try await refused(reply)
        case .victim: return .fails("the attacker's browser is signed in as the victim")
        case .attacker, .somebody: return finding
        }
    }
}
