/// Checks that a response is valid only in the browser that began the sign-in.
extension SignInCheck {
    private static let bindState = """
        Generate a random state for each sign-in, store it in a cookie of this browser, and compare it before anything else.
        """

    static let state = [
        SignInCheck(
            name: "state-sent",
            attempt: "two sign-ins begin in two browsers",
            expectation: "each has its own state, too long to guess",
            fix: bindState,
            source: .crossSite
        ) { context throws(CheckError) in
            var other = context.newVisit()
            try await other.begin()
            let states = (context.usual.request["state"], other.request["state"])
            return try await context.unlessBoundOtherwise(lookedAt(states))
        },
        SignInCheck(
            name: "state-wrong",
            attempt:
                "Apple's response with a different state, from the browser that began the sign-in",
            expectation: "no user is signed in",
            fix: bindState,
            source: .crossSite
        ) { context throws(CheckError) in
            var (visit, answer) = try await context.visit(as: context.victim)
            answer.fields["state"] = CheckPerson.letters(32)
            let finding = try await context.expectNobody(visit, answer)
            return try await context.unlessBoundOtherwise(finding)
        },
        SignInCheck(
            name: "state-missing",
            attempt:
                "Apple's response without a state, and with an empty one, from the browser that began the sign-in",
            expectation: "no user is signed in",
            fix: bindState + " Refuse a response without a state.",
            source: .crossSite
        ) { context throws(CheckError) in
            let finding = try await context.each([nil, ""]) { state throws(CheckError) in
                var (visit, answer) = try await context.visit(as: context.victim)
                answer.fields["state"] = state
                return try await context.expectNobody(visit, answer)
            }
            return try await context.unlessBoundOtherwise(finding)
        },
        SignInCheck(
            name: "state-other-browser",
            attempt: "Apple's response to the attacker, from a browser with its own sign-in",
            expectation: "this browser is not signed in as the attacker",
            fix: bindState,
            source: .crossSite
        ) { context throws(CheckError) in
            try await context.inOtherBrowser(hasBegun: true)
        },
        SignInCheck(
            name: "state-no-browser",
            attempt:
                "Apple's response to the attacker, with and without its state, from a browser that began no sign-in",
            expectation: "this browser is not signed in as the attacker",
            fix: bindState,
            source: .crossSite
        ) { context throws(CheckError) in
            try await context.inOtherBrowser(hasBegun: false)
        },
    ]

    private static func lookedAt(_ states: (first: String?, second: String?)) -> Finding {
        guard let first = states.first, let second = states.second else {
            return .fails("the request to Apple has no state")
        }
        guard first != second else { return .fails("two sign-ins had the same state") }
        guard first.count >= minimumStateLength else {
            return .fails("the state has \(first.count) characters, and can be guessed")
        }
        let count = differingCount(first, second)
        // A counter or the time differs in few characters.
        return count < minimumDifferenceLength
            ? .fails("two states differ in \(count) characters, and can be guessed")
            : .holds("\(first.count) characters, different each time")
    }

    /// The shortest state that can't be guessed, in characters.
    private static let minimumStateLength = 16
    /// The shortest part in which two states must differ, in characters.
    private static let minimumDifferenceLength = 10

    /// The length of the first text without the beginning and end that both have in common.
    private static func differingCount(_ first: String, _ second: String) -> Int {
        let start = zip(first, second).prefix { $0 == $1 }.count
        let (rest, other) = (first.dropFirst(start), second.dropFirst(start))
        let end = zip(rest.reversed(), other.reversed()).prefix { $0 == $1 }.count
        return rest.count - end
    }
}

extension CheckContext {
    fileprivate func inOtherBrowser(hasBegun: Bool) async throws(CheckError) -> Finding {
        // A missing state must not match the missing state of a browser without a sign-in.
        let changes: [@Sendable (String?) -> String?] =
            hasBegun ? [{ $0 }] : [{ $0 }, { _ in nil }, { _ in "" }]
        return try await each(changes) { change throws(CheckError) in
            var (_, answer) = try await visit(as: attacker)
            answer.fields["state"] = change(answer.state)
            var browser = newVisit()
            if hasBegun { try await browser.begin() }
            return try await expectNobody(browser, answer)
        }
    }

    /// Turns a failure into advice if a nonce or PKCE protects instead of the state.
    ///
    /// Source: [RFC 9700, section 2.1](https://www.rfc-editor.org/rfc/rfc9700#section-2.1)
    fileprivate func unlessBoundOtherwise(_ finding: Finding) async throws(CheckError) -> Finding {
        guard finding.verdict == .fails, hasNonceOrPKCE,
            try await inOtherBrowser(hasBegun: true).verdict == .holds,
            try await inOtherBrowser(hasBegun: false).verdict == .holds
        else { return finding }
        return .advice(
            finding.reason + "; the nonce or PKCE still makes the server refuse the attack"
        )
    }
}
