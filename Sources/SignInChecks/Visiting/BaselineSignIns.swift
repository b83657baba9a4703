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
            let app = try await apple.registration(of: first.visit.request["client_id"] ?? "")
            let subjects = IdentityDetector.Subjects(
                victim: try await subject(apple, victim, app),
                attacker: try await subject(apple, attacker, app)
            )
            let identityDetector = IdentityDetector(
                anonymous: nobody,
                victims: (first.page, second.page),
                attacker: other.page,
                subjects: subjects
            )
            // One that is signed in to nothing would make the words of everybody the victim's.
            let areSignedIn = [first, other, second].allSatisfy {
                identityDetector.who($0.page) != .nobody
            }
            guard areSignedIn else { continue }
            return CheckContext(
                target: target,
                client: client,
                apple: apple,
                time: time,
                registration: app,
                identityDetector: identityDetector,
                victim: victim,
                victimID: subjects.victim ?? "",
                attacker: attacker,
                usual: first.visit,
                rules: rules
            )
        }
        throw await unusable(nobody.0, apple)
    }

    private func strangersPage() async throws(CheckError) -> Snapshot {
        var visit = Visit(target, client: client, .silenceIsNone)
        return try await visit.look()
    }

    /// Apple's identifier of somebody whose name is told already: a device asks no sooner.
    private func subject(
        _ apple: EmulatedApple,
        _ person: CheckPerson,
        _ app: CheckRegistration
    ) async throws(CheckError) -> String? {
        try await apple.credentials(of: person.email, for: app.primaryID)["user"]?.stringValue
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

    private func sample(
        _ apple: EmulatedApple,
        _ person: CheckPerson,
        _ rules: SameSiteRules
    ) async throws(CheckError) -> (visit: Visit, page: Snapshot) {
        var visit = Visit(target, client: client, rules)
        try await visit.begin()
        let answer = try await visit.decide(
            apple,
            ["person": .string(person.email), "email": "share"]
        )
        let reply = try await visit.deliver(answer)
        guard !reply.isOverload else { throw .overload(answer.url.absoluteString, reply.status) }
        let page = try await visit.look()
        return (visit, page)
    }
}
