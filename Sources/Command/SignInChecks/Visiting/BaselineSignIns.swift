import AppleIdentity
import Foundation

/// Learns a server's behaviour from ordinary sign-ins, before the attacks.
struct BaselineSignIns {
    let target: CheckTarget
    let apple: EmulatedApple
    let client: WebClient
    let time: TimeSource

    /// Signs in the victim twice and the attacker once, as browsers do.
    func make() async throws(CheckError) -> CheckContext {
        let anonymous = (try await strangersPage(), try await strangersPage())
        // The browsers' rules are tried twice, for a sign-in that fails once for another reason.
        for rules in [SameSiteRules.silenceIsNone, .silenceIsNone, .ignored] {
            // New users each time, because Apple sends a name only once.
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
                anonymous: anonymous,
                victims: (first.page, second.page),
                attacker: other.page,
                subjects: subjects
            )
            // Without a sign-in, words that all users see would count as the victim's.
            let areSignedIn = [first, other, second].allSatisfy {
                identityDetector.who($0.page) != .anonymous
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
        throw await unusable(anonymous.0, apple)
    }

    private func strangersPage() async throws(CheckError) -> Snapshot {
        var visit = Visit(target, client: client, .silenceIsNone)
        return try await visit.look()
    }

    /// Apple's identifier of a user; requested after the first sign-in, because Apple sends the name only once.
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
            "after an ordinary sign-in \(target.whoAmI.absoluteString) is unchanged (it responds"
                + " with \(page.status))" + refusal,
            hint: "give a page or route that shows which user is signed in with --signed-in, and"
                + " check the server's log"
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
