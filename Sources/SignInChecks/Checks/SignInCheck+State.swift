/// The answer belongs to the browser that asked.
extension SignInCheck {
    private static let bindState = """
        Make a random state for each sign-in, keep it in a cookie of this browser, and compare it before all else.
        """

    static let state = [
        SignInCheck(
            name: "state-sent",
            topic: .state,
            attempt: "two sign-ins are begun, in two browsers",
            expectation: "each has a state of its own, too long to guess",
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
            topic: .state,
            attempt: "Apple's answer with another state, from the browser that began the sign-in",
            expectation: "nobody is signed in",
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
            topic: .state,
            attempt:
                "Apple's answer without a state, and with an empty one, from the browser that began the sign-in",
            expectation: "nobody is signed in",
            fix: bindState + " Refuse an answer without one.",
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
            topic: .state,
            attempt: "the attacker's answer, from a browser with a sign-in of its own",
            expectation: "this browser is not signed in as the attacker",
            fix: bindState,
            source: .crossSite
        ) { context throws(CheckError) in
            try await context.inOtherBrowser(hasBegun: true)
        },
        SignInCheck(
            name: "state-no-browser",
            topic: .state,
            attempt:
                "the attacker's answer, also without its state, from a browser that began no sign-in",
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
        // A number that counts up, or the time, with whatever around it.
        return count < minimumDifferenceLength
            ? .fails("two states differ in \(count) characters, and can be guessed")
            : .holds("\(first.count) characters, and others the next time")
    }

    /// The shortest state that can't be guessed, in characters.
    private static let minimumStateLength = 16
    /// The shortest part in which two states must differ, in characters.
    private static let minimumDifferenceLength = 10

    /// The length of what is left of a text without the beginning and end that another has, too.
    private static func differingCount(_ first: String, _ second: String) -> Int {
        let start = zip(first, second).prefix { $0 == $1 }.count
        let (rest, other) = (first.dropFirst(start), second.dropFirst(start))
        let end = zip(rest.reversed(), other.reversed()).prefix { $0 == $1 }.count
        return rest.count - end
    }
}

extension CheckContext {
    fileprivate func inOtherBrowser(hasBegun: Bool) async throws(CheckError) -> Finding {
        // Where nothing was begun, no state may equal none that was kept.
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

    /// A nonce or PKCE may stand in for the state, when they keep an attacker's answer out.
    ///
    /// Source: [RFC 9700, section 2.1](https://www.rfc-editor.org/rfc/rfc9700#section-2.1)
    fileprivate func unlessBoundOtherwise(_ finding: Finding) async throws(CheckError) -> Finding {
        guard finding.verdict == .fails, hasNonceOrPKCE,
            try await inOtherBrowser(hasBegun: true).verdict == .holds,
            try await inOtherBrowser(hasBegun: false).verdict == .holds
        else { return finding }
        return .advice(
            finding.reason + "; an attacker's answer is refused all the same, by the nonce or PKCE"
        )
    }
}
