/// The answer belongs to the browser that asked.
extension SignInCheck {
    private static let bindState = """
        Make a random state for each sign-in, keep it in a cookie of this browser, and compare it before all else.
        """

    static let state = [
        SignInCheck(
            "state-sent",
            .state,
            attempt: "begins two sign-ins",
            expectation: "each has a state of its own, too long to guess",
            fix: bindState,
            source: .crossSite
        ) { context throws(CheckError) in
            var other = context.newVisit()
            try await other.begin()
            guard let first = context.usual.request["state"], let second = other.request["state"]
            else { return .fails("the request to Apple has no state") }
            guard first != second else { return .fails("two sign-ins had the same state") }
            let count = first.count
            return count < 16
                ? .fails("the state has \(count) characters, and can be guessed")
                : .holds("\(count) characters, and others the next time")
        },
        SignInCheck(
            "state-wrong",
            .state,
            attempt: "comes back with another state",
            expectation: "nobody is signed in",
            fix: bindState,
            source: .crossSite
        ) { context throws(CheckError) in
            var (visit, answer) = try await context.visit(as: context.victim)
            answer.fields["state"] = CheckPerson.letters(32)
            return try await context.expectNobody(visit, answer)
        },
        SignInCheck(
            "state-missing",
            .state,
            attempt: "comes back without a state",
            expectation: "nobody is signed in",
            fix: bindState + " Refuse an answer without one.",
            source: .crossSite
        ) { context throws(CheckError) in
            var (visit, answer) = try await context.visit(as: context.victim)
            answer.fields["state"] = nil
            return try await context.expectNobody(visit, answer)
        },
        SignInCheck(
            "state-other-browser",
            .state,
            attempt: "brings the attacker's answer to a browser with a sign-in of its own",
            expectation: "the victim's browser is not signed in as the attacker",
            fix: bindState,
            source: .crossSite
        ) { context throws(CheckError) in
            let (_, answer) = try await context.visit(as: context.attacker)
            var browser = context.newVisit()
            try await browser.begin()
            return try await context.expectNobody(browser, answer)
        },
        SignInCheck(
            "state-no-browser",
            .state,
            attempt: "brings the attacker's answer to a browser that began no sign-in",
            expectation: "the victim's browser is not signed in as the attacker",
            fix: bindState,
            source: .crossSite
        ) { context throws(CheckError) in
            let (_, answer) = try await context.visit(as: context.attacker)
            return try await context.expectNobody(context.newVisit(), answer)
        },
    ]
}
