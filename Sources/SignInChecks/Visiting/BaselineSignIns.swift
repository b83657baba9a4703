import AppleIdentity
import Foundation

/// Gets to know a server by usual sign-ins, before anything is attacked.
struct BaselineSignIns {
    let target: CheckTarget
    let client: WebClient
    let time: TimeSource

    /// Signs the victim in twice and the attacker once, as browsers do.
    func make() async throws(CheckError) -> CheckContext {
        let apple = EmulatedApple(control: target.control, client: client)
        let nobody = (try await strangersPage(), try await strangersPage())
        // Twice as browsers do: a sign-in that failed for another reason works the second time.
        for rules in [SameSiteRules.silenceIsNone, .silenceIsNone, .ignored] {
            // New people each time: Apple tells a name once.
            let (victim, attacker) = (CheckPerson("victim"), CheckPerson("attacker"))
            try await apple.add(victim)
            try await apple.add(attacker)
            let first = try await sample(apple, victim, rules)
            let other = try await sample(apple, attacker, rules)
            let second = try await sample(apple, victim, rules)
            let identityDetector = IdentityDetector(
                anonymous: nobody,
                victims: (first.page, second.page),
                attacker: other.page,
                subjects: try await subjects(apple, (victim, attacker), first.visit)
            )
            // One that is signed in to nothing would make the words of everybody the victim's.
            let areSignedIn = [first, other, second].allSatisfy {
                identityDetector.who($0.page) != .nobody
            }
            guard areSignedIn else { continue }
            return try await context(
                apple,
                identityDetector,
                (victim, attacker),
                first.visit,
                rules
            )
        }
        throw await unusable(nobody.0, apple)
    }

    private func strangersPage() async throws(CheckError) -> Snapshot {
        var visit = Visit(target, client: client, .silenceIsNone)
        return try await visit.look()
    }

    /// Apple's identifiers of people whose names are told already: a device asks no sooner.
    private func subjects(
        _ apple: EmulatedApple,
        _ people: (victim: CheckPerson, attacker: CheckPerson),
        _ usual: Visit
    ) async throws(CheckError) -> IdentityDetector.Subjects {
        let client = usual.request["client_id"] ?? ""
        let app = try await apple.registration(of: client).primaryID
        let victim = try await apple.credentials(of: people.victim.email, for: app)
        let attacker = try await apple.credentials(of: people.attacker.email, for: app)
        return IdentityDetector.Subjects(
            victim: victim["user"]?.stringValue,
            attacker: attacker["user"]?.stringValue
        )
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
        _ identityDetector: IdentityDetector,
        _ people: (victim: CheckPerson, attacker: CheckPerson),
        _ usual: Visit,
        _ rules: SameSiteRules
    ) async throws(CheckError) -> CheckContext {
        let registration = try await apple.registration(of: usual.request["client_id"] ?? "")
        return CheckContext(
            target: target,
            client: client,
            apple: apple,
            time: time,
            registration: registration,
            identityDetector: identityDetector,
            victim: people.victim,
            victimID: identityDetector.subjects.victim ?? "",
            attacker: people.attacker,
            usual: usual,
            rules: rules
        )
    }

    private struct Sample {
        let visit: Visit
        let page: Snapshot
    }

    private func sample(
        _ apple: EmulatedApple,
        _ person: CheckPerson,
        _ rules: SameSiteRules
    ) async throws(CheckError) -> Sample {
        var visit = Visit(target, client: client, rules)
        try await visit.begin()
        let answer = try await visit.decide(
            apple,
            ["person": .string(person.email), "email": "share"]
        )
        let reply = try await visit.deliver(answer)
        guard !reply.isOverload else { throw .overload(answer.url.absoluteString, reply.status) }
        return Sample(visit: visit, page: try await visit.look())
    }
}
