import AppleIdentity
import Foundation

/// What a run has found out about the server before the checks: who is who, and what is usual.
package struct CheckContext: Sendable {
    let target: CheckTarget
    let client: WebClient
    let apple: EmulatedApple
    let time: TimeSource
    let registration: CheckRegistration
    let identityDetector: IdentityDetector
    let victim: CheckPerson
    /// The victim's `sub`.
    let victimID: String
    let attacker: CheckPerson
    /// The victim's first sign-in, when all was well: a browser that is signed in.
    let usual: Visit
    /// What the browsers make of `SameSite`, so that a usual sign-in works.
    let rules: SameSiteRules
    /// Whether a right notification ends a session; nil until that was tried.
    let heedsNotifications = LockedValue<Bool?>(nil)

    var asksIdentityToken: Bool { (usual.request["response_type"] ?? "").contains("id_token") }

    var asksAddress: Bool { (usual.request["scope"] ?? "").split(separator: " ").contains("email") }

    /// Whether the request to Apple has what binds the answer to this browser beside the state.
    var hasNonceOrPKCE: Bool {
        usual.request["nonce"] != nil || usual.request["code_challenge"] != nil
    }

    /// A browser that knows nothing.
    func newVisit() -> Visit { Visit(target, client: client, rules) }

    /// Goes through Apple's page with a new browser, up to its answer.
    func visit(
        as person: CheckPerson,
        switches: JSONObject? = nil,
        choice: JSONObject = [:],
        extra: [WebField] = []
    ) async throws(CheckError) -> (visit: Visit, answer: AppleAnswer) {
        var visit = newVisit()
        try await visit.begin(extra)
        var decision: JSONObject = ["person": .string(person.email), "email": "share"]
        for member in choice.members { decision[member.name] = member.value }
        let answer = try await visit.decide(apple, decision, switches: switches)
        return (visit, answer)
    }

    /// Lets the victim agree on Apple's page, in a browser that has begun a sign-in.
    func agree(_ visit: inout Visit) async throws(CheckError) -> AppleAnswer {
        try await visit.decide(apple, ["person": .string(victim.email), "email": "share"])
    }

    /// Registers somebody whom the server does not know.
    func newPerson(
        _ role: String,
        isVerified: Bool = true
    ) async throws(CheckError) -> CheckPerson {
        let person = CheckPerson(role, isVerified: isVerified)
        try await apple.add(person)
        return person
    }

    /// Signs somebody in whom nothing disturbs.
    func signIn(_ person: CheckPerson) async throws(CheckError) -> Visit {
        var (visit, answer) = try await visit(as: person)
        let reply = try await deliver(&visit, answer)
        guard try await who(&visit) != .nobody else {
            throw .noUsualSignIn(": \(Self.words(for: reply))")
        }
        return visit
    }

    /// Signs the victim in as usual: a refusal shows something only where this works right after it.
    func control() async throws(CheckError) {
        var visit = try await signIn(victim)
        guard identityDetector.tellsPeople, try await who(&visit) != .victim else { return }
        throw CheckError(
            "after a usual sign-in \(target.whoAmI.absoluteString) no longer shows the victim",
            hint: "look whether somebody else's sign-in changed the victim's account"
        )
    }

    /// Hands Apple's answer to the server, which must have the time to look at it.
    func deliver(
        _ visit: inout Visit,
        _ answer: AppleAnswer
    ) async throws(CheckError) -> WebAnswer {
        let reply = try await visit.deliver(answer)
        guard !reply.isOverload else {
            throw .overload("Apple's answer at \(answer.url.absoluteString)", reply.status)
        }
        return reply
    }

    /// Tries an attack in each of its spellings, up to the first that does not hold.
    func each<Spelling>(
        _ spellings: [Spelling],
        _ examine: (Spelling) async throws(CheckError) -> Finding
    ) async throws(CheckError) -> Finding {
        var finding = Finding.holds("")
        for spelling in spellings {
            finding = try await examine(spelling)
            guard finding.verdict == .holds else { return finding }
        }
        return finding
    }

    func publishedKeys() async throws(CheckError) -> [JSONObject] {
        guard let url = URL(string: usual.appleOrigin + "/auth/keys") else { return [] }
        let answer = try await client.send(WebRequest(url: url))
        let document = try? JSONObject(parsing: answer.body)
        return (document?["keys"]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    func pause() async throws(CheckError) { try await time.pause(for: .milliseconds(100)) }

    /// Waits until something is so, looking about ten times a second.
    func waits(
        seconds: Double,
        until condition: () async throws(CheckError) -> Bool
    ) async throws(CheckError) -> Bool {
        let end = time.now.addingTimeInterval(seconds)
        while true {
            if try await condition() { return true }
            guard time.now < end else { return false }
            try await pause()
        }
    }

    /// Waits for the first half of a second.
    ///
    /// Tokens count whole seconds: a sign-in that ends in another second than it began would be
    /// later than what Apple tells of it.
    func waitForNewSecond() async throws(CheckError) {
        while isLateInSecond { try await pause() }
    }

    private var isLateInSecond: Bool {
        time.now.timeIntervalSince1970.truncatingRemainder(dividingBy: 1) > 0.5
    }

    func who(_ visit: inout Visit) async throws(CheckError) -> SignedIn {
        identityDetector.who(try await visit.look())
    }

    /// Nobody is signed in: a defence, when a usual sign-in works right afterwards.
    func refused(_ reply: WebAnswer) async throws(CheckError) -> Finding {
        try await control()
        return .holds("nobody is signed in: \(Self.words(for: reply))")
    }

    /// Delivers an answer that must sign nobody in.
    func expectNobody(_ visit: Visit, _ answer: AppleAnswer) async throws(CheckError) -> Finding {
        var visit = visit
        let reply = try await deliver(&visit, answer)
        switch try await who(&visit) {
        case .nobody: return try await refused(reply)
        case .victim: return .fails("the browser is signed in, as the victim")
        case .attacker: return .fails("the browser is signed in, as the attacker")
        case .somebody: return .fails("the browser is signed in")
        }
    }

    /// Delivers an answer that must not open the victim's account.
    func expectNoVictim(_ visit: Visit, _ answer: AppleAnswer) async throws(CheckError) -> Finding {
        guard identityDetector.tellsPeople else { return .notExamined(Self.noNames) }
        var visit = visit
        let reply = try await deliver(&visit, answer)
        switch try await who(&visit) {
        case .nobody: return try await refused(reply)
        case .victim: return .fails("the browser is signed in as the victim")
        case .attacker, .somebody:
            return .holds(
                "the token is not believed: the browser is signed in to the attacker's own account"
            )
        }
    }

    /// Delivers an answer that must sign somebody in.
    func expectSignIn(
        _ visit: inout Visit,
        _ answer: AppleAnswer
    ) async throws(CheckError) -> Finding {
        let reply = try await deliver(&visit, answer)
        guard try await who(&visit) == .nobody else { return .holds("the browser is signed in") }
        try await control()
        return .fails("nobody is signed in: \(Self.words(for: reply))")
    }

    static let noNames = "the page of --signed-in shows nothing that tells one person from another"

    /// How the server refused.
    static func words(for reply: WebAnswer) -> String {
        guard let location = reply.location else { return "answered \(reply.status)" }
        return "answered \(reply.status) and led to \(location.path())"
    }
}
