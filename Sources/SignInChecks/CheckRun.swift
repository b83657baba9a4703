import AppleIdentity
import Foundation

/// Examines a server: gets to know it by usual sign-ins, then makes each check.
package struct CheckRun: Sendable {
    private let target: CheckTarget
    private let checks: [SignInCheck]
    private let client: WebClient
    private let time: TimeSource

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - target: the server, and the emulator that it takes for Apple.
    ///   - checks: what to examine.
    ///   - time: the clock of tokens and of waits.
    package init(
        target: CheckTarget,
        checks: [SignInCheck] = SignInCheck.all,
        time: TimeSource = .live
    ) {
        self.target = target
        self.checks = checks
        self.time = time
        client = WebClient(time: time)
    }

    /// Makes every check.
    ///
    /// - Parameter onResult: called after each.
    /// - Returns: what came of them.
    /// - Throws: ``CheckError`` when a usual sign-in does not work, without which nothing can be told.
    package func run(
        onResult: (CheckResult) -> Void = { _ in }
    ) async throws(CheckError) -> CheckReport {
        let context = try await context()
        var results: [CheckResult] = []
        for check in checks {
            let result = CheckResult(check: check, finding: await finding(of: check, context))
            results.append(result)
            onResult(result)
        }
        return CheckReport(target: target, results: results)
    }

    private func finding(of check: SignInCheck, _ context: CheckContext) async -> Finding {
        do {
            return try await check.examine(context)
        } catch {
            return .notExamined(error.message)
        }
    }

    private func context() async throws(CheckError) -> CheckContext {
        let apple = EmulatedApple(control: target.control, client: client)
        let (victim, attacker) = (CheckPerson("victim"), CheckPerson("attacker"))
        try await apple.add(victim)
        try await apple.add(attacker)
        var anonymous = Visit(target, client: client, isStrict: true)
        let nobody = try await anonymous.look()
        // Twice as browsers do: a sign-in that failed for another reason works the second time.
        for isStrict in [true, true, false] {
            let samples = try await samples(apple, victim, attacker, isStrict: isStrict)
            let recognition = Recognition(
                anonymous: nobody,
                victims: (samples.victims.0.page, samples.victims.1.page),
                attacker: samples.attacker.page
            )
            guard recognition.who(samples.victims.0.page) != .nobody else { continue }
            return try await context(
                apple,
                recognition,
                (victim, attacker),
                samples.victims.0.visit,
                isStrict: isStrict
            )
        }
        throw await unusable(nobody, apple)
    }

    private func unusable(_ page: Snapshot, _ apple: EmulatedApple) async -> CheckError {
        let refusal = await apple.lastRefusal().map { "; Apple's last refusal: \($0)" } ?? ""
        return CheckError(
            "after a usual sign-in \(target.whoAmI.absoluteString) looks as before (it answered"
                + " \(page.status))" + refusal,
            hint: "give a page or a route that tells who is signed in with --signed-in, and look at"
                + " the server's log"
        )
    }

    private func context(
        _ apple: EmulatedApple,
        _ recognition: Recognition,
        _ people: (victim: CheckPerson, attacker: CheckPerson),
        _ usual: Visit,
        isStrict: Bool
    ) async throws(CheckError) -> CheckContext {
        let registration = try await apple.registration(of: usual.request["client_id"] ?? "")
        let credentials = try await apple.credentials(
            of: people.victim.email,
            for: registration.primaryID
        )
        return CheckContext(
            target: target,
            client: client,
            apple: apple,
            time: time,
            registration: registration,
            recognition: recognition,
            victim: people.victim,
            victimID: credentials["user"]?.stringValue ?? "",
            attacker: people.attacker,
            usual: usual,
            isStrict: isStrict
        )
    }

    private struct Sample {
        let visit: Visit
        let page: Snapshot
    }

    /// The victim in two browsers, and the attacker in one.
    private func samples(
        _ apple: EmulatedApple,
        _ victim: CheckPerson,
        _ attacker: CheckPerson,
        isStrict: Bool
    ) async throws(CheckError) -> (victims: (Sample, Sample), attacker: Sample) {
        let first = try await sample(apple, victim, isStrict: isStrict)
        let other = try await sample(apple, attacker, isStrict: isStrict)
        let second = try await sample(apple, victim, isStrict: isStrict)
        return ((first, second), other)
    }

    private func sample(
        _ apple: EmulatedApple,
        _ person: CheckPerson,
        isStrict: Bool
    ) async throws(CheckError) -> Sample {
        var visit = Visit(target, client: client, isStrict: isStrict)
        try await visit.begin()
        let answer = try await visit.decide(
            apple,
            ["person": .string(person.email), "email": "share"]
        )
        _ = try await visit.deliver(answer)
        let page = try await visit.look()
        return Sample(visit: visit, page: page)
    }
}
